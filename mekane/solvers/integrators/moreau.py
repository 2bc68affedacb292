"""Moreau's time stepping in the form of Jean, order 1, fixed step: contacts, friction and impacts without events, for
mechanisms with very many of them.  (N.17)

J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, in: Nonsmooth Mechanics and Applications,
Springer 1988; M. Jean, The non-smooth contact dynamics method, Computer Methods in Applied Mechanics and Engineering 177
(1999) 235–257. The tableau is that of the motion between impacts, seen from its start.
"""

from mekane.solvers.tableau import tableau

impulsive = True
method = tableau(A=[()], b=[1.0], c=[0.0], order=1)
