// SPDX-License-Identifier: MIT
// What “auto” takes: a ranking of engines by the time that a frame needs to the canvas,
// measured once on this machine (choice_measure.h) and kept (choice_cache.h).
// Values here; any thread.
#pragma once

#include "engine/engine.h"

G_BEGIN_DECLS

#define ODL_ENGINE_AUTO "auto"
#define ODL_ENGINE_VARIABLE "ODL_ENGINE"

// Who decided which engine is wanted; the first that said something counts.
typedef enum {
  ODL_WISH_OPTION, // --engine, or the window's chooser
  ODL_WISH_ENVIRONMENT, // ODL_ENGINE
  ODL_WISH_SETTING, // what the window remembers
  ODL_WISH_AUTO, // nobody
} OdlRequestOrigin;

typedef struct {
  OdlRequestOrigin origin;
  OdlEngineChoice choice; // klass NULL: auto
} OdlEngineRequest;

// Reads "auto" or an engine with or without a variant: `option`, else the environment,
// else `setting`; NULL and "" say nothing. A setting that names no engine says nothing
// either: it may come from another version. ODL_ERROR_USAGE for the others, naming the
// variable where it is the culprit.
bool odl_engine_request (const char *option,
                         const char *setting,
                         OdlEngineRequest *request,
                         GError **error);

// Where the result has to go, which is part of an engine's time.
typedef enum {
  ODL_TARGET_GL_CANVAS, // a texture: what the CPU made is uploaded
  ODL_TARGET_MEMORY, // an image: what the GPU made is read back
} OdlChoiceTarget;

typedef enum {
  ODL_CANDIDATE_UNMEASURED,
  ODL_CANDIDATE_MEASURED,
  ODL_CANDIDATE_FAILED,
  // The canvas has a GL that nobody reaches apart from it. Not kept.
  ODL_CANDIDATE_OUT_OF_REACH,
} OdlCandidateState;

typedef struct {
  OdlEngineChoice choice;
  OdlCandidateState state;
  double ms; // MEASURED: the least time of a frame
  char *reason; // else: why, translated; may be NULL
} OdlCandidate;

// Candidates are all engines and variants that may win, in the order in which they are
// measured. Engines that only prove something (reference) or draw another picture (a
// mirrored border) are none.
typedef struct {
  char *key; // machine, kind of picture and work; see odl_choice_key
  int64_t measured_at; // seconds since 1970; 0: not yet
  bool software; // OpenGL was drawn by the CPU
  int n;
  OdlCandidate *candidates;
} OdlRanking;

// The table of candidates as text, NULL-terminated.
extern const char *const odl_choice_candidates[];

OdlRanking *odl_ranking_new (const char *key);
OdlRanking *odl_ranking_copy (const OdlRanking *ranking);
void odl_ranking_free (OdlRanking *ranking);

// NULL for what is no candidate.
OdlCandidate *odl_ranking_find (const OdlRanking *ranking, OdlEngineChoice choice);

void odl_ranking_set_measured (OdlRanking *ranking, int index, double ms);
void odl_ranking_set_failed (OdlRanking *ranking, int index, const char *reason);
void odl_ranking_set_out_of_reach (OdlRanking *ranking, int index, const char *reason);

// True when no candidate is left to measure.
bool odl_ranking_is_complete (const OdlRanking *ranking);

// Asked for one engine; false excludes it.
typedef bool (*OdlChoiceUsable) (OdlEngineChoice choice, void *data);

// The best that is usable: the fastest measured; then, as on a machine that was never
// measured, gl-fragment, cpu, what is not measured, and at last reference. Where OpenGL
// is drawn in software, engines that need it come after the CPU's whatever was measured:
// both run on the same cores, of which the rest of the program needs some. Where a usable
// one is out of reach, what was measured of the others does not count: a GPU that could
// not be asked is no slow one. `ranking` may be NULL. klass NULL when nothing is usable.
OdlEngineChoice
odl_choice_pick (const OdlRanking *ranking, OdlChoiceUsable usable, void *data);

// What a measurement holds for: CPU and threads, renderer and driver (`gpu`; "" for
// none), version of the program, target, sides rounded to half powers of two, channels,
// bits, precision, and the kinds of steps. Levels, thresholds and kernels change how
// long a frame takes, hardly which engine is best. Transfer full.
char *odl_choice_key (const OdlPlan *plan, OdlChoiceTarget target, const char *gpu);

// False for a plan that only loads the picture: there is nothing to choose by; and for
// one of a volume, which not all engines can run.
bool odl_choice_is_worth_measuring (const OdlPlan *plan);

bool odl_engine_choice_equal (OdlEngineChoice a, OdlEngineChoice b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlRanking, odl_ranking_free)

G_END_DECLS
