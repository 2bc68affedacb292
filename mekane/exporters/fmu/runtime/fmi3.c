/* FMI 3.0, model exchange and co-simulation, by what core.c offers.
 * SPDX-License-Identifier: BSD-3-Clause. Copyright (c) 2026, The Mekane authors.
 */
#include "fmi3.h"

#define EXPORT(type, name) FMI3_Export type fmi3FullName(name)
#define STATUS(ok) ((ok) ? fmi3OK : fmi3Error)
#define SELF Instance *I = c

/* The callback, in memory of its own: ISO C converts no function pointers to void *. */
static void report_3(Instance *I, const char *message)
{
    fmi3LogMessageCallback log;
    memcpy(&log, I->logger, sizeof log);
    if (log) log(I->environment, fmi3Error, "logStatusError", message);
}

EXPORT(const char *, fmi3GetVersion)(void) { return "3.0"; }

EXPORT(fmi3Status, fmi3SetDebugLogging)(fmi3Instance c, fmi3Boolean on, size_t n, const fmi3String categories[])
{
    (void)c; (void)on; (void)n; (void)categories;
    return fmi3OK;
}

static Instance *instantiate(fmi3String token, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log)
{
    Instance *I = calloc(1, sizeof *I);
    if (!I) return NULL;
    I->logger = malloc(sizeof log);
    if (!I->logger) { free(I); return NULL; }
    memcpy(I->logger, &log, sizeof log);
    I->report = report_3;
    I->environment = environment;
    reset(I);
    if (!token || strcmp(token, TOKEN) != 0) {
        report(I, "The instantiation token is not that of this binary.");
        free(I->logger); free(I);
        return NULL;
    }
    return I;
}

EXPORT(fmi3Instance, fmi3InstantiateModelExchange)(fmi3String name, fmi3String token, fmi3String resources,
    fmi3Boolean visible, fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log)
{
    (void)name; (void)resources; (void)visible; (void)logging;
    return instantiate(token, environment, log);
}

EXPORT(fmi3Instance, fmi3InstantiateCoSimulation)(fmi3String name, fmi3String token, fmi3String resources,
    fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean event_mode, fmi3Boolean early_return,
    const fmi3ValueReference intermediate[], size_t n, fmi3InstanceEnvironment environment,
    fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update)
{
    Instance *I;
    (void)name; (void)resources; (void)visible; (void)logging; (void)event_mode; (void)early_return;
    (void)intermediate; (void)n; (void)update;
    I = instantiate(token, environment, log);
    if (I) I->is_co_simulation = 1;
    return I;
}

EXPORT(fmi3Instance, fmi3InstantiateScheduledExecution)(fmi3String name, fmi3String token, fmi3String resources,
    fmi3Boolean visible, fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock)
{
    (void)name; (void)token; (void)resources; (void)visible; (void)logging; (void)environment; (void)log;
    (void)update; (void)lock; (void)unlock;
    return NULL;
}

EXPORT(void, fmi3FreeInstance)(fmi3Instance c)
{
    SELF;
    if (!I) return;
    free(I->logger); free(I);
}

EXPORT(fmi3Status, fmi3EnterInitializationMode)(fmi3Instance c, fmi3Boolean has_tolerance, fmi3Float64 tolerance,
                                                fmi3Float64 begin, fmi3Boolean has_end, fmi3Float64 end)
{
    SELF;
    (void)has_end; (void)end;
    if (has_tolerance && tolerance > 0.0) I->s.tolerance = tolerance;
    I->s.t = begin;
    I->s.phase = INITIALIZING;
    return fmi3OK;
}

EXPORT(fmi3Status, fmi3ExitInitializationMode)(fmi3Instance c) { SELF; return STATUS(start(I)); }
EXPORT(fmi3Status, fmi3EnterEventMode)(fmi3Instance c) { (void)c; return fmi3OK; }
EXPORT(fmi3Status, fmi3Terminate)(fmi3Instance c) { (void)c; return fmi3OK; }
EXPORT(fmi3Status, fmi3Reset)(fmi3Instance c) { SELF; reset(I); return fmi3OK; }

