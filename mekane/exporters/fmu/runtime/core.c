/* What FMI 2.0 and 3.0 have in common: start, projection onto the constraints, events, co-simulation.
 * SPDX-License-Identifier: BSD-3-Clause. Copyright (c) 2026, The Mekane authors.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

#define CLOSED 1e-13        /* residual of a constraint that is met [m, rad, m/s, rad/s] */
#define OPEN 1e-9           /* ... that cannot be met */
#define NEWTON 60           /* steps of a projection, at most */
#define DEPENDENT 1e-15     /* pivot of constraints that are dependent */
#define LEFT 1e-6           /* residual that may be left while a mechanism crosses a singular position */
#define DRIFT 1e-8          /* model exchange: further off the constraints the state is brought back */
#define AHEAD 1e-9          /* s: comparisons at an event are those of so much later */
#define LOOKS 8             /* places of a step at which comparisons are looked at */
#define CHATTER 1000        /* events in a row that come with almost no time between them */

static void report(Instance *I, const char *message)
{
    if (I->report) I->report(I, message);
}

static int all_finite(const double *values, int n)
{
    for (int i = 0; i < n; ++i) if (!isfinite(values[i])) return 0;
    return 1;
}

/* ------------------------------------------------------------ the model */

/* Regularization where the smallest pivot of the constraints is this. */
#if N_ROWS > 0
static double regularization(Instance *I, double pivot)
{
    const double share = fmin(1.0, I->s.strongest/ORDINARY);
    return share*(pivot < WEAK*share ? NEAR_SINGULAR : REGULAR);
}
#endif

/* 1: yd are the rates of y. Near a singular position the diagonal of the constraints' equations is raised, and refinement
 * removes what that changes. */
static int rates(Instance *I, double t, const double *y, double *yd)
{
    double out[N_Y + 1];
    FUNCTION(rhs)(t, y, I->s.p, out);
#if N_ROWS > 0
    {
        const double kept = I->s.p[REGULARIZATION], wanted = regularization(I, out[N_Y]);
        if (wanted != kept) {
            I->s.p[REGULARIZATION] = wanted;
            FUNCTION(rhs)(t, y, I->s.p, out);
            I->s.p[REGULARIZATION] = kept;
        }
    }
#endif
    memcpy(yd, out, N_Y*sizeof *yd);
    return all_finite(out, N_Y + 1) && out[N_Y] > DEPENDENT;
}

static int derivatives(Instance *I, double *yd)
{
    if (rates(I, I->s.t, I->s.y, yd)) return 1;
    report(I, "Rates are no finite numbers, or constraints have become dependent.");
    return 0;
}

static void guards(Instance *I, double *values)
{
#if N_GUARDS > 0
    FUNCTION(guards)(I->s.t, I->s.y, I->s.p, values);
#else
    (void)I; (void)values;
#endif
}

/* Regularization of projections and rates from here on. */
static void regularize(Instance *I)
{
#if N_ROWS > 0
    double out[N_Y + 1];
    FUNCTION(rhs)(I->s.t, I->s.y, I->s.p, out);
    if (!(out[N_Y] > 0.0)) return;
    I->s.strongest = fmax(I->s.strongest, out[N_Y]);
    I->s.p[REGULARIZATION] = regularization(I, out[N_Y]);
#else
    (void)I;
#endif
}

/* Follow measured joint coordinates, so that their turns are counted. */
static void follow(Instance *I)
{
    regularize(I);
#if N_MEASURED > 0
    double out[N_MEASURED];
    FUNCTION(measure)(I->s.t, I->s.y, I->s.p, out);
    memcpy(I->s.p, out, sizeof out);
#else
    (void)I;
#endif
}

/* ------------------------------------------------------------ comparisons */

#if N_GUARDS > 0
static int holds(double guard, int k)
{
    return guard < 0.0 || (guard == 0.0 && OR_EQUAL[k]);
}
#endif

/* Decide comparisons anew, as they are `ahead` later; one may depend on others. 1: one has changed. Importers end a step
 * at a root of a guard, where its sign is round-off: what follows is seen a little later. */
