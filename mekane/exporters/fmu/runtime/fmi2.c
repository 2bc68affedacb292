/* FMI 2.0, model exchange and co-simulation, by what core.c offers.
 * SPDX-License-Identifier: BSD-3-Clause. Copyright (c) 2026, The Mekane authors.
 */
#include "fmi2.h"

#define EXPORT(type, name) FMI2_Export type fmi2FullName(name)
#define STATUS(ok) ((ok) ? fmi2OK : fmi2Error)
#define SELF Instance *I = c

static void report_2(Instance *I, const char *message)
{
    const fmi2CallbackFunctions *functions = I->logger;
    if (functions && functions->logger)
        functions->logger(I->environment, I->name, fmi2Error, "logStatusError", "%s", message);
}

EXPORT(const char *, fmi2GetTypesPlatform)(void) { return "default"; }
EXPORT(const char *, fmi2GetVersion)(void) { return "2.0"; }

EXPORT(fmi2Status, fmi2SetDebugLogging)(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String categories[])
{
    (void)c; (void)on; (void)n; (void)categories;
    return fmi2OK;
}

EXPORT(fmi2Component, fmi2Instantiate)(fmi2String name, fmi2Type type, fmi2String token, fmi2String resources,
                                       const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean logging)
{
    Instance *I = calloc(1, sizeof *I);
    (void)resources; (void)visible; (void)logging;
    if (!I) return NULL;
    I->report = report_2;
    I->logger = malloc(sizeof *functions);
    I->name = malloc(strlen(name ? name : "") + 1);
    if (I->logger && functions) memcpy(I->logger, functions, sizeof *functions);
    if (I->name) strcpy(I->name, name ? name : "");
    I->environment = functions ? functions->componentEnvironment : NULL;
    I->is_co_simulation = type == fmi2CoSimulation;
    reset(I);
    if (!I->logger || !I->name || !functions || !token || strcmp(token, TOKEN) != 0) {
        if (functions && I->logger) report(I, "The GUID is not that of this binary.");
        free(I->logger); free(I->name); free(I);
        return NULL;
    }
    return I;
}

EXPORT(void, fmi2FreeInstance)(fmi2Component c)
{
    SELF;
    if (!I) return;
    free(I->logger); free(I->name); free(I);
}

EXPORT(fmi2Status, fmi2SetupExperiment)(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real begin,
                                        fmi2Boolean has_end, fmi2Real end)
{
    SELF;
    (void)has_end; (void)end;
    if (has_tolerance && tolerance > 0.0) I->s.tolerance = tolerance;
    I->s.t = begin;
    return fmi2OK;
}

EXPORT(fmi2Status, fmi2EnterInitializationMode)(fmi2Component c) { SELF; I->s.phase = INITIALIZING; return fmi2OK; }
EXPORT(fmi2Status, fmi2ExitInitializationMode)(fmi2Component c) { SELF; return STATUS(start(I)); }
EXPORT(fmi2Status, fmi2Terminate)(fmi2Component c) { (void)c; return fmi2OK; }
EXPORT(fmi2Status, fmi2Reset)(fmi2Component c) { SELF; reset(I); return fmi2OK; }

/* ------------------------------------------------------------ values */

EXPORT(fmi2Status, fmi2GetReal)(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real values[])
{ SELF; return STATUS(get_values(I, vr, n, values)); }
EXPORT(fmi2Status, fmi2SetReal)(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real values[])
{ SELF; return STATUS(set_values(I, vr, n, values)); }

/* All variables are real. */
#define NO_VALUES(name, type) \
    EXPORT(fmi2Status, name)(fmi2Component c, const fmi2ValueReference vr[], size_t n, type values[]) \
    { (void)c; (void)vr; (void)values; return STATUS(n == 0); }
NO_VALUES(fmi2GetInteger, fmi2Integer)
NO_VALUES(fmi2GetBoolean, fmi2Boolean)
NO_VALUES(fmi2GetString, fmi2String)
NO_VALUES(fmi2SetInteger, const fmi2Integer)
NO_VALUES(fmi2SetBoolean, const fmi2Boolean)
NO_VALUES(fmi2SetString, const fmi2String)

/* ------------------------------------------------------------ saved states */

EXPORT(fmi2Status, fmi2GetFMUstate)(fmi2Component c, fmi2FMUstate *kept)
{
    SELF;
    if (!*kept) *kept = malloc(sizeof(State));
    if (!*kept) return fmi2Error;
    memcpy(*kept, &I->s, sizeof(State));
    return fmi2OK;
}

EXPORT(fmi2Status, fmi2SetFMUstate)(fmi2Component c, fmi2FMUstate kept)
{
    SELF;
    if (!kept) return fmi2Error;
    memcpy(&I->s, kept, sizeof(State));
    I->last_time = I->s.t;
    return fmi2OK;
}

EXPORT(fmi2Status, fmi2FreeFMUstate)(fmi2Component c, fmi2FMUstate *kept)
{
    (void)c;
    if (kept) { free(*kept); *kept = NULL; }
    return fmi2OK;
}

EXPORT(fmi2Status, fmi2SerializedFMUstateSize)(fmi2Component c, fmi2FMUstate kept, size_t *size)
{
    (void)c; (void)kept;
    *size = sizeof TOKEN + sizeof(State);
    return fmi2OK;
}

EXPORT(fmi2Status, fmi2SerializeFMUstate)(fmi2Component c, fmi2FMUstate kept, fmi2Byte bytes[], size_t size)
{
    (void)c;
    if (!kept || size < sizeof TOKEN + sizeof(State)) return fmi2Error;
    memcpy(bytes, TOKEN, sizeof TOKEN);
    memcpy(bytes + sizeof TOKEN, kept, sizeof(State));
    return fmi2OK;
}

