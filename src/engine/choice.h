// SPDX-License-Identifier: MIT
// What “auto” takes: a ranking of engines by the time that a frame needs to the canvas,
// measured once on this machine (choice_measure.h) and kept (choice_cache.h).
// Values here; any thread.
#pragma once

#include "engine/engine.h"

#define ODL_ENGINE_AUTO "auto"
#define ODL_ENGINE_VARIABLE "ODL_ENGINE"

// Who asked for an engine: the first of these that names one.
typedef enum {
  ODL_REQUEST_OPTION, // --engine, or the window's chooser
  ODL_REQUEST_ENVIRONMENT, // ODL_ENGINE
  ODL_REQUEST_SETTING, // what the window remembers
  ODL_REQUEST_AUTO, // nobody
} OdlRequestOrigin;

typedef struct {
  OdlRequestOrigin origin;
  OdlEngineChoice choice; // klass NULL: auto
} OdlEngineRequest;

// Parses "auto" or an engine with or without a variant from `option`, else the
// environment, else `setting`; NULL and "" are skipped. A setting that names no engine is
// skipped as well: it may come from another version. ODL_ERROR_USAGE for the others,
// which names the variable if that is wrong.
bool odl_engine_request (const char *option,
                         const char *setting,
                         OdlEngineRequest *request,
                         GError **error);

// Where the result has to go: the way there counts.
typedef enum {
  ODL_TARGET_GL_CANVAS, // a texture: what the CPU made is uploaded
  ODL_TARGET_MEMORY, // an image: what the GPU made is read back
} OdlChoiceTarget;

typedef enum {
  ODL_CANDIDATE_UNMEASURED,
  ODL_CANDIDATE_MEASURED,
  ODL_CANDIDATE_FAILED,
  // The GL of the canvas cannot be reached from another context. Not kept.
  ODL_CANDIDATE_OUT_OF_REACH,
} OdlCandidateState;

typedef struct {
  OdlEngineChoice choice;
  OdlCandidateState state;
  double ms; // MEASURED: the least time of a frame
  char *reason; // else: why, translated; may be NULL
} OdlCandidate;

// Candidates are all engines and variants that may win, in the order of measurement. An
// engine for proofs (reference) or an inexact variant (mirrored border) is no candidate.
typedef struct {
  char *key; // machine, kind of picture and work; see odl_choice_key
  int64_t measured_at; // seconds since 1970; 0: not yet
  bool software; // OpenGL is drawn by the CPU
  int n;
  OdlCandidate *candidates;
} OdlRanking;

// The table of candidates as text, NULL-terminated.
extern const char *const odl_choice_candidates[];

OdlRanking *odl_ranking_new (const char *key);
OdlRanking *odl_ranking_copy (const OdlRanking *ranking);
void odl_ranking_free (OdlRanking *ranking);

// NULL where `choice` is no candidate.
OdlCandidate *odl_ranking_find (const OdlRanking *ranking, OdlEngineChoice choice);

void odl_ranking_set_measured (OdlRanking *ranking, int index, double ms);
void odl_ranking_set_failed (OdlRanking *ranking, int index, const char *reason);
void odl_ranking_set_out_of_reach (OdlRanking *ranking, int index, const char *reason);

// True when no candidate is left to measure.
bool odl_ranking_is_complete (const OdlRanking *ranking);

// False excludes an engine.
typedef bool (*OdlChoiceUsable) (OdlEngineChoice choice, void *data);

// The best usable engine: the fastest measured one; then, as on a machine without
// measurements, gl-fragment, cpu, other unmeasured ones, and reference last. Where OpenGL
// is drawn in software, engines that need it rank below the CPU's, measured or not: both
// use the same cores, and the rest of the program needs some. An unmeasured engine never
// wins over a measured one. Where a usable engine
// is out of reach, measurements of the others do not count: a GPU that could not be
// measured is not a slow one. `ranking` may be NULL. klass NULL when nothing is usable.
OdlEngineChoice
odl_choice_pick (const OdlRanking *ranking, OdlChoiceUsable usable, void *data);

// What a measurement holds for: CPU and threads, renderer and driver (`gpu`; "" for
// none), version of the program, target, sides rounded to half powers of two, channels,
// bits, precision, and the kinds of steps. Levels, thresholds and kernels change how
// long a frame takes, hardly which engine is best. Transfer full.
char *odl_choice_key (const OdlPlan *plan, OdlChoiceTarget target, const char *gpu);

// False for a plan that only loads the picture, and for one of a volume, which not all
// engines can run.
bool odl_choice_is_worth_measuring (const OdlPlan *plan);

bool odl_engine_choice_equal (OdlEngineChoice a, OdlEngineChoice b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlRanking, odl_ranking_free)
