"""Where everything stands in the flat arrays that kernels read (tables) and write (workspace).

Each thing (body, primitive, speed, …) is one row; a name below is the column where a quantity begins. Axes are those of
the Newtonian frame N unless a name says otherwise; a body's own frame B has its origin Bo at the outer end of its tree
joint. Row 0 of the body arrays is the ground. "pA" and "IA" are the articulated bias and inertia of (E.4), kept where
the rigid ones stood before.
"""

# ------------------------------------------------------------------ tables: constants of one model

# body_i (bodies+1, 7)  tree: parent row; its speeds and its primitives are [first, end); 1 where R_PF is not the
# identity; 1 where the joint is one rotation: the most frequent case, for which kernels have a shorter way
PARENT, SPEED0, SPEED1, PRIMITIVE0, PRIMITIVE1, ROTATED, ONE_ROTATION = range(7)

# body_f (bodies+1, 22)
T_P_PF = 0  # 3  [m]      from Po to the joint frame F on the parent, in P
T_R_PF = 3  # 9           axes of F in P
T_MASS = 12  # 1  [kg]
T_MC = 13  # 3  [kg m]    mass × position of the mass centre from Bo, in B
T_I = 16  # 6  [kg m²]    inertia about Bo, in B
BODY_F = 22

# primitive_i (primitives, 4): kind, first coordinate, first speed, body;   primitive_f (primitives, 5): unit axis in F
# (or P), pitch [m/rad], inertia of rotors on its speeds [kg m² or kg]. BRYAN: the last of three rotations, about (s, 0,
# 1 − s), its second coordinate s being 0 or 1; MIXED: as QUATERNION, with w_NB_B as speeds
KIND, PRIMITIVE_Q, PRIMITIVE_U, PRIMITIVE_BODY = range(4)
ROTATION, BRYAN, TRANSLATION, SCREW, QUATERNION, MIXED = range(6)  # the joint primitives
AXIS, PITCH, ROTOR = 0, 3, 4
PRIMITIVE_F = 5
WEAK_SEQUENCE = 0.5  # |cos θ2| of the sequence x-y-z, |sin θ2| of x-y-x, below which the other is used

# speed_kind (speeds,): its partial velocities at Bo are (a, 0); or anything (for a translation (0, a), complete at
# once)
PURE_ROTATION, PURE_TRANSLATION, GENERAL = range(3)

# pair_i (pairs, 3): bodies a and b of a joint that is constrained or measured by its frames; where it closes, as position
# and axes in M: the first of twelve registers (0: at M).  pair_f (pairs, 24): F on a and M on b
PAIR_A, PAIR_B, PAIR_PLACE = range(3)
PAIR_I = 3
T_P_AF, T_R_AF, T_P_BM, T_R_BM = 0, 3, 12, 15
PAIR_F = 24

# row_i (rows, 11): pair, kind, which unit vectors of F (0, 1, 2) and M (3, 4, 5) it uses; its terms [first, end); its
# path to the ground; the register that says whether it may be active; how many rows after it are eliminated side by side with it
# (2: the tangents of its contact). A row that is EXPRESSION has instead of unit vectors the registers of phi, rate and bias, and
# the work integral of its force (or -1). row_f (rows, 1): pitch [m/rad]
ROW_PAIR, ROW_KIND, ROW_E, ROW_M, ROW_ZERO, ROW_NINETY, ROW_TERM, ROW_TERM_END, ROW_PATH, ROW_FLAG, ROW_ALIKE = range(
    11
)
ROW_PHI_R, ROW_RATE_R, ROW_BIAS_R, ROW_WORK = ROW_E, ROW_M, ROW_ZERO, ROW_NINETY
ALONG, PERPENDICULAR, HELIX, ANGLE, COINCIDE, EXPRESSION = range(6)
ROW_I = 11

