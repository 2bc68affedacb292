"""Timings of Mekane, each beside a peer in the same run:  python -m bench"""
