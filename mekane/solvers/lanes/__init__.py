"""Many runs of one model at once on the lanes of vector registers, each with its own adaptive step."""