/* ------------------------------------------------------------ values */

EXPORT(fmi3Status, fmi3GetFloat64)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Float64 values[], size_t m)
{ SELF; return STATUS(m == n && get_values(I, vr, n, values)); }
EXPORT(fmi3Status, fmi3SetFloat64)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Float64 values[], size_t m)
{ SELF; return STATUS(m == n && set_values(I, vr, n, values)); }

/* All variables are numbers of 64 bits. */
#define NO_VALUES(name, type) \
    EXPORT(fmi3Status, name)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, type values[], size_t m) \
    { (void)c; (void)vr; (void)values; (void)m; return STATUS(n == 0); }
#define NEITHER(kind) NO_VALUES(fmi3Get##kind, fmi3##kind) NO_VALUES(fmi3Set##kind, const fmi3##kind)
NEITHER(Float32)
NEITHER(Int8)
NEITHER(UInt8)
NEITHER(Int16)
NEITHER(UInt16)
NEITHER(Int32)
NEITHER(UInt32)
NEITHER(Int64)
NEITHER(UInt64)
NEITHER(Boolean)
NEITHER(String)

EXPORT(fmi3Status, fmi3GetBinary)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, size_t sizes[],
                                  fmi3Binary values[], size_t m)
{ (void)c; (void)vr; (void)sizes; (void)values; (void)m; return STATUS(n == 0); }
EXPORT(fmi3Status, fmi3SetBinary)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const size_t sizes[],
                                  const fmi3Binary values[], size_t m)
{ (void)c; (void)vr; (void)sizes; (void)values; (void)m; return STATUS(n == 0); }
EXPORT(fmi3Status, fmi3GetClock)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Clock values[])
{ (void)c; (void)vr; (void)values; return STATUS(n == 0); }
EXPORT(fmi3Status, fmi3SetClock)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Clock values[])
{ (void)c; (void)vr; (void)values; return STATUS(n == 0); }

EXPORT(fmi3Status, fmi3GetNumberOfVariableDependencies)(fmi3Instance c, fmi3ValueReference vr, size_t *n)
{ (void)c; (void)vr; *n = 0; return fmi3Error; }
EXPORT(fmi3Status, fmi3GetVariableDependencies)(fmi3Instance c, fmi3ValueReference vr, size_t of[],
    fmi3ValueReference independents[], size_t elements[], fmi3DependencyKind kinds[], size_t n)
{ (void)c; (void)vr; (void)of; (void)independents; (void)elements; (void)kinds; (void)n; return fmi3Error; }

/* ------------------------------------------------------------ saved states */

EXPORT(fmi3Status, fmi3GetFMUState)(fmi3Instance c, fmi3FMUState *kept)
{
    SELF;
    if (!*kept) *kept = malloc(sizeof(State));
    if (!*kept) return fmi3Error;
    memcpy(*kept, &I->s, sizeof(State));
    return fmi3OK;
}

EXPORT(fmi3Status, fmi3SetFMUState)(fmi3Instance c, fmi3FMUState kept)
{
    SELF;
    if (!kept) return fmi3Error;
    memcpy(&I->s, kept, sizeof(State));
    I->last_time = I->s.t;
    return fmi3OK;
}

EXPORT(fmi3Status, fmi3FreeFMUState)(fmi3Instance c, fmi3FMUState *kept)
{
    (void)c;
    if (kept) { free(*kept); *kept = NULL; }
    return fmi3OK;
}

EXPORT(fmi3Status, fmi3SerializedFMUStateSize)(fmi3Instance c, fmi3FMUState kept, size_t *size)
{
    (void)c; (void)kept;
    *size = sizeof TOKEN + sizeof(State);
    return fmi3OK;
}

EXPORT(fmi3Status, fmi3SerializeFMUState)(fmi3Instance c, fmi3FMUState kept, fmi3Byte bytes[], size_t size)
{
    (void)c;
    if (!kept || size < sizeof TOKEN + sizeof(State)) return fmi3Error;
    memcpy(bytes, TOKEN, sizeof TOKEN);
    memcpy(bytes + sizeof TOKEN, kept, sizeof(State));
    return fmi3OK;
}

