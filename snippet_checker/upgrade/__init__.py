"""What a file needs to mean the same on another release of verl."""
