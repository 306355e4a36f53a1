// SPDX-License-Identifier: MIT
#include "session/save/turn.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "base/text.h"
#include "image/damaged.h"
#include "image/display/marks.h"
#include "image/grips.h"
#include "image/volume/volume.h"
#include "plan/title.h"
#include "source/volume.h"
#include "work/volumes.h"

#define TURN_S 6
#define RATE 25.0
#define LEAST_RATE 5.0 // that volumes over time are shown at
#define MOST_RATE 60.0
#define NS_PER_S 1e9

struct _OdlTurn {
  OdlTurnParams params; // without the location
  GCancellable *cancellable;
  OdlSource *source;
  OdlVolumes *volumes; // NULL: slices are filtered one by one
  int64_t first, n_volumes;
  double rate;
  int64_t number; // of the volume that was filtered last; −1: none
  OdlImage *volume; // that one, as it came; NULL: it cannot be read
  OdlBody *body; // of the result
  OdlPlan *plan; // that made it
};

static void
choose_volumes (OdlTurn *self)
{
  const OdlSourceInfo *info = &self->source->info;
  const int64_t n = info->n_slices, count = self->params.count;
  const int64_t all = MAX (info->n_frames / n, 1);
  double seconds;

  self->first = self->params.first / n;
  self->n_volumes = count > 0 ? (self->params.first + count - 1) / n + 1 - self->first
                              : all - self->first;
  self->rate = RATE;
  if (all > 1
      && odl_numbers_from_text (odl_source_detail (self->source, "volume-interval-s"), 1,
                                &seconds)
      && seconds >= 1 / MOST_RATE && seconds <= 1 / LEAST_RATE)
    self->rate = 1 / seconds;
}

static bool
open_volumes (OdlTurn *self, GError **error)
{
  const OdlVolumesParams params = { .recipe = self->params.recipe,
                                    .runner = self->params.runner,
                                    .whole = true,
                                    .cancellable = self->cancellable };

  if (!odl_recipe_sees_volumes (params.recipe, &self->source->info))
    return true;
  g_autoptr (OdlSource) own
      = odl_source_open (self->params.location, self->cancellable, error);
  if (own != NULL)
    self->volumes = odl_volumes_new (&params, own);
  return own != NULL;
}

OdlTurn *
odl_turn_new (const OdlTurnParams *params, GCancellable *cancellable, GError **error)
{
  g_autoptr (OdlTurn) self = g_new0 (OdlTurn, 1);

  self->params = *params;
  self->cancellable = cancellable;
  self->number = -1;
  self->source = odl_source_open (params->location, cancellable, error);
  if (self->source == NULL)
    return NULL;
  if (self->source->info.n_slices < 2)
    return odl_error_null (error, ODL_ERROR_UNSUPPORTED,
                           _ ("What is shown is no volume, and has no rendered view."));
  choose_volumes (self);
  return open_volumes (self, error) ? g_steal_pointer (&self) : NULL;
}

static void
forget (OdlTurn *self)
{
  g_clear_pointer (&self->volume, odl_image_unref);
  g_clear_pointer (&self->body, odl_body_unref);
}

void
odl_turn_free (OdlTurn *self)
{
  if (self == NULL)
    return;
  forget (self);
  g_clear_pointer (&self->plan, odl_plan_unref);
  odl_volumes_free (self->volumes);
  odl_source_unref (self->source);
  g_free (self);
}

int64_t
odl_turn_count (const OdlTurn *self)
{
  return self->n_volumes > 1 ? self->n_volumes : (int64_t) (TURN_S * self->rate);
}

double
odl_turn_rate (const OdlTurn *self)
{
  return self->rate;
}

// ---- filtering -----------------------------------------------------------------------

static OdlImage *
filter_slice (OdlTurn *self, int z, GError **error)
{
  const int n = odl_image_info (self->volume)->extent.z;
  g_autofree char *note = NULL;

  g_clear_pointer (&self->plan, odl_plan_unref);
  if (self->volumes != NULL)
    return odl_volumes_take (self->volumes, self->number * n + z, &self->plan, NULL,
                             error);
  g_autoptr (OdlImage) slice = odl_volume_slice (self->volume, z);
  return odl_runner_process (self->params.runner, self->params.recipe, slice, &self->plan,
                             &note, error);
}