static int decide(Instance *I, double ahead)
{
    int changed = 0;
#if N_GUARDS > 0
    double values[N_GUARDS], y[N_Y], yd[N_Y];
    const double h = ahead*(1.0 + fabs(I->s.t));
    for (int round = 0; round <= N_GUARDS; ++round) {
        int now = 0;
        memcpy(y, I->s.y, sizeof y);
        if (h > 0.0 && rates(I, I->s.t, I->s.y, yd)) for (int n = 0; n < N_Y; ++n) y[n] += h*yd[n];
        FUNCTION(guards)(I->s.t + h, y, I->s.p, values);
        for (int k = 0; k < N_GUARDS; ++k) {
            const double mode = holds(values[k], k);
            now |= I->s.p[FIRST_MODE + k] != mode;
            I->s.p[FIRST_MODE + k] = mode;
        }
        changed |= now;
        if (!now) break;
    }
#else
    (void)I; (void)ahead;
#endif
    return changed;
}

/* 1: at this state all comparisons are as they were decided. */
static int are_decided(Instance *I, double t, const double *y)
{
#if N_GUARDS > 0
    double values[N_GUARDS];
    FUNCTION(guards)(t, y, I->s.p, values);
    for (int k = 0; k < N_GUARDS; ++k) if (holds(values[k], k) != (I->s.p[FIRST_MODE + k] != 0.0)) return 0;
#else
    (void)I; (void)t; (void)y;
#endif
    return 1;
}

/* ------------------------------------------------------------ projection onto the constraints */

#if HAS_PROJECTION
typedef void Projection(double t, const double *y, const double *p, double *out);

/* Newton steps until the residual is round-off. 1: it is. */
static int bring_back(Instance *I, Projection *step)
{
    double out[N_Y + 3], residual = INFINITY;
    for (int k = 0; k < NEWTON; ++k) {
        double before = residual, pivot;
        step(I->s.t, I->s.y, I->s.p, out);
        residual = out[N_Y];
        pivot = out[N_Y + 1];
        if (!all_finite(out, N_Y + 3) || pivot <= DEPENDENT) break;
        if (k > 3 && pivot < WEAK && residual <= LEFT) return 1;
        if (residual <= OPEN && residual > 0.25*before) return out[N_Y + 2] <= OPEN; /* round-off */
        memcpy(I->s.y, out, sizeof I->s.y);
        if (residual <= CLOSED) return out[N_Y + 2] <= OPEN;
    }
    return 0;
}

/* How far a projection would move the state. */
static double off_constraints(Instance *I)
{
    double out[N_Y + 3], far = 0.0;
    FUNCTION(positions)(I->s.t, I->s.y, I->s.p, out);
    for (int i = 0; i < N_Y; ++i) far = fmax(far, fabs(out[i] - I->s.y[i]));
    FUNCTION(speeds)(I->s.t, I->s.y, I->s.p, out);
    for (int i = N_POSITIONS; i < N_Y; ++i) far = fmax(far, fabs(out[i] - I->s.y[i]));
    return far;
}
#endif

static int project(Instance *I)
{
#if HAS_PROJECTION
    if (!bring_back(I, FUNCTION(positions)) || !bring_back(I, FUNCTION(speeds))) {
        report(I, "The constraints cannot be met: the mechanism is at a dead centre, or parts do not fit together.");
        return 0;
    }
#else
    (void)I;
#endif
    return 1;
}

/* ------------------------------------------------------------ start and events */

static void reset(Instance *I)
{
    memset(&I->s, 0, sizeof I->s);
    memcpy(I->s.y, FUNCTION(y0), N_Y*sizeof(double));
    memcpy(I->s.p, FUNCTION(p), N_P*sizeof(double));
    I->s.tolerance = TOLERANCE;
    I->s.strongest = STRONGEST;
}

/* The state that the parameters give, where it was not set from outside. */
static void describe_start(Instance *I)
{
    double out[N_Y];
#if N_MEASURED > 0
    I->s.p[N_MEASURED - 1] = I->s.t; /* they are known as of now */
#endif
    FUNCTION(start)(I->s.t, I->s.y, I->s.p, out);
    for (int i = 0; i < N_Y; ++i) if (!I->s.is_given[i]) I->s.y[i] = out[i];
}

static int start(Instance *I)
{
    describe_start(I);
    follow(I);
    decide(I, AHEAD);
    if (!project(I)) return 0;
    follow(I);
    decide(I, AHEAD);
    I->s.phase = RUNNING;
    I->last_time = I->s.t;
    return begin_discrete(I);
}

