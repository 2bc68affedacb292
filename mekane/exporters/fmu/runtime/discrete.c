/* What changes at instants: sampled controllers, and events that set variables and inputs or end the motion.
 * SPDX-License-Identifier: BSD-3-Clause. Copyright (c) 2026, The Mekane authors.
 */
#define SAME_INSTANT 1e-12  /* relative: importers compute instants in their own way */
#define AT_ONE_INSTANT 50   /* rounds of events, at most */

static int is_due(double time, double now)
{
    return time <= now + SAME_INSTANT*fmax(1.0, fabs(now));
}

/* ------------------------------------------------------------ clocks: tick n is at offset + n every, so nothing adds up */

#if N_CLOCKS > 0
static double tick_time(const State *s, int k)
{
    return CLOCKS[k][1] + (double)s->clocks.next[k]*CLOCKS[k][0];
}

/* When the value that has waited longest is written. */
static double write_time(const State *s, int k)
{
    if (s->clocks.written[k] == s->clocks.next[k]) return INFINITY;
    return CLOCKS[k][1] + (double)s->clocks.written[k]*CLOCKS[k][0] + CLOCKS[k][2];
}

static void write_due(State *s)
{
    for (int k = 0; k < N_CLOCKS; ++k)
        for (; is_due(write_time(s, k), s->t); ++s->clocks.written[k])
            for (int w = FIRST_WRITE[k]; w < FIRST_WRITE[k + 1]; ++w)
                s->p[FIRST_PARAMETER + WRITES[w]] = s->clocks.waiting[w][s->clocks.written[k] % SLOTS];
}
#endif

/* The next tick or change, or where a law of time changes; INFINITY: there is none. */
static double next_instant(const Instance *I)
{
    double found = INFINITY;
#if N_CLOCKS > 0
    for (int k = 0; k < N_CLOCKS; ++k) found = fmin(found, fmin(tick_time(&I->s, k), write_time(&I->s, k)));
#endif
#if N_STOPS > 0
    int low = 0, high = N_STOPS; /* the first that is not due */
    while (low < high) {
        const int middle = (low + high)/2;
        if (is_due(STOPS[middle], I->s.t)) low = middle + 1; else high = middle;
    }
    if (low < N_STOPS) found = fmin(found, STOPS[low]);
#endif
    (void)I;
    return found;
}

/* ------------------------------------------------------------ values at this instant */

#if N_EVENTS + N_CLOCKS > 0
static void say(Instance *I, const char *what, const char *name, const char *why)
{
    char text[200];
    snprintf(text, sizeof text, "%s '%.80s' at t = %.9g s: %s", what, name, I->s.t, why);
    report(I, text);
}

/* Comparisons are decided here and now, for this alone. */
static void values_now(Instance *I, double *out)
{
    double kept[AT_LEAST_ONE(N_P)];
    memcpy(kept, I->s.p, sizeof kept);
    decide(I, 0.0);
    FUNCTION(instants)(I->s.t, I->s.y, I->s.p, out);
    memcpy(I->s.p, kept, sizeof kept);
}
#endif

/* What clocks do now. All read what was before any of them writes. 1: it is done. */
static int tick(Instance *I, int *changed)
{
#if N_CLOCKS > 0
    State *s = &I->s;
    double out[N_EVENTS + N_SETS + N_WRITES];
    if (!is_due(next_instant(I), s->t)) return 1;
    s->before = s->clocks;
    memcpy(s->p_before, s->p, sizeof s->p_before);
    s->ticked = s->t;
    s->has_ticked = 1;
    values_now(I, out);
    write_due(s);
    for (int k = 0; k < N_CLOCKS; ++k) {
        if (!is_due(tick_time(s, k), s->t)) continue;
        for (int w = FIRST_WRITE[k]; w < FIRST_WRITE[k + 1]; ++w) {
            const double value = out[N_EVENTS + N_SETS + w];
            if (!isfinite(value)) { say(I, "Controller", CLOCK_NAMES[k], "a value is no number."); return 0; }
            s->clocks.waiting[w][s->clocks.next[k] % SLOTS] = value;
        }
        ++s->clocks.next[k];
    }
    write_due(s);
    *changed = 1;
#else
    (void)I; (void)changed;
#endif
    return 1;
}