static OdlImage *
filter_slices (OdlTurn *self, OdlProgress *progress, GError **error)
{
  const int n = odl_image_info (self->volume)->extent.z;
  const OdlProgress whole = { .from = 0, .span = 1 };
  g_autoptr (OdlImage) all = NULL;
  void *samples = NULL;

  for (int z = 0; z < n; z++) {
    // Those that are filtered together tell by themselves.
    const bool goes_on = self->volumes != NULL
                             ? !odl_progress_stopped (progress)
                             : odl_progress_part (progress, &whole, z, n);
    if (!goes_on)
      return odl_error_null (error, ODL_ERROR_CANCELLED, _ ("cancelled"));
    g_autoptr (OdlImage) result = filter_slice (self, z, error);
    if (result == NULL || !odl_volume_add (&all, &samples, n, z, result, error))
      return NULL;
  }
  return g_steal_pointer (&all);
}

static bool
take_volume (OdlTurn *self, int64_t number, OdlProgress *progress, GError **error)
{
  forget (self);
  self->number = number;
  self->volume = odl_source_read_volume (
      self->source, (int) number, ODL_VOLUME_FILTERED_WHOLE, self->cancellable, error);
  if (self->volume == NULL)
    return false;
  g_autoptr (OdlImage) filtered = filter_slices (self, progress, error);
  self->body = filtered != NULL ? odl_body_new (filtered, error) : NULL;
  return self->body != NULL;
}

bool
odl_turn_filter (OdlTurn *self, int64_t picture, OdlProgress *progress, GError **error)
{
  const int64_t wanted = self->first + (self->n_volumes > 1 ? picture : 0);
  // Filters over time see all before.
  const bool leads_in = self->number < 0 && odl_recipe_is_temporal (self->params.recipe);

  for (int64_t i = leads_in ? 0 : wanted; i <= wanted && self->number != wanted; i++) {
    GError *cause = NULL;
    if (take_volume (self, i, progress, &cause))
      continue;
    forget (self);
    odl_runner_begin (self->params.runner);
    if (self->n_volumes == 1 || !g_error_matches (cause, ODL_ERROR, ODL_ERROR_CORRUPT)) {
      g_propagate_error (error, cause);
      return false;
    }
    g_error_free (cause);
  }
  return true;
}

// ---- pictures ------------------------------------------------------------------------

static OdlImage *
draw (const OdlTurn *self, int64_t picture, GError **error)
{
  OdlRenderScene scene = *self->params.scene;

  scene.body = self->body;
  scene.original = NULL;
  scene.most_rays = 0;
  scene.place.x = scene.place.y = 0;
  if (self->n_volumes == 1)
    scene.look.yaw += 360.0 * (double) picture / (double) odl_turn_count (self);
  if (self->body == NULL)
    return odl_render_picture (&scene, NULL, error);
  const OdlImageInfo *info = odl_image_info (self->volume);
  odl_render_find_points (info, self->params.window, scene.preset, scene.points);
  return odl_render_picture (&scene, info->mark, error);
}

static GStrv
marks_of (const OdlTurn *self)
{
  const OdlRenderScene *scene = self->params.scene;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *rendered
      = g_strdup_printf (_ ("RENDERED (%s)"), _ (scene->preset->title));

  if (self->volume != NULL)
    odl_display_add_marks (odl_image_info (self->volume), self->params.window, builder);
  g_strv_builder_add (builder, rendered);
  if (scene->cut != ODL_RENDER_WHOLE)
    g_strv_builder_add (builder, _ ("CUT AT THE CROSS-HAIR"));
  if (odl_box_cuts (&scene->box))
    g_strv_builder_add (builder, _ ("CUT TO A BOX"));
  return g_strv_builder_end (builder);
}

bool
odl_turn_write (OdlTurn *self,
                OdlSaver *saver,
                int64_t picture,
                bool *damaged,
                GError **error)
{
  g_autoptr (OdlImage) drawn = draw (self, picture, error);
  g_autoptr (OdlImage) cross
      = drawn != NULL && self->body == NULL ? odl_damaged_cross (drawn) : NULL;
  g_auto (GStrv) marks = marks_of (self);
  g_autofree char *title
      = self->plan != NULL
            ? odl_plan_title_for (self->params.worded, &self->plan->geometry, NULL)
            : NULL;
  const int64_t from = (int64_t) ((double) picture * NS_PER_S / self->rate);
  const int64_t to = (int64_t) ((double) (picture + 1) * NS_PER_S / self->rate);

  *damaged = cross != NULL;
  if (drawn == NULL)
    return false;
  return odl_saver_write (saver,
                          &(OdlSavedPicture){ .shown = cross != NULL ? cross : drawn,
                                              .mark = odl_image_info (drawn)->mark,
                                              .title = title,
                                              .marks = (const char *const *) marks,
                                              .index = picture,
                                              .time_ns = from,
                                              .duration_ns = to - from },
                          error);
}
