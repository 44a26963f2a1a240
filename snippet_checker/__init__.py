"""Check every verl setting in documents and launch scripts against verl's real schema.

Programs call the functions of `snippet_checker.api`.
"""

__version__ = "0.1.0"