/* After a step of an importer: is_off says whether the state should be brought back. 1: there is an event: that, or a
 * comparison whose change was not noticed. */
static int complete_step(Instance *I)
{
    follow(I);
#if HAS_PROJECTION
    I->s.is_off = off_constraints(I) > DRIFT;
#endif
    return I->s.is_off || !are_decided(I, I->s.t, I->s.y) || is_due(next_instant(I), I->s.t);
}

static int handle_event(Instance *I, int *has_moved)
{
    *has_moved = I->s.is_off;
    if (I->s.is_off && !project(I)) return 0;
    I->s.is_off = 0;
    follow(I);
    if (decide(I, AHEAD)) *has_moved = 1; /* rates change: some importers begin anew only if states have changed */
    return pass_instant(I, AHEAD, has_moved);
}

/* ------------------------------------------------------------ variables */

static void show_start(Instance *I)
{
    if (I->s.phase != RUNNING) {
        describe_start(I);
        follow(I);
        decide(I, AHEAD);
    }
}

static int get_values(Instance *I, const unsigned *references, size_t n, double *values)
{
    double channels[AT_LEAST_ONE(N_CHANNELS)] = {0}, yd[N_Y] = {0}, indicators[AT_LEAST_ONE(N_GUARDS)] = {0};
    int has_channels = 0, has_rates = 0, has_guards = 0;
    show_start(I);
    for (size_t i = 0; i < n; ++i) {
        int kind, k;
        if (references[i] >= N_VARIABLES) { report(I, "There is no variable with this value reference."); return 0; }
        kind = VARIABLES[references[i]][0];
        k = VARIABLES[references[i]][1];
        if (kind == OF_RATE && !has_rates++ && !derivatives(I, yd)) return 0;
        if (kind == OF_GUARD && !has_guards++) guards(I, indicators);
#if N_CHANNELS > 0
        if (kind == OF_CHANNEL && !has_channels++) FUNCTION(channels)(I->s.t, I->s.y, I->s.p, channels);
#else
        (void)has_channels;
#endif
        values[i] = kind == OF_TIME ? I->s.t : kind == OF_STATE ? I->s.y[k] : kind == OF_RATE ? yd[k]
            : kind == OF_PARAMETER ? I->s.p[FIRST_PARAMETER + k] : kind == OF_CHANNEL ? channels[k] : indicators[k];
    }
    return 1;
}

static int set_values(Instance *I, const unsigned *references, size_t n, const double *values)
{
    for (size_t i = 0; i < n; ++i) {
        int kind, k;
        if (references[i] >= N_VARIABLES || !VARIABLES[references[i]][2] || !isfinite(values[i])) {
            report(I, "This variable cannot be set, or not to this value.");
            return 0;
        }
        kind = VARIABLES[references[i]][0];
        k = VARIABLES[references[i]][1];
        if (kind == OF_PARAMETER) {
            I->s.has_new_inputs |= I->s.p[FIRST_PARAMETER + k] != values[i];
            I->s.p[FIRST_PARAMETER + k] = values[i];
        }
        else {
            I->s.y[k] = values[i];
            I->s.is_given[k] = 1;
        }
    }
    return 1;
}

/* Place of a known among the directions; -1: it is none. */
static int direction(unsigned reference)
{
    const int kind = VARIABLES[reference][0], k = VARIABLES[reference][1];
    return kind == OF_TIME ? 0 : kind == OF_STATE ? 1 + k : kind == OF_PARAMETER ? 1 + N_Y + k : -1;
}

static int directional(Instance *I, const unsigned *unknowns, size_t n_unknowns, const unsigned *knowns, size_t n_knowns,
                       const double *seed, double *result)
{
    double out[N_Y + N_CHANNELS], *d = I->s.p + FIRST_DIRECTION;
    show_start(I);
    memset(d, 0, (1 + N_Y + N_PARAMETERS)*sizeof *d);
    for (size_t i = 0; i < n_knowns; ++i) {
        const int k = knowns[i] < N_VARIABLES ? direction(knowns[i]) : -1;
        if (k < 0) { report(I, "There are no derivatives with respect to this variable."); return 0; }
        d[k] += seed[i];
    }
    FUNCTION(derivative)(I->s.t, I->s.y, I->s.p, out);
    for (size_t i = 0; i < n_unknowns; ++i) {
        const int kind = unknowns[i] < N_VARIABLES ? VARIABLES[unknowns[i]][0] : -1;
        const int k = kind < 0 ? 0 : VARIABLES[unknowns[i]][1];
        if (kind == OF_RATE) result[i] = out[k];
        else if (kind == OF_CHANNEL) result[i] = out[N_Y + k];
        else if (kind == OF_STATE) result[i] = d[1 + k];
        else if (kind == OF_PARAMETER) result[i] = d[1 + N_Y + k];
        else { report(I, "There are no derivatives of this variable."); return 0; }
    }
    memset(d, 0, (1 + N_Y + N_PARAMETERS)*sizeof *d);
    return 1;
}

