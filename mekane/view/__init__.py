"""What is seen: pictures of runs and topologies; the scene of a mechanism and its frames, as data for a page. Physics
never imports it."""
