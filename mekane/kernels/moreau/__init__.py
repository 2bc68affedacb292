"""Many contacts by Moreau's time stepping: velocities and impulses of one step, without events.  (N.17)"""