# term_i (terms, 7): body a row pushes on; of a row that is EXPRESSION also the registers of the moment and of the force
TERM_BODY, TERM_R = 0, 1
TERM_I = 7

# contact_i (elements, 20): elements of contact laws. Rows: normal (-1: none), first tangential (-1: none), number of
# these. Registers: coefficient of friction, or largest friction; the same while it sticks; of the discrete state the mode,
# whether it sticks, the direction in which it slides (two); two guards. What friction is limited by. 1: the normal row is
# a rate, not a gap. Where the load of a joint limits it: number of its components (0: none), pair of the joint, which unit
# vectors of F it is measured along (two), body that receives it through its tree joint (-1: it is cut), else the rows of
# the joint [first, end); 1: magnitudes are summed, with the sides that stand behind the direction of sliding. The row of
# the normal force that friction is proportional to (-1: none): its own, or that of the contact whose rolling it resists
(
    C_NORMAL,
    C_TANGENT,
    C_TANGENTS,
    C_FRICTION,
    C_STATIC,
    C_MODE,
    C_STICKS,
    C_DIRECTION,
    C_GUARD,
    C_BY,
    C_RATE,
    C_LOADS,
    C_LOAD_PAIR,
    C_LOAD_E,
    C_LOAD_E2,
    C_LOAD_BODY,
    C_LOAD_ROW,
    C_LOAD_END,
    C_SUMS,
    C_PRESSED,
) = range(20)
CONTACT_I = 20
# friction is at most coefficient × normal force; a number; a length × the load of a joint
BY_NORMAL, BY_CAPACITY, BY_LOAD = range(3)
DIRECTIONS = 4  # registers: direction of sliding, then sides of load components
N_ELEMENT_GUARDS = 4  # normal, friction, two sides
OPEN, SLIDING, STICKING = range(3)  # modes
INCIPIENT = 3  # in the workspace: sliding so slowly that its direction is that of the load
# incipient (elements, 13): 1 if it is; its direction; its acceleration along that; the direction where the step began; how
# fast friction turns the direction of sliding, times the speed [m/s²]; friction that unit acceleration takes; speed that
# counts as zero; its friction as it was found last; speed below which its direction is that where the step began; friction that unit
# acceleration takes, over what it takes where no other row holds; 1 if its speed has grown by much in the last step
I_ON, I_X, I_Y, I_ALONG, I_FIRST_X, I_FIRST_Y, I_TURNS, I_STILL, I_FX, I_FY, I_SLOW, I_KEPT, I_GREW = range(13)
INCIPIENT_W = 13

# point_i (points,): body;  point_f (points, 3) [m]: in B.     line_i (lines, 2): points at its ends
# input_i (inputs, 3): what a force law reads: kind, index, component
# (of INPUT_BODY the component is a column of the workspace array `body`; INPUT_CONTROLLER: the index of the state)
(
    INPUT_COORDINATE,
    INPUT_SPEED,
    INPUT_MEASUREMENT,
    INPUT_MEASUREMENT_RATE,
    INPUT_LENGTH,
    INPUT_LENGTH_RATE,
    INPUT_POSITION,
    INPUT_VELOCITY,
    INPUT_BODY,
    INPUT_CONTROLLER,
) = range(10)

# action_i (actions, 9): what a law does: kind, index, registers of its value (one or three),
# non-conservative element it belongs to (or -1), register of the non-conservative part (one or three).
# ACT_CONTROLLER acts on nothing: its value is the rate of a controller state. Elements are counted after all
# controller states
ACTION_KIND, ACTION_ON, ACTION_R, ACTION_ELEMENT, ACTION_NONCONSERVATIVE = 0, 1, 2, 5, 6
(
    ACT_SPEED,
    ACT_MEASUREMENT,
    ACT_LINE,
    ACT_FORCE_WORLD,
    ACT_FORCE_BODY,
    ACT_TORQUE_WORLD,
    ACT_TORQUE_BODY,
    ACT_CONTROLLER,
) = range(8)

