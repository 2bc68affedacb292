"""Events of contact laws in compiled code: an instant read, its modes chosen, and on from there."""
