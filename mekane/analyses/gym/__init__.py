"""Environments for learning: a system with observations, actions and a reward, by the interface of gymnasium.

`make` is the function people call; `task` reads its arguments, `environment` steps one motion, `vector_environment` many,
by `lane_steps` where the model fits vector registers. Only the two environments import gymnasium."""
