"""Problem -> edits of a file: what a finding's fix writes, and which fixes make a file better."""
