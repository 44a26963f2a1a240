"""What a wrong key was meant to be (`suggest`), and how names and keys are alike."""
