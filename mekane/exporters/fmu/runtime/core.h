/* One instance of the model, and what FMI 2.0 and 3.0 ask of it.
 * SPDX-License-Identifier: BSD-3-Clause. Copyright (c) 2026, The Mekane authors.
 */
#ifndef CORE_H
#define CORE_H

#include <stddef.h>

#define AT_LEAST_ONE(n) ((n) > 0 ? (n) : 1)

enum { OF_TIME, OF_STATE, OF_RATE, OF_PARAMETER, OF_CHANNEL, OF_GUARD }; /* kinds of variables */
enum { INSTANTIATED, INITIALIZING, RUNNING };

/* Of sampled controllers. */
typedef struct {
    long long next[AT_LEAST_ONE(N_CLOCKS)], written[AT_LEAST_ONE(N_CLOCKS)]; /* number of the next tick, of the next to be written */
    double waiting[AT_LEAST_ONE(N_WRITES)][SLOTS];
} Clocks;

/* All that changes. It holds no pointers: a copy of it is the saved state. */
typedef struct {
    double t;
    double y[AT_LEAST_ONE(N_Y)];
    double p[AT_LEAST_ONE(N_P)];
    double tolerance;             /* relative, of co-simulation */
    double step;                  /* the next step of co-simulation; 0: not known */
    double strongest;             /* the largest of the smallest pivots so far */
    int phase;                    /* INSTANTIATED ... */
    int is_off;                   /* 1: the state is to be brought onto the constraints at the next event */
    char is_given[AT_LEAST_ONE(N_Y)]; /* states whose start was set from outside */
    Clocks clocks, before;        /* before: the last ticks, as p_before */
    double p_before[AT_LEAST_ONE(N_P)], ticked; /* when they were */
    int has_ticked, has_new_inputs; /* new inputs: since they were */
    int holds[AT_LEAST_ONE(N_EVENTS)], happened[AT_LEAST_ONE(N_EVENTS)]; /* conditions; how often */
    int has_ended;                /* 1: an event ended the motion */
} State;

typedef struct Instance {
    State s;
    void (*report)(struct Instance *, const char *message);
    void *environment;            /* of the importer, for messages */
    void *logger;
    char *name;
    int is_co_simulation;
    double last_time;             /* of the last step of co-simulation that succeeded */
} Instance;

static void reset(Instance *);
static int start(Instance *);                     /* 1: the motion starts; 0: it cannot, and why was reported */
static int get_values(Instance *, const unsigned *references, size_t n, double *values);
static int set_values(Instance *, const unsigned *references, size_t n, const double *values);
static int derivatives(Instance *, double *yd);
static void guards(Instance *, double *values);
static int complete_step(Instance *);             /* after a step of an importer; 1: there is an event */
static int handle_event(Instance *, int *has_moved);
static int advance(Instance *, double t_end);     /* co-simulation */
static double next_instant(const Instance *);     /* of a time event; INFINITY: there is none */
static int is_due(double time, double now);
static int begin_discrete(Instance *);
static int pass_instant(Instance *, double ahead, int *changed); /* time events that are due, then events of the state */
static int happen(Instance *, double ahead, int *changed);
static void take_back_ticks(Instance *);
static int directional(Instance *, const unsigned *unknowns, size_t n_unknowns, const unsigned *knowns, size_t n_knowns,
                       const double *seed, double *result);
#endif