EXPORT(fmi3Status, fmi3DeserializeFMUState)(fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState *kept)
{
    SELF;
    if (size != sizeof TOKEN + sizeof(State) || memcmp(bytes, TOKEN, sizeof TOKEN) != 0) {
        report(I, "These bytes are no state of this FMU.");
        return fmi3Error;
    }
    if (!*kept) *kept = malloc(sizeof(State));
    if (!*kept) return fmi3Error;
    memcpy(*kept, bytes + sizeof TOKEN, sizeof(State));
    return fmi3OK;
}

/* ------------------------------------------------------------ derivatives */

EXPORT(fmi3Status, fmi3GetDirectionalDerivative)(fmi3Instance c, const fmi3ValueReference unknowns[], size_t n_unknowns,
    const fmi3ValueReference knowns[], size_t n_knowns, const fmi3Float64 seed[], size_t n_seed,
    fmi3Float64 result[], size_t n_result)
{
    SELF;
    if (n_seed != n_knowns || n_result != n_unknowns) return fmi3Error;
    return STATUS(directional(I, unknowns, n_unknowns, knowns, n_knowns, seed, result));
}

EXPORT(fmi3Status, fmi3GetAdjointDerivative)(fmi3Instance c, const fmi3ValueReference unknowns[], size_t n_unknowns,
    const fmi3ValueReference knowns[], size_t n_knowns, const fmi3Float64 seed[], size_t n_seed,
    fmi3Float64 result[], size_t n_result)
{
    (void)c; (void)unknowns; (void)n_unknowns; (void)knowns; (void)n_knowns; (void)seed; (void)n_seed;
    (void)result; (void)n_result;
    return fmi3Error; /* not offered */
}

/* ------------------------------------------------------------ what this FMU does not have: configuration, clocks */

EXPORT(fmi3Status, fmi3EnterConfigurationMode)(fmi3Instance c) { (void)c; return fmi3Error; }
EXPORT(fmi3Status, fmi3ExitConfigurationMode)(fmi3Instance c) { (void)c; return fmi3Error; }

#define CLOCKED(name, ...) \
    EXPORT(fmi3Status, name)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, __VA_ARGS__)
