"""Which frames of a run are shown, and the poses between them."""