EXPORT(fmi2Status, fmi2DeSerializeFMUstate)(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *kept)
{
    SELF;
    if (size != sizeof TOKEN + sizeof(State) || memcmp(bytes, TOKEN, sizeof TOKEN) != 0) {
        report(I, "These bytes are no state of this FMU.");
        return fmi2Error;
    }
    if (!*kept) *kept = malloc(sizeof(State));
    if (!*kept) return fmi2Error;
    memcpy(*kept, bytes + sizeof TOKEN, sizeof(State));
    return fmi2OK;
}

EXPORT(fmi2Status, fmi2GetDirectionalDerivative)(fmi2Component c, const fmi2ValueReference unknowns[], size_t n_unknowns,
                                                 const fmi2ValueReference knowns[], size_t n_knowns,
                                                 const fmi2Real seed[], fmi2Real result[])
{ SELF; return STATUS(directional(I, unknowns, n_unknowns, knowns, n_knowns, seed, result)); }

/* ------------------------------------------------------------ model exchange */

EXPORT(fmi2Status, fmi2EnterEventMode)(fmi2Component c) { (void)c; return fmi2OK; }
EXPORT(fmi2Status, fmi2EnterContinuousTimeMode)(fmi2Component c) { (void)c; return fmi2OK; }

EXPORT(fmi2Status, fmi2NewDiscreteStates)(fmi2Component c, fmi2EventInfo *info)
{
    SELF;
    int has_moved, done = handle_event(I, &has_moved);
    memset(info, 0, sizeof *info);
    info->valuesOfContinuousStatesChanged = has_moved;
    info->terminateSimulation = I->s.has_ended;
    info->nextEventTimeDefined = isfinite(next_instant(I)) != 0;
    info->nextEventTime = info->nextEventTimeDefined ? next_instant(I) : 0.0;
    return STATUS(done);
}

EXPORT(fmi2Status, fmi2CompletedIntegratorStep)(fmi2Component c, fmi2Boolean no_set_before, fmi2Boolean *event,
                                                fmi2Boolean *terminate)
{
    SELF;
    (void)no_set_before;
    *event = complete_step(I);
    *terminate = fmi2False;
    return fmi2OK;
}

EXPORT(fmi2Status, fmi2SetTime)(fmi2Component c, fmi2Real t) { SELF; I->s.t = t; return fmi2OK; }

EXPORT(fmi2Status, fmi2SetContinuousStates)(fmi2Component c, const fmi2Real x[], size_t n)
{
    SELF;
    if (n != N_Y) return fmi2Error;
    memcpy(I->s.y, x, N_Y*sizeof *x);
    return fmi2OK;
}

EXPORT(fmi2Status, fmi2GetContinuousStates)(fmi2Component c, fmi2Real x[], size_t n)
{
    SELF;
    if (n != N_Y) return fmi2Error;
    show_start(I);
    memcpy(x, I->s.y, N_Y*sizeof *x);
    return fmi2OK;
}

EXPORT(fmi2Status, fmi2GetDerivatives)(fmi2Component c, fmi2Real yd[], size_t n)
{
    SELF;
    return STATUS(n == N_Y && derivatives(I, yd));
}

EXPORT(fmi2Status, fmi2GetEventIndicators)(fmi2Component c, fmi2Real values[], size_t n)
{
    SELF;
    if (n != N_GUARDS) return fmi2Error;
    guards(I, values);
    return fmi2OK;
}

EXPORT(fmi2Status, fmi2GetNominalsOfContinuousStates)(fmi2Component c, fmi2Real values[], size_t n)
{
    (void)c;
    for (size_t i = 0; i < n; ++i) values[i] = 1.0;
    return fmi2OK;
}

/* ------------------------------------------------------------ co-simulation */

EXPORT(fmi2Status, fmi2SetRealInputDerivatives)(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                                const fmi2Integer order[], const fmi2Real values[])
{
    (void)c; (void)vr; (void)order; (void)values;
    return STATUS(n == 0);
}

EXPORT(fmi2Status, fmi2GetRealOutputDerivatives)(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                                 const fmi2Integer order[], fmi2Real values[])
{
    (void)c; (void)vr; (void)order; (void)values;
    return STATUS(n == 0);
}

EXPORT(fmi2Status, fmi2DoStep)(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_set_before)
{
    SELF;
    (void)no_set_before;
    if (!(h >= 0.0) || !advance(I, t + h)) return fmi2Error;
    return I->s.has_ended ? fmi2Discard : fmi2OK;
}

EXPORT(fmi2Status, fmi2CancelStep)(fmi2Component c) { (void)c; return fmi2Error; }

EXPORT(fmi2Status, fmi2GetStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value)
{ (void)c; (void)kind; *value = fmi2OK; return fmi2Discard; }

EXPORT(fmi2Status, fmi2GetRealStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)
{
    SELF;
    if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = I->last_time;
    return fmi2OK;
}

EXPORT(fmi2Status, fmi2GetIntegerStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value)
{ (void)c; (void)kind; *value = 0; return fmi2Discard; }

EXPORT(fmi2Status, fmi2GetBooleanStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value)
{ SELF; *value = I->s.has_ended; return kind == fmi2Terminated ? fmi2OK : fmi2Discard; }

EXPORT(fmi2Status, fmi2GetStringStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2String *value)
{ (void)c; (void)kind; *value = ""; return fmi2Discard; }