# ------------------------------------------------------------------ workspace: written by kernels

# body (bodies+1, 66)
B_R = 0  # 9               R_NB                                                       forward_kinematics
B_P = 9  # 3  [m]          p_NB                                                       forward_kinematics
B_W = 12  # 3  [rad/s]     w_NB                                                       forward_kinematics
B_V = 15  # 3  [m/s]       v_NB                                                       forward_kinematics
B_D = 18  # 3  [m]         p_NB − p_NP                                                forward_kinematics
B_ALB = 21  # 3  [rad/s²]  bias: alpha_NB with every ud and the parent's zero         forward_kinematics
B_AB = 24  # 3  [m/s²]     bias: a_NB likewise                                        forward_kinematics
B_J = 27  # 6  [kg m²]     IA, rotational part, about Bo                              body_inertia_and_bias, inward_pass
B_H = 33  # 9  [kg m]      IA, coupling: moment from linear acceleration              body_inertia_and_bias, inward_pass
B_M = 42  # 6  [kg]        IA, translational part                                     body_inertia_and_bias, inward_pass
B_N = 48  # 3  [N m]       pA, moment about Bo                                        body_inertia_and_bias, inward_pass
B_F = 51  # 3  [N]         pA, force                                                  body_inertia_and_bias, inward_pass
B_AL = 54  # 3  [rad/s²]   alpha_NB                                                   outward_pass
B_A = 57  # 3  [m/s²]      a_NB − gravity                                             outward_pass
B_TX = 60  # 3  [N m]      applied moment about Bo                                    act
B_FX = 63  # 3  [N]        applied force                                              act
BODY_W = 66

# speed (speeds, 16)
S_W = 0  # 3               partial angular velocity w_r                               forward_kinematics
S_V = 3  # 3               partial velocity v_r at Bo                                 forward_kinematics
S_UW = 6  # 3              U_r of (E.4), moment part                                  inward_pass
S_UV = 9  # 3              U_r, force part                                            inward_pass
S_DI = 12  # 1             1 / D_r                                                    inward_pass
S_E = 13  # 1              e_r                                                        inward_pass, solve_multipliers
S_TAU = 14  # 1            force on the speed itself                                  act
S_ROTOR = 15  # 1          inertia of rotors on the speed                             forward_kinematics
SPEED_W = 16

# pair (pairs, 36)
X_E = 0  # 18              unit vectors of F, then of M                               pose_pairs
X_PM = 18  # 3  [m]        position of Mo                                             pose_pairs
X_R = 21  # 3  [m]         r = p_M − p_F                                              pose_pairs
X_S = 24  # 3  [m/s]       velocity of Mo as seen from a                              pose_pairs
X_WA = 27  # 3             w of a                                                     pose_pairs
X_WB = 30  # 3             w of b                                                     pose_pairs
X_C = 33  # 3  [m/s²]      acceleration of Mo relative to a with alpha and a zero     pose_pairs
PAIR_W = 36

# row (rows, 3): what it measures
Y_PHI = 0  #               phi                                                        write_rows
Y_RATE = 1  #              d phi / dt                                                 write_rows
Y_BIAS = 2  #              d² phi / dt² with alpha and a of all bodies zero           write_rows
ROW_W = 3

# term (terms, 6): the wrench about Bo with which a row pushes on a body
Z_T, Z_F = 0, 3  #                                                                    write_rows
TERM_W = 6

# point (points, 9): position, velocity, arm from Bo;     line (lines, 5): unit vector from first to second, length,
# rate
Q_P, Q_V, Q_ARM = 0, 3, 6
POINT_W = 9
L_E, L_L, L_LD = 0, 3, 4
LINE_W = 5

# what `derive` adds to the rate of a state: kinetic energy, potential energy of gravity, linear momentum (3), angular
# momentum about No (3)
OUT = 8
