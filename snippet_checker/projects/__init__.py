"""Projects that build on verl: their configs and programs, read as data beside what is checked."""
