"""The language server: the pipeline's findings, and what is known of keys, inside an editor.

Only `commands.lsp` imports it: it needs the extra `lsp`.
"""
