// SPDX-License-Identifier: MIT
// The engine gl-compute, seen from its own files: compute.c (the engine and what others
// see of its frames), structure.c (what a plan needs and how its frames run).
#pragma once

#include "engine/gl/compute/compute.h"
#include "engine/gl/compute/flow.h"
#include "engine/gl/compute/observe.h"
#include "engine/gl/compute/show.h"
#include "engine/gl/compute/source.h"
#include "engine/gl/compute/steps.h"
#include "engine/gl/compute/tune.h"
#include "engine/gl/past.h"
#include "engine/gl/platform/timer.h"

#define ODL_GL_SHOWN 2 // the source and the result

// A second picture: uploaded once, it stays until another one takes its place.
typedef struct {
  OdlGlSource *source;
  OdlImage *image; // that lies there; NULL: none
} OdlGlOperand;

void odl_gl_operand_free (void *operand);
int odl_gl_count_operands (const OdlPlan *plan);

// What depends on the structure of the plan.
typedef struct {
  OdlPlan *plan;
  GArray *fusions; // OdlGlFusion
  OdlGlStores *stores;
  GArray *past; // see past.h
  OdlGlFouriers *fouriers;
  OdlGlBm3dStreams *streams; // of BM3D of several frames
  GPtrArray *kernels; // float *, see odl_gl_write_kernels
  bool accumulates; // see OdlGlDispatchParams
  GArray *dispatches; // OdlGlDispatch; LOAD is the first
  GArray *turns; // OdlGlTurn, see flow.h; NULL: one after the other
  bool is_binned; // the last frame's numbers have histograms
  int first_level; // the dispatch that reads stored samples itself; −1: none
  bool is_loaded; // the source slot holds the picture of the last frame
  int last_level; // the dispatch that can write the shown result itself; −1: none
  bool is_stored; // the result's slot holds the picture of the last frame
  OdlGlShown shown[ODL_GL_SHOWN];
  OdlGlTimer *timer; // made when times are first wanted
  OdlGlObserver *observer; // made when numbers are first observed
} OdlGlStructure;

typedef struct {
  OdlEngine base;
  OdlGlCaps caps;
  OdlGlPrograms *programs;
  OdlGlSource *source;
  GPtrArray *operands; // OdlGlOperand; the first is input 1
  OdlGlUpload *operand_upload; // of all of them
  OdlImagePool *no_pool; // NULL: frames alone lie in one
  OdlGlTuner *tuner;
  OdlGlStructure structure; // plan NULL: none in place
  OdlGlStructure coming; // whose programs are being compiled; plan NULL: none
  // The same plan with a dispatch per level, and the frame that it holds: for slots that
  // otherwise exist in shared memory only.
  OdlGlStructure stepwise;
  size_t stepwise_frame;
  OdlImage *input; // of the last frame, until the next; NULL when that one failed
  size_t frame; // number of the last one, from 1
  const char *chosen; // variant; NULL: what is fastest
  bool is_stale; // the structure in place was made for another variant
} OdlGlComputeEngine;

// Which levels the variant fuses.
OdlGlFusionRule odl_gl_compute_rule (const OdlGlComputeEngine *self);

// Stores and dispatches of `structure`->plan, with levels fused by `rule`.
// ODL_ERROR_GPU, ODL_ERROR_TOO_LARGE. GL current, as for all of these.
bool odl_gl_structure_compile (OdlGlComputeEngine *self,
                               OdlGlStructure *structure,
                               OdlGlFusionRule rule,
                               GError **error);

// The same, and the textures of what is shown.
bool odl_gl_structure_prepare (OdlGlComputeEngine *self,
                               OdlGlStructure *structure,
                               GError **error);
void odl_gl_structure_clear (OdlGlStructure *structure);

OdlGlDispatchParams odl_gl_structure_params (OdlGlComputeEngine *self,
                                             const OdlGlStructure *structure);

// Which dispatch comes at `place`, from 0; `in_order`: that of the plan's steps.
OdlGlTurn
odl_gl_structure_turn (const OdlGlStructure *structure, guint place, bool in_order);

// Runs the dispatches from `first` on with the parameters of the structure's plan.
bool odl_gl_structure_run (OdlGlComputeEngine *self,
                           OdlGlStructure *structure,
                           guint first,
                           OdlImage *input,
                           GError **error);

// Runs the LOAD pass that was left out, when the source itself is needed.
void odl_gl_structure_ensure_loaded (OdlGlStructure *structure);

// Runs the last level once more where it wrote the shown texture only.
void odl_gl_structure_ensure_stored (OdlGlStructure *structure);

// Which way the variant convolves.
OdlGlConvolving odl_gl_compute_convolving (const OdlGlComputeEngine *self);

void odl_gl_unbind_buffers (void);
