"""What happens at instants: events, impulses and sampled controllers."""