/* Inputs were set after the ticks of this very instant: these are taken back, to read them. */
static void take_back_ticks(Instance *I)
{
#if N_CLOCKS > 0
    State *s = &I->s;
    if (s->has_ticked && s->ticked == s->t && s->has_new_inputs) {
        s->clocks = s->before;
        for (int w = 0; w < N_WRITES; ++w) s->p[FIRST_PARAMETER + WRITES[w]] = s->p_before[FIRST_PARAMETER + WRITES[w]];
    }
#endif
    I->s.has_new_inputs = 0;
}

/* ------------------------------------------------------------ events */

#if N_EVENTS > 0
/* Event k sets its values, from the state before it. 1: it does. */
static int apply(Instance *I, int k)
{
    double out[N_EVENTS + N_SETS + N_WRITES];
    values_now(I, out);
    for (int i = FIRST_SET[k]; i < FIRST_SET[k + 1]; ++i) {
        if (!isfinite(out[N_EVENTS + i])) { say(I, "Event", EVENT_NAMES[k], "a value is no number."); return 0; }
        I->s.p[FIRST_PARAMETER + SETS[i]] = out[N_EVENTS + i];
    }
    ++I->s.happened[k];
    I->s.has_ended |= EVENTS[k][1];
    return 1;
}
#endif

/* Events whose condition has become true, in the order of the model; one may bring about another. 1: they are done. */
static int happen(Instance *I, double ahead, int *changed)
{
#if N_EVENTS > 0
    State *s = &I->s;
    for (int round = 0, due = 1; due; ++round) {
        double out[N_EVENTS + N_SETS + N_WRITES];
        char is_new[N_EVENTS];
        due = 0;
        FUNCTION(instants)(s->t, s->y, s->p, out);
        for (int k = 0; k < N_EVENTS; ++k) {
            is_new[k] = out[k] != 0.0 && !s->holds[k] && !(EVENTS[k][0] && s->happened[k]);
            s->holds[k] = out[k] != 0.0;
            due |= is_new[k];
        }
        for (int k = 0; k < N_EVENTS; ++k) {
            if (!is_new[k]) continue;
            if (round > AT_ONE_INSTANT) { say(I, "Event", EVENT_NAMES[k], "it happens again and again."); return 0; }
            if (!apply(I, k)) return 0;
        }
        if (due) { *changed = 1; decide(I, ahead); }
    }
#else
    (void)I; (void)ahead; (void)changed;
#endif
    return 1;
}

/* Ticks that are due, then events. */
static int pass_instant(Instance *I, double ahead, int *changed)
{
    int ticked = 0;
    if (!tick(I, &ticked)) return 0;
    if (ticked) decide(I, ahead);
    *changed |= ticked;
    return happen(I, ahead, changed);
}

/* A condition that holds at the start has not become true. Ticks begin with the motion. */
static int begin_discrete(Instance *I)
{
    int changed = 0;
#if N_EVENTS > 0
    double out[N_EVENTS + N_SETS + N_WRITES];
    FUNCTION(instants)(I->s.t, I->s.y, I->s.p, out);
    for (int k = 0; k < N_EVENTS; ++k) I->s.holds[k] = out[k] != 0.0 && !EVENTS[k][2];
#endif
#if N_CLOCKS > 0
    for (int k = 0; k < N_CLOCKS; ++k) {
        const double periods = ceil((I->s.t - CLOCKS[k][1])/CLOCKS[k][0] - 1e-9);
        I->s.clocks.next[k] = I->s.clocks.written[k] = periods > 0.0 ? (long long)periods : 0;
    }
#endif
    I->s.has_new_inputs = 0;
    return pass_instant(I, AHEAD, &changed);
}
