"""Entries of a model called from Python by their addresses: what `calls` does for compiled loops.

A kernel takes all arrays of a handle, each as seven numbers or more; an entry takes four. Between the phases of a motion, where
entries are called ten times at every event, that counts.
"""

import ctypes
import functools

from mekane.tables.handle import CONTACT_PROBLEM, FOLLOW, INERTIAS, KINEMATICS, PROJECT, RHS

ENTRY = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64, ctypes.c_double, ctypes.c_int64, ctypes.c_int64)


@functools.lru_cache(maxsize=256)
def function_at(address):
    return ENTRY(address)


def call(P, which, t, a, b):
    """Entry `which` of a handle P, with two arrays of floats, contiguous."""
    header = P.header
    return function_at(int(header[which]))(header.ctypes.data, t, a.ctypes.data, b.ctypes.data)


def rhs(P, t, y, yd):
    """yd = f(t, y)"""
    call(P, RHS, t, y, yd)


def project(P, t, y, x):
    """As calls.project."""
    return call(P, PROJECT, t, y, x)


def evaluate_kinematics(P, t, y, measurement):
    """As calls.evaluate_kinematics."""
    call(P, KINEMATICS, t, y, measurement)


def follow(P, t, measurement):
    """As calls.follow."""
    call(P, FOLLOW, t, measurement, measurement)


def evaluate_inertias(P, choose, y):
    """As calls.evaluate_inertias."""
    call(P, INERTIAS, choose, y, y)


def contact_problem(P, t, y, out):
    """As calls.contact_problem."""
    call(P, CONTACT_PROBLEM, t, y, out)
