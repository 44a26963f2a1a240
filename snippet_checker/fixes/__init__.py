"""Problem -> edits of a file: what a finding's fix writes, and which fixes mend a whole file."""