/* ------------------------------------------------------------ co-simulation: Dormand and Prince 8(5,3) */

static double scale_of(Instance *I, double a, double b)
{
    return I->s.tolerance*(1e-3 + fmax(fabs(a), fabs(b)));
}

/* The state a step later, and its error beside the tolerance. 0: there are no finite rates. */
static int try_step(Instance *I, double h, double *end, double *error)
{
    double K[STAGES][N_Y], stage[N_Y], fifth = 0.0, third = 0.0;
    const double *y = I->s.y;
    for (int i = 0; i < STAGES; ++i) {
        for (int n = 0; n < N_Y; ++n) {
            double sum = 0.0;
            for (int j = 0; j < i; ++j) sum += A[i][j]*K[j][n];
            stage[n] = y[n] + h*sum;
        }
        if (!rates(I, I->s.t + C[i]*h, stage, K[i])) return 0;
    }
    for (int n = 0; n < N_Y; ++n) {
        double sum = 0.0, e5 = 0.0, e3 = 0.0, scale;
        for (int i = 0; i < STAGES; ++i) {
            sum += B[i]*K[i][n];
            e5 += E5[i]*K[i][n];
            e3 += E3[i]*K[i][n];
        }
        end[n] = y[n] + h*sum;
        scale = scale_of(I, y[n], end[n]);
        fifth += e5*e5/(scale*scale);
        third += e3*e3/(scale*scale);
    }
    *error = fifth == 0.0 ? 0.0 : fabs(h)*fifth/sqrt((fifth + 0.01*third)*N_Y);
    return all_finite(end, N_Y) && isfinite(*error);
}

static double first_step(Instance *I)
{
    double yd[N_Y], later[N_Y], moved[N_Y], d0 = 0.0, d1 = 0.0, d2 = 0.0, h0, h1;
    const double *y = I->s.y;
    if (!rates(I, I->s.t, y, yd)) return 1e-6;
    for (int n = 0; n < N_Y; ++n) {
        const double scale = scale_of(I, y[n], y[n]);
        d0 += y[n]*y[n]/(scale*scale);
        d1 += yd[n]*yd[n]/(scale*scale);
    }
    d0 = sqrt(d0/N_Y);
    d1 = sqrt(d1/N_Y);
    h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01*d0/d1;
    for (int n = 0; n < N_Y; ++n) moved[n] = y[n] + h0*yd[n];
    if (!rates(I, I->s.t + h0, moved, later)) return h0;
    for (int n = 0; n < N_Y; ++n) {
        const double scale = scale_of(I, y[n], y[n]);
        d2 += (later[n] - yd[n])*(later[n] - yd[n])/(scale*scale);
    }
    d2 = sqrt(d2/N_Y)/h0;
    h1 = fmax(d1, d2) <= 1e-15 ? fmax(1e-6, 1e-3*h0) : pow(0.01/fmax(d1, d2), 1.0/8.0);
    return fmin(100.0*h0, h1);
}

#if N_GUARDS > 0
/* Cubic through both ends of a step and their rates. */
static void between(const double *y, const double *yd, const double *end, const double *end_yd, double h, double share,
                    double *out)
{
    const double a = share, b = 1.0 - share;
    for (int n = 0; n < N_Y; ++n)
        out[n] = b*b*(1.0 + 2.0*a)*y[n] + a*a*(1.0 + 2.0*b)*end[n] + h*a*b*(b*yd[n] - a*end_yd[n]);
}
#endif

