"""The flat arrays of a compiled model: which columns they have, how they are made, and how compiled code reaches
them."""
