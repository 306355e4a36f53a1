// SPDX-License-Identifier: MIT
// OdlFrame: one frame for the canvas, with its processing. Immutable once published,
// reference-counted, any thread.
#pragma once

#include "engine/engine.h"
#include "image/volume/planes.h"
#include "image/render/body.h"

// What the filters over time know of the frames before one.
typedef enum {
  ODL_PAST_KNOWN, // as many as they need, or they need none
  ODL_PAST_COMING, // too few; they are being run
  ODL_PAST_MISSING, // too few
} OdlPast;

typedef struct {
  gatomicrefcount ref_count;
  OdlImage *input; // as the source delivered it; of a volume, and of beams that are
                   // converted, the renderer makes it
  OdlImage
      *came; // the beams that `input` was made of; NULL: the source delivered `input`
  char *sections; // that `volume` was filtered in, as a text; NULL: as a whole
  OdlImage *volume; // whose slice or planes are shown; NULL: `input` is the picture
  OdlVoxel voxel; // of `volume`: where the cross-hair stands
  bool awaits_volume; // filters of the recipe see a volume, which is not filtered yet
  bool planes; // of `volume`: three planes, not the slice
  OdlSlab slab; // of these: how thick they are
  OdlOblique oblique; // of these: one that is turned
  OdlBox box; // what a rendered view is cut to
  bool renders; // of `volume`: bodies are wanted, beside the planes
  OdlBody *body; // of the filtered volume; NULL: not wanted, or there was no memory
  OdlBody *original_body; // of the volume as it came; NULL: `body` is of that
  // Where three planes are shown, the slice of the cross-hair: as the filters make it,
  // and as the other recipe does (NULL: none is compared).
  OdlImage *slice, *other_slice;
  OdlImage *original; // `input`; NULL unless requested
  OdlImage *result; // of odl_engine_show; NULL: the canvas runs the GL engine on `input`
  OdlPlan *plan;
  OdlPlan *other; // of a recipe to compare with, which the renderer runs on the CPU, so
                  // that `original` is its result; NULL: none, or that failed
  OdlRecipe other_recipe; // of `other`
  char letter, other_letter; // of this recipe and of the other one
  bool gridded; // `other` is the picture as it came, with the grid of a registration
  bool difference; // `result` is what `other` made less what `plan` made
  float *numbers; // observed of `plan`; NULL: none, or the canvas observes them
  OdlRecipe recipe; // what the plan was made from: the badge must not run ahead of it
  const OdlEngineClass *engine;
  const char *variant; // of the engine; NULL: the fastest
  bool apart; // the renderer runs the engine, with GL or without
  const char *renderer; // of GL, where not the canvas ran the engine; interned, or NULL
  guint64 source_serial; // which opened source it comes from
  int64_t index; // frame number in the source
  guint64 arrival; // which image of the source, counted as they came; from 1
  guint64 dropped; // images before it that the player had no time for
  int64_t arrived_us; // monotonic time at which the source's image came; 0: it was there
  int64_t due_us; // and at which the clock wanted it on screen
  int64_t ready_us; // monotonic time from which it could be painted; 0: not yet
  bool asked; // for by a seek: it is wanted at once
  bool fast; // played as fast as possible, not in its own time
  OdlMoment moment; // for steps over time
  OdlPast past;
  int behind; // frames that a camera has sent since, which filters look at
  guint64
      lead_in; // number of the lead-in that it is run for, and not to be shown; 0: none
  int64_t time_ns; // spent in the engine; 0 where the canvas runs it
} OdlFrame;

// Takes references on `input` and `plan`.
OdlFrame *odl_frame_new (OdlImage *input, OdlPlan *plan, OdlEngineChoice engine);
OdlFrame *odl_frame_ref (OdlFrame *frame);

// What the plan is for: the picture as the source delivered it, or a slice of the volume.
static inline OdlImage *
odl_frame_came (const OdlFrame *frame)
{
  return frame->came != NULL ? frame->came : frame->input;
}

void odl_frame_unref (OdlFrame *frame);

// The canvas runs the engine, in its own context. Volumes, and frames that take long, are
// the renderer's.
static inline bool
odl_frame_is_for_canvas (const OdlFrame *frame)
{
  return frame->engine->needs_gl && !frame->volume && !frame->apart;
}

// Two recipes are compared.
static inline bool
odl_frame_compares (const OdlFrame *frame)
{
  return frame->other != NULL && !frame->gridded;
}

// What the other one made of it, of three planes as these are shown; NULL: there is none,
// or their difference is shown. Borrowed.
static inline OdlImage *
odl_frame_other_result (const OdlFrame *frame)
{
  return odl_frame_compares (frame) && !frame->difference ? frame->original : NULL;
}

// What stands before the result: the picture as it came, or what the other recipe makes
// of it where two are compared beside each other.
static inline OdlImage *
odl_frame_before (const OdlFrame *frame)
{
  return odl_frame_compares (frame) && !frame->difference && frame->original != NULL
             ? frame->original
             : frame->input;
}

// Adds texts if temporal filters lack earlier frames and so differ from what the badge
// states, if it lags behind its camera, and if the picture moves as fast as possible.
void odl_frame_add_marks (const OdlFrame *frame, GStrvBuilder *marks);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlFrame, odl_frame_unref)
