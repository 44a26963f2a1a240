"""Check every verl setting in documents and launch scripts against verl's real schema."""

__version__ = "0.1.0"
