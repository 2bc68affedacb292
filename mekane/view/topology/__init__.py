"""The topology of a system as text and as a drawing."""
