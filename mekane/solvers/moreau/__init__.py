"""Runs by Moreau's time stepping: steps of one length through all impacts.  (N.17)"""
