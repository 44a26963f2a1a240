"""The language server, by what an editor sees of it."""
