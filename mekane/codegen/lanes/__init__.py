"""Code for many runs at once: every number is a vector with one element, a lane, for each of several runs."""
