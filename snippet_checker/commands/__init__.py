"""What the command does: one module for each of its sub-commands, loaded when it is run."""
