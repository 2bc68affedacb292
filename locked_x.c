/*
 * locked: equations of motion, joint formulation. Written by Mekane; SI units.
 *
 * Functions of (t, y, p). The state y: nothing moves.
 *
 * Functions:
 *   locked_rhs  yd: rates of y; constraint rows in use are held
 *   locked_mass_matrix  M, speeds x speeds, of the tree
 *   locked_forcing  f in M ud = f + transpose(B) multipliers
 */

#include <math.h>

enum {
    locked_n_coordinates = 0,
    locked_n_speeds = 0,
    locked_n_integrals = 0,
    locked_n_state = 0,
    locked_n_parameters = 0,
    locked_n_rows = 0
};
extern const double locked_y0[1];     /* the start, after assembly */
extern const double locked_p[1];      /* parameters as the model has them */
void locked_rhs(double t, const double *y, const double *p, double *out);
void locked_mass_matrix(double t, const double *y, const double *p, double *out);
void locked_forcing(double t, const double *y, const double *p, double *out);

const double locked_y0[1] = {
    0.0
};

const double locked_p[1] = {
    0.0
};

/* yd: rates of y; constraint rows in use are held */
void locked_rhs(double t, const double *y, const double *p, double *out)
{
    (void)t;
    (void)y;
    (void)p;
    (void)out;
}

/* M, speeds x speeds, of the tree; row by row */
void locked_mass_matrix(double t, const double *y, const double *p, double *out)
{
    (void)t;
    (void)y;
    (void)p;
    (void)out;
}

/* f in M ud = f + transpose(B) multipliers */
void locked_forcing(double t, const double *y, const double *p, double *out)
{
    (void)t;
    (void)y;
    (void)p;
    (void)out;
}