/* A part of the step at whose end a comparison has changed; 0: none changes. */
static double find_change(Instance *I, double h, const double *end)
{
#if N_GUARDS > 0
    double yd[N_Y], end_yd[N_Y], inside[N_Y];
    if (!rates(I, I->s.t, I->s.y, yd) || !rates(I, I->s.t + h, end, end_yd)) return 0.0;
    for (int k = 1; k < LOOKS; ++k) {
        const double share = (double)k/LOOKS;
        between(I->s.y, yd, end, end_yd, h, share, inside);
        if (!are_decided(I, I->s.t + share*h, inside)) return share*h;
    }
    return are_decided(I, I->s.t + h, end) ? 0.0 : h;
#else
    (void)I; (void)h; (void)end;
    return 0.0;
#endif
}

/* The shortest step, to the last digits of time, after which a comparison has changed, and its end. Steps are taken
 * again, because between the ends of one the cubic is less accurate. 0: none changes. */
static double land(Instance *I, double high, double *end)
{
    double low = 0.0, error, trial[N_Y];
    if (!try_step(I, high, end, &error)) return 0.0;
    if (are_decided(I, I->s.t + high, end)) return 0.0;
    for (int k = 0; k < 100; ++k) {
        const double middle = 0.5*(low + high);
        if (high - low <= 4e-16*fmax(fabs(I->s.t), high)) break;
        if (!try_step(I, middle, trial, &error)) break;
        if (are_decided(I, I->s.t + middle, trial)) low = middle;
        else {
            high = middle;
            memcpy(end, trial, sizeof trial);
        }
    }
    return high;
}

static int refuse(Instance *I, const char *why)
{
    char text[200];
    snprintf(text, sizeof text, "%s At t = %.9g s.", why, I->s.t);
    report(I, text);
    return 0;
}

/* To the next time event or t_end, or until an event ends the motion. */
static int integrate(Instance *I, double t_end)
{
    State *s = &I->s;
    double end[N_Y], error, h = s->step > 0.0 ? s->step : first_step(I);
    int in_a_row = 0, changed = 0;
    while (s->t < t_end) {
        const double least = 1e-14*fmax(fabs(s->t), fabs(t_end)), left = t_end - s->t;
        const int is_last = h >= left*(1.0 - 1e-12);
        double tried = is_last ? left : h, part;
        if (left <= least) break;
        if (!try_step(I, tried, end, &error)) {
            h = 0.25*tried;
            if (h < least) return refuse(I, "Rates are no finite numbers, or constraints have become dependent.");
            continue;
        }
        if (error > 1.0) {
            h = tried*fmax(0.2, 0.9*pow(error, -1.0/8.0));
            if (h < least) return refuse(I, "The step has become too short for the tolerance.");
            continue;
        }
        part = find_change(I, tried, end);
        if (part > 0.0) {
            double there[N_Y];
            part = land(I, part, there);
            if (part <= 0.0 && !are_decided(I, s->t + tried, end)) part = land(I, tried, there);
            if (part > 0.0) memcpy(end, there, sizeof end);
        }
        if (part > 0.0) in_a_row = part < 1e-9*tried ? in_a_row + 1 : 0;
        if (in_a_row > CHATTER) return refuse(I, "A law changes again and again at one instant.");
        memcpy(s->y, end, sizeof end);
        s->t = part > 0.0 ? s->t + part : is_last ? t_end : s->t + tried;
        if (!project(I)) return 0;
        follow(I);
        if (part > 0.0) {
            decide(I, 0.0);
            if (!happen(I, 0.0, &changed)) return 0;
            if (s->has_ended) { s->step = h; return 1; }
        }
        else if (!is_last || error > 0.1) h = tried*fmin(6.0, 0.9*pow(fmax(error, 1e-12), -1.0/8.0));
        else h = fmax(h, tried*fmin(6.0, 0.9*pow(fmax(error, 1e-12), -1.0/8.0)));
    }
    s->t = t_end;
    s->step = h;
    return 1;
}

static int advance(Instance *I, double t_end)
{
    State *s = &I->s;
    int changed = 0;
    take_back_ticks(I);
    if (decide(I, 0.0)) s->step = 0.0; /* inputs may have changed them */
    if (!pass_instant(I, 0.0, &changed)) return 0;
    while (s->t < t_end && !s->has_ended) {
        const double next = next_instant(I);
        if (!integrate(I, is_due(t_end, next) ? t_end : next)) return 0;
        if (!s->has_ended && !pass_instant(I, 0.0, &changed)) return 0;
    }
    I->last_time = s->t;
    return 1;
}
