"""Many runs of one system: numbers that vary, what is kept of each run, engines that compute them."""
