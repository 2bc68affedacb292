"""What is looked at: pictures of runs and systems, displays in notebooks. Physics never imports this room."""
