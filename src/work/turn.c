// SPDX-License-Identifier: MIT
#include "work/turn.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/text.h"
#include "image/volume/volume.h"
#include "source/volume.h"
#include "work/result.h"

#define RATE 25.0
#define LEAST_RATE 5.0 // that volumes over time are shown at
#define MOST_RATE 60.0

struct _OdlTurn {
  OdlTurnParams params;
  int64_t number; // of the volume that was taken last; −1: none
  OdlImage *came; // that one; NULL: it cannot be read
  OdlImage *result; // NULL: a body is wanted
  OdlBody *body;
  OdlPlan *plan; // that made it
  GHashTable *lost; // GError, by number, of volumes that cannot be read
};

OdlTurn *
odl_turn_new (const OdlTurnParams *params, const char *no_volume, GError **error)
{
  if (params->source->info.n_slices < 2)
    return odl_error_null (error, ODL_ERROR_UNSUPPORTED, "%s", no_volume);
  OdlTurn *self = g_new0 (OdlTurn, 1);
  self->params = *params;
  self->number = -1;
  self->lost = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                      (GDestroyNotify) g_error_free);
  return self;
}

static void
forget (OdlTurn *self)
{
  g_clear_pointer (&self->came, odl_image_unref);
  g_clear_pointer (&self->result, odl_image_unref);
  g_clear_pointer (&self->body, odl_body_unref);
}

void
odl_turn_free (OdlTurn *self)
{
  if (self == NULL)
    return;
  forget (self);
  g_clear_pointer (&self->plan, odl_plan_unref);
  g_hash_table_unref (self->lost);
  g_free (self);
}

int64_t
odl_turn_volumes (const OdlTurn *self)
{
  const OdlSourceInfo *info = &self->params.source->info;

  return MAX (info->n_frames / info->n_slices, 1);
}

double
odl_turn_rate (const OdlTurn *self)
{
  double seconds;

  return odl_turn_volumes (self) > 1
                 && odl_numbers_from_text (
                     odl_source_detail (self->params.source, "volume-interval-s"), 1,
                     &seconds)
                 && seconds >= 1 / MOST_RATE && seconds <= 1 / LEAST_RATE
             ? 1 / seconds
             : RATE;
}

// ---- filtering -----------------------------------------------------------------------

static OdlImage *
filter_slice (OdlTurn *self, int z, GError **error)
{
  const OdlTurnParams *params = &self->params;
  const int n = odl_image_info (self->came)->extent.z;
  g_autofree char *note = NULL;
  OdlPlan *plan = NULL;
  OdlImage *result;

  if (params->volumes != NULL) {
    result
        = odl_volumes_take (params->volumes, self->number * n + z, &plan, &note, error);
  } else {
    g_autoptr (OdlImage) slice = odl_volume_slice (self->came, z);
    result
        = odl_runner_process (params->runner, params->recipe, slice, &plan, &note, error);
  }
  if (note != NULL && params->note != NULL)
    params->note (params->data, note);
  if (plan != NULL) {
    g_clear_pointer (&self->plan, odl_plan_unref);
    self->plan = plan;
  }
  return result;
}

static OdlImage *
filter_volume (OdlTurn *self, GError **error)
{
  const OdlProgress whole = { .from = 0, .span = 1 };
  const int n = odl_image_info (self->came)->extent.z;
  OdlProgress *progress = self->params.progress;
  g_autoptr (OdlImage) all = NULL;
  void *samples = NULL;

  if (self->params.volumes != NULL) {
    g_autoptr (OdlImage) first = filter_slice (self, 0, error);
    return first != NULL
               ? odl_image_ref (odl_volumes_whole (self->params.volumes)->volume)
               : NULL;
  }
  for (int z = 0; z < n; z++) {
    if (progress != NULL && !odl_progress_part (progress, &whole, z, n))
      return odl_error_null (error, ODL_ERROR_CANCELLED, _ ("cancelled"));
    g_autoptr (OdlImage) result = filter_slice (self, z, error);
    if (result == NULL || !odl_volume_add (&all, &samples, n, z, result, error))
      return NULL;
  }
  return g_steal_pointer (&all);
}

static bool
read_volume (OdlTurn *self, int64_t number, GError **error)
{
  const GError *known = g_hash_table_lookup (self->lost, &number);
  GError *cause = known != NULL ? g_error_copy (known) : NULL;

  if (cause == NULL)
    self->came = odl_source_read_volume (self->params.source, (int) number,
                                         ODL_VOLUME_FILTERED_WHOLE,
                                         self->params.cancellable, &cause);
  if (cause == NULL)
    return true;
  if (known == NULL && g_error_matches (cause, ODL_ERROR, ODL_ERROR_CORRUPT))
    g_hash_table_insert (self->lost, g_memdup2 (&number, sizeof number),
                         g_error_copy (cause));
  g_propagate_error (error, cause);
  return false;
}

static bool
take (OdlTurn *self, GError **error)
{
  const OdlTurnParams *params = &self->params;

  if (!read_volume (self, self->number, error)
      || (params->came != NULL && !params->came (params->data, self->came, error)))
    return false;
  g_autoptr (OdlImage) result = filter_volume (self, error);
  if (!params->bodies)
    self->result = g_steal_pointer (&result);
  else if (result != NULL)
    self->body = odl_body_new (result, error);
  return self->result != NULL || self->body != NULL;
}

bool
odl_turn_take (OdlTurn *self, int64_t number, GError **error)
{
  if (self->number == number && (self->result != NULL || self->body != NULL))
    return true;
  forget (self);
  self->number = number;
  if (take (self, error))
    return true;
  forget (self);
  return false;
}

// ---- what there is -------------------------------------------------------------------

OdlImage *
odl_turn_came (const OdlTurn *self)
{
  return self->came;
}

OdlImage *
odl_turn_result (const OdlTurn *self)
{
  return self->result;
}

OdlBody *
odl_turn_body (const OdlTurn *self)
{
  return self->body;
}

const OdlPlan *
odl_turn_plan (const OdlTurn *self)
{
  return self->plan;
}

OdlImage *
odl_turn_view (const OdlTurn *self,
               const OdlRenderScene *scene,
               const OdlWindow *window,
               bool lettered,
               GError **error)
{
  const OdlImageInfo *info = odl_image_info (self->came);
  OdlRenderScene with = *scene;

  with.body = self->body;
  odl_render_find_points (info, window, with.preset, with.points);
  return odl_result_view (&with, self->params.source, lettered, info->mark, error);
}
