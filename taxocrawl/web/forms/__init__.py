"""What the desk's forms ask for, and what they accept."""
