// SPDX-License-Identifier: MIT
// From the steps of a plan to draw calls of the engine gl-lookup. All slots lie in a few
// stores, textures of four components as large as the largest picture, at the origin: a
// level's pass along x goes from one store to the next and its pass along y back, so that
// finished detail stays where it is and the bands end up in the Mallat layout.
#pragma once

#include "engine/gl/steps.h"

// All bands of a stationary transform have to last until synthesis.
#define ODL_GL_LOOKUP_STORES (3 * ODL_MAX_LEVELS + 8)

typedef struct {
  int reads[3]; // stores; −1 where the step reads nothing
  int writes;
} OdlGlLookupPlace;

// Where each step of the plan (`places`: n_steps of them) reads and writes; returns the
// number of stores. Store 0 holds the source and nothing else. LAYOUT writes nothing:
// the layout is there already; nor does what measures, whose store is −1.
int odl_gl_lookup_places (const OdlPlan *plan, OdlGlLookupPlace *places);

// Address textures.
typedef struct _OdlGlLookupTables OdlGlLookupTables;

OdlGlLookupTables *odl_gl_lookup_tables_new (size_t *created);
void odl_gl_lookup_tables_free (OdlGlLookupTables *tables); // GL current

typedef struct {
  const OdlGlCaps *caps;
  const OdlPlan *plan;
  OdlGlPrograms *programs;
  OdlGlLookupTables *tables; // filled here
  const OdlGlLookupPlace *places;
  const OdlGlTextureStore *stores;
  OdlGlStepDraws *steps; // plan->n_steps of them, filled here
} OdlGlLookupParams;

// As odl_gl_steps_compile. ODL_ERROR_TOO_LARGE where a row of addresses is wider than
// textures can be.
GArray *odl_gl_lookup_compile (const OdlGlLookupParams *params, GError **error);