CLOCKED(fmi3GetIntervalDecimal, fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[])
{ (void)c; (void)vr; (void)intervals; (void)qualifiers; return STATUS(n == 0); }
CLOCKED(fmi3GetIntervalFraction, fmi3UInt64 counters[], fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[])
{ (void)c; (void)vr; (void)counters; (void)resolutions; (void)qualifiers; return STATUS(n == 0); }
CLOCKED(fmi3GetShiftDecimal, fmi3Float64 shifts[])
{ (void)c; (void)vr; (void)shifts; return STATUS(n == 0); }
CLOCKED(fmi3GetShiftFraction, fmi3UInt64 counters[], fmi3UInt64 resolutions[])
{ (void)c; (void)vr; (void)counters; (void)resolutions; return STATUS(n == 0); }
CLOCKED(fmi3SetIntervalDecimal, const fmi3Float64 intervals[])
{ (void)c; (void)vr; (void)intervals; return STATUS(n == 0); }
CLOCKED(fmi3SetIntervalFraction, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{ (void)c; (void)vr; (void)counters; (void)resolutions; return STATUS(n == 0); }
CLOCKED(fmi3SetShiftDecimal, const fmi3Float64 shifts[])
{ (void)c; (void)vr; (void)shifts; return STATUS(n == 0); }
CLOCKED(fmi3SetShiftFraction, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{ (void)c; (void)vr; (void)counters; (void)resolutions; return STATUS(n == 0); }

EXPORT(fmi3Status, fmi3ActivateModelPartition)(fmi3Instance c, fmi3ValueReference clock, fmi3Float64 t)
{ (void)c; (void)clock; (void)t; return fmi3Error; }

/* ------------------------------------------------------------ events */

EXPORT(fmi3Status, fmi3EvaluateDiscreteStates)(fmi3Instance c) { (void)c; return fmi3OK; }

EXPORT(fmi3Status, fmi3UpdateDiscreteStates)(fmi3Instance c, fmi3Boolean *again, fmi3Boolean *terminate,
    fmi3Boolean *nominals_changed, fmi3Boolean *values_changed, fmi3Boolean *has_next, fmi3Float64 *next)
{
    SELF;
    int has_moved, done = handle_event(I, &has_moved);
    *again = *nominals_changed = fmi3False;
    *terminate = I->s.has_ended != 0;
    *values_changed = has_moved != 0;
    *has_next = isfinite(next_instant(I)) != 0;
    *next = *has_next ? next_instant(I) : 0.0;
    return STATUS(done);
}

/* ------------------------------------------------------------ model exchange */

EXPORT(fmi3Status, fmi3EnterContinuousTimeMode)(fmi3Instance c) { (void)c; return fmi3OK; }

EXPORT(fmi3Status, fmi3CompletedIntegratorStep)(fmi3Instance c, fmi3Boolean no_set_before, fmi3Boolean *event,
                                                fmi3Boolean *terminate)
{
    SELF;
    (void)no_set_before;
    *event = complete_step(I) != 0;
    *terminate = fmi3False;
    return fmi3OK;
}

EXPORT(fmi3Status, fmi3SetTime)(fmi3Instance c, fmi3Float64 t) { SELF; I->s.t = t; return fmi3OK; }

EXPORT(fmi3Status, fmi3SetContinuousStates)(fmi3Instance c, const fmi3Float64 x[], size_t n)
{
    SELF;
    if (n != N_Y) return fmi3Error;
    memcpy(I->s.y, x, N_Y*sizeof *x);
    return fmi3OK;
}

EXPORT(fmi3Status, fmi3GetContinuousStates)(fmi3Instance c, fmi3Float64 x[], size_t n)
{
    SELF;
    if (n != N_Y) return fmi3Error;
    show_start(I);
    memcpy(x, I->s.y, N_Y*sizeof *x);
    return fmi3OK;
}

EXPORT(fmi3Status, fmi3GetContinuousStateDerivatives)(fmi3Instance c, fmi3Float64 yd[], size_t n)
{ SELF; return STATUS(n == N_Y && derivatives(I, yd)); }

EXPORT(fmi3Status, fmi3GetEventIndicators)(fmi3Instance c, fmi3Float64 values[], size_t n)
{
    SELF;
    if (n != N_GUARDS) return fmi3Error;
    guards(I, values);
    return fmi3OK;
}

EXPORT(fmi3Status, fmi3GetNominalsOfContinuousStates)(fmi3Instance c, fmi3Float64 values[], size_t n)
{
    (void)c;
    for (size_t i = 0; i < n; ++i) values[i] = 1.0;
    return fmi3OK;
}

EXPORT(fmi3Status, fmi3GetNumberOfEventIndicators)(fmi3Instance c, size_t *n) { (void)c; *n = N_GUARDS; return fmi3OK; }
EXPORT(fmi3Status, fmi3GetNumberOfContinuousStates)(fmi3Instance c, size_t *n) { (void)c; *n = N_Y; return fmi3OK; }

/* ------------------------------------------------------------ co-simulation */

EXPORT(fmi3Status, fmi3EnterStepMode)(fmi3Instance c) { (void)c; return fmi3OK; }

EXPORT(fmi3Status, fmi3GetOutputDerivatives)(fmi3Instance c, const fmi3ValueReference vr[], size_t n,
                                             const fmi3Int32 orders[], fmi3Float64 values[], size_t m)
{ (void)c; (void)vr; (void)orders; (void)values; (void)m; return STATUS(n == 0); }

EXPORT(fmi3Status, fmi3DoStep)(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_set_before,
    fmi3Boolean *event, fmi3Boolean *terminate, fmi3Boolean *early, fmi3Float64 *last)
{
    SELF;
    const int done = h >= 0.0 && advance(I, t + h);
    (void)no_set_before;
    *event = *early = fmi3False;
    *terminate = I->s.has_ended != 0;
    *last = I->last_time;
    return STATUS(done);
}
