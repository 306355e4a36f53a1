// SPDX-License-Identifier: MIT
// OdlTurn: the filtered volumes of a source, one after the other, whole, or as bodies
// that are seen from outside. One thread at a time, never the main one.
#pragma once

#include "image/render/render.h"
#include "work/runner.h"
#include "work/volumes.h"

// A turn of one volume takes as long, unless somebody says how long, s.
#define ODL_TURN_S 6.0

typedef struct {
  OdlSource *source; // kept by the caller, as all that follows
  OdlVolumes *volumes; // NULL: slices are filtered one by one
  OdlRunner *runner;
  const OdlRecipe *recipe;
  bool bodies; // results are seen from outside
  OdlProgress *progress; // of slices that are filtered one by one; NULL: nobody waits
  GCancellable *cancellable; // NULL: nobody gives up

  // Functions, each of which may be NULL, with this as their first argument.
  void *data;
  // Is given each volume as it came, before it is filtered.
  bool (*came) (void *data, OdlImage *volume, GError **error);
  // Is told what there is to be known of the engine.
  void (*note) (void *data, const char *text);
} OdlTurnParams;

typedef struct _OdlTurn OdlTurn;

// ODL_ERROR_UNSUPPORTED with that sentence for what is no volume.
OdlTurn *
odl_turn_new (const OdlTurnParams *params, const char *no_volume, GError **error);
void odl_turn_free (OdlTurn *turn); // accepts NULL

int64_t odl_turn_volumes (const OdlTurn *turn); // 1 or more

// Pictures a second: volumes over time as they were taken, where that can be seen, else
// 25.
double odl_turn_rate (const OdlTurn *turn);

// Filters that volume, unless it was the last one. ODL_ERROR_CORRUPT for one that cannot
// be read, which is not read again; then and after other errors there is none. Other
// errors: ODL_ERROR_CANCELLED, those of `came`, of odl_source_read_volume,
// odl_runner_process, odl_volumes_take and odl_body_new.
bool odl_turn_take (OdlTurn *turn, int64_t number, GError **error);

// Of that volume, until the next one; NULL: there is none.
OdlImage *odl_turn_came (const OdlTurn *turn); // as it came
OdlImage *odl_turn_result (const OdlTurn *turn); // of no bodies
OdlBody *odl_turn_body (const OdlTurn *turn);
const OdlPlan *odl_turn_plan (const OdlTurn *turn); // the last one that there was

// The body in `scene`, whose preset's points are found in the window; `lettered` as in
// odl_result_view, whose errors it has.
OdlImage *odl_turn_view (const OdlTurn *turn,
                         const OdlRenderScene *scene,
                         const OdlWindow *window,
                         bool lettered,
                         GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlTurn, odl_turn_free)
