"""The actuator forces that a given motion requires."""
