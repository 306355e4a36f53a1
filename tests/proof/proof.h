// SPDX-License-Identifier: MIT
// Shared by the proof: an engine variant, pictures, differences.
#pragma once

#include "engine/engine.h"

typedef struct {
  char *name; // "gl-fragment:packed, OpenGL ES"
  OdlEngine *engine;
  OdlEngine *reference;
  // Cases are distributed over the configurations (variant × API) of an engine.
  // Configurations on the processor run all cases (one share). On a GPU the default
  // configuration in the first API does so, too; each other one runs a different
  // seventh. Those of one API share a context and an engine, which changes its variant.
  // If compiling programs is slow, all configurations together run every
  // wavelet once and some sizes; the engine's own tests cover all sizes. ODL_PROOF_ALL
  // runs everything.
  int turn; // of the configuration
  int shares;
  bool slow;
  bool software; // an emulated GPU
  bool again; // the ways in OpenGL ES together have all cases once more
  int cases; // distributed so far
  int compared, refused; // pictures; a case without any proves nothing
} Proof;

typedef struct {
  const char *name; // path below /proof/ENGINE/
  void (*check) (Proof *proof);
  int n_items; // that it shares out among the ways; 0: at least one for each of them
} ProofCase;

// Runs all cases with all variants of the engine ODL_TEST_ENGINE in all APIs. Call it
// at the end of main. Exits with 77 if this machine cannot open the engine.
int odl_proof_run (const ProofCase *cases, size_t n_cases);

// Whether a case belongs to the share of this configuration.
static inline bool
odl_proof_takes (const Proof *proof, int item)
{
  return item % proof->shares == proof->turn % proof->shares;
}

// Cases of filters.c.
void odl_proof_every_step (Proof *proof);
void odl_proof_every_filter (Proof *proof);
void odl_proof_every_filter_of_volumes (Proof *proof);

// Whether the engine may have no code for some step of the plan.
bool odl_proof_may_lack (const OdlEngineClass *klass, const OdlPlan *plan);

// Case of operands.c.
void odl_proof_second_pictures (Proof *proof);

// Amplification of errors relative to CDF 9/7; cached.
double odl_proof_unrest (const OdlWavelet *wavelet, const char *border);

OdlImage *
odl_proof_noise (int width, int height, int channels, OdlSampleType type, guint32 seed);
// Operands are noise, whatever file is named.
OdlPlan *odl_proof_plan (const char *text, const OdlImage *image);

// What the reference makes of the picture: computed once for all ways of an engine, so
// that `what` must name the recipe, the samples and, within a take, the frame.
OdlImage *
odl_proof_wanted (Proof *proof, const OdlPlan *plan, OdlImage *image, const char *what);

// `tile` extended beyond its edges by `border`; grey, same type.
OdlImage *
odl_proof_repeat (const OdlImage *tile, int width, int height, OdlBorder border);

// Largest scaled difference of two pictures; infinite for different shapes or
// non-finite samples.
double odl_proof_distance (OdlImage *a, OdlImage *b);
