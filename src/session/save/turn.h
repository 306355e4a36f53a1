// SPDX-License-Identifier: MIT
// OdlTurn: pictures of the rendered view of a volume that turns once about the upright
// axis, or of volumes over time, one after the other, as they are seen from one place.
// One thread at a time, never the main one.
#pragma once

#include <gio/gio.h>

#include "image/render/render.h"
#include "session/save/saver.h"
#include "work/runner.h"

typedef struct _OdlTurn OdlTurn;

typedef struct {
  const char *location; // read by a source of its own
  OdlRunner *runner;
  const OdlRenderScene *scene; // how it is seen, on its whole place; no body is needed
  const OdlWindow *window;
  const OdlRecipe *recipe;
  const OdlRecipe *worded; // the same, for texts
  int64_t first, count; // frames, of whose volumes over time it is; count 0: to the end
} OdlTurnParams;

// Keeps all but the location. ODL_ERROR_UNSUPPORTED for what is no volume; errors of
// odl_source_open.
OdlTurn *
odl_turn_new (const OdlTurnParams *params, GCancellable *cancellable, GError **error);
void odl_turn_free (OdlTurn *turn); // accepts NULL

int64_t odl_turn_count (const OdlTurn *turn); // of pictures
double odl_turn_rate (const OdlTurn *turn); // of pictures per second

// Filters the volume of that picture, unless it was the last one. Of volumes over time
// one that cannot be read is no error: a cross stands for it. Errors:
// odl_volumes_take, odl_body_new.
bool
odl_turn_filter (OdlTurn *turn, int64_t picture, OdlProgress *progress, GError **error);

// Draws it, and hands it to the saver, whose errors it has. *damaged: it is a cross.
bool odl_turn_write (OdlTurn *turn,
                     OdlSaver *saver,
                     int64_t picture,
                     bool *damaged,
                     GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlTurn, odl_turn_free)
