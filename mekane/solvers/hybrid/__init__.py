"""Between smooth phases: jumps at events, ticks of controllers, and what is remembered of them."""
