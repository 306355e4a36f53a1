// SPDX-License-Identifier: MIT
#include "session/save/measures.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "engine/volume.h"
#include "image/annotation/calibration.h"
#include "image/annotation/table.h"
#include "image/volume/volume.h"
#include "output/output.h"
#include "plan/scan.h"
#include "session/annotation_store.h"
#include "source/source_file.h"
#include "source/volume.h"
#include "work/runner.h"
#include "work/said.h"

typedef struct {
  const OdlMeasuresParams *params;
  OdlSource *source;
  OdlRecipe recipe;
  OdlRunner *runner; // NULL: there are no filters to follow
  bool follows; // there are
  GString *table;
} Task;

bool
odl_measures_follow (const OdlRecipe *recipe)
{
  return !odl_recipe_is_temporal (recipe) && !odl_recipe_is_volumetric (recipe);
}

static OdlSource *
open_source (const OdlMeasuresParams *params, GError **error)
{
  g_autoptr (OdlSource) source = odl_source_open (params->location, NULL, error);
  g_autofree char *identity
      = source ? odl_annotation_identity (source, ODL_HOLDER_SOURCE) : NULL;

  if (source && g_strcmp0 (identity, params->identity) == 0)
    return g_steal_pointer (&source);
  if (source)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_IO,
                         _ ("The picture has changed since it was opened. Open it again, "
                            "and measure what it shows now."));
  return NULL;
}

// In a stack the file of that slice.
static char *
name_of (const Task *task, int64_t frame)
{
  const OdlSourceInfo *info = &task->source->info;
  const bool is_file = g_path_is_absolute (info->location);

  if (task->params->files_as)
    return g_strdup (task->params->files_as);
  if ((!info->files && !is_file) || odl_source_lacks_frame (task->source, frame))
    return g_strdup (info->name);
  return odl_source_file_display_name (info->files ? info->files[frame] : info->location);
}

static OdlPlan *
plan_of (const Task *task, const OdlRecipe *recipe, const OdlImage *image, GError **error)
{
  OdlGeometry geometry = odl_geometry_of (image);

  geometry.operands = task->params->operands;
  return odl_plan_new (recipe, &geometry, error);
}

static OdlImage *
filter (const Task *task, const OdlRecipe *recipe, OdlImage *image, GError **error)
{
  g_autoptr (OdlPlan) plan = plan_of (task, recipe, image, error);
  return plan ? odl_runner_run (task->runner, plan, (OdlMoment){ 0 }, image, error)
              : NULL;
}

// Beams of which the filters make a picture are measured there; what they make of them
// by themselves is the original. Transfer full.
static OdlImage *
find_before (const Task *task, OdlImage *image, GError **error)
{
  const OdlRecipe bare = odl_scan_bare_recipe (&task->recipe);
  g_autoptr (OdlPlan) plan
      = task->runner ? plan_of (task, &task->recipe, image, NULL) : NULL;
  return plan && plan->resized ? filter (task, &bare, image, error)
                               : odl_image_ref (image);
}

// The next frame after `frame` in which something is measured; −1: none.
static int64_t
next_frame (const OdlAnnotations *annotations, int64_t frame)
{
  int64_t next = -1;

  for (int i = 0; i < odl_annotations_count (annotations); i++) {
    const int64_t at = odl_annotations_at (annotations, i)->frame;
    if (odl_annotations_at (annotations, i)->kind->measure && at > frame
        && (next < 0 || at < next))
      next = at;
  }
  return next;
}

static bool
needs_result (const OdlAnnotations *annotations, int64_t frame)
{
  for (int i = 0; i < odl_annotations_count (annotations); i++) {
    const OdlAnnotation *annotation = odl_annotations_at (annotations, i);
    if (annotation->kind->samples && annotation->frame == frame && !annotation->on.used)
      return true;
  }
  return false;
}

// A frame as it came and after the filters.
typedef struct {
  OdlImage *image, *before, *result; // NULL: it is not needed, or cannot be had
  OdlSubject subject;
} Measured;

static void
measured_clear (Measured *measured)
{
  g_clear_pointer (&measured->image, odl_image_unref);
  g_clear_pointer (&measured->before, odl_image_unref);
  g_clear_pointer (&measured->result, odl_image_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Measured, measured_clear)

static void
tell_suv (const OdlSource *source, OdlSubject *subject)
{
  odl_subject_set_suv (subject, odl_source_detail (source, "suv-factor"),
                       odl_source_detail (source, "suv-unknown"));
}

static bool
read_frame (const Task *task, int64_t frame, Measured *into, GError **error)
{
  into->image = odl_source_read_frame (task->source, frame, NULL, error);
  if (!into->image)
    return false;
  const bool computes = task->runner && needs_result (task->params->annotations, frame);
  into->before = find_before (task, into->image, error);
  into->result = computes && into->before
                     ? filter (task, &task->recipe, into->image, error)
                     : NULL;
  if (!into->before || (computes && !into->result))
    return false;
  into->subject
      = (OdlSubject){ .scale = odl_calibrated_scale (task->params->annotations, frame,
                                                     odl_image_info (into->before)),
                      .before = into->before,
                      .after = into->result,
                      .filtered = !odl_recipe_is_identity (&task->recipe) };
  tell_suv (task->source, &into->subject);
  return true;
}

static bool
measure_frame (const Task *task, int64_t frame, GError **error)
{
  const OdlAnnotations *annotations = task->params->annotations;
  g_auto (Measured) measured = { 0 };

  if (!read_frame (task, frame, &measured, error))
    return false;
  g_autofree char *name = name_of (task, frame);
  for (int i = 0; i < odl_annotations_count (annotations); i++) {
    const OdlAnnotation *annotation = odl_annotations_at (annotations, i);
    if (annotation->frame == frame && !annotation->on.used)
      odl_measure_table_add (task->table, name, annotation->frame + 1, annotation, NULL,
                             &measured.subject);
  }
  return true;
}

// ---- planes of a volume --------------------------------------------------------------

static bool
filter_volume (const Task *task, OdlImage *volume, OdlGridVolume *result, GError **error)
{
  const OdlEngineChoice cpu = { odl_engine_find ("cpu"), NULL };
  g_autoptr (OdlImage) slice = odl_volume_slice (volume, 0);
  OdlGeometry geometry
      = odl_geometry_of (odl_recipe_is_volumetric (&task->recipe) ? volume : slice);

  geometry.operands = task->params->operands;
  g_autoptr (OdlPlan) plan = odl_plan_new (&task->recipe, &geometry, error);
  OdlEngine *engine = plan ? odl_engine_open_choice (cpu, error) : NULL;
  g_autofree char *cut = NULL;
  const bool done
      = engine
        && odl_grid_volume_process (engine, &task->recipe, plan, volume,
                                    odl_engine_process_volume, result, &cut, error);
  if (engine)
    odl_engine_close (engine);
  return done;
}

// `result` is the volume after the filters; zero: there are none to follow.
static bool
measure_plane (const Task *task,
               const OdlAnnotation *annotation,
               OdlImage *volume,
               const OdlGridVolume *result,
               GError **error)
{
  const OdlOnPlane *on = &annotation->on;
  const bool tilted = odl_source_detail (task->source, "gantry-tilt") != NULL;

  if (!odl_on_plane_fits (on, odl_image_info (volume)))
    return true; // of a file that says otherwise: there is no such plane
  g_autoptr (OdlImage) before = odl_on_plane_compose (volume, on, error);
  g_autoptr (OdlImage) after
      = before && result->volume ? odl_grid_volume_on_plane (result, on, error) : NULL;
  if (!before || (result->volume && !after))
    return false;
  OdlSubject subject
      = { .scale = odl_on_plane_scale (odl_image_info (volume), on, tilted),
          .before = before,
          .after = after,
          .filtered = !odl_recipe_is_identity (&task->recipe) };
  tell_suv (task->source, &subject);
  g_autofree char *name = name_of (task, annotation->frame);
  odl_measure_table_add (task->table, name, annotation->frame + 1, annotation, NULL,
                         &subject);
  return true;
}

// Of the volume that begins with `frame`.
static bool
measure_volume (const Task *task, int64_t frame, GError **error)
{
  const OdlAnnotations *annotations = task->params->annotations;
  g_autoptr (OdlImage) volume = NULL;
  g_auto (OdlGridVolume) result = { 0 };

  for (int i = 0; i < odl_annotations_count (annotations); i++) {
    const OdlAnnotation *annotation = odl_annotations_at (annotations, i);
    if (annotation->frame != frame || !annotation->on.used)
      continue;
    if (!volume) {
      const int n = MAX (task->source->info.n_slices, 1);
      volume = odl_source_read_volume (task->source, (int) (frame / n),
                                       ODL_VOLUME_FILTERED_WHOLE, NULL, error);
      if (!volume)
        return false;
      if (task->follows && !filter_volume (task, volume, &result, error))
        return false;
    }
    if (!measure_plane (task, annotation, volume, &result, error))
      return false;
  }
  return true;
}

// ---- all of it -----------------------------------------------------------------------

// The engine, where there are filters to follow.
static bool
begin (Task *task, GError **error)
{
  // Coefficients are no picture.
  task->recipe.view = ODL_VIEW_SYNTHESIS;
  task->follows
      = odl_measures_follow (&task->recipe) && !odl_recipe_is_identity (&task->recipe);
  if (task->follows)
    task->runner = odl_runner_open (task->params->engine, error);
  return !task->follows || task->runner;
}

static bool
measure (Task *task, GError **error)
{
  if (!begin (task, error))
    return false;
  int64_t frame = -1;
  while ((frame = next_frame (task->params->annotations, frame)) >= 0)
    if (!measure_frame (task, frame, error) || !measure_volume (task, frame, error))
      return false;
  return true;
}

// The file that the result of these filters was saved in, if there is one.
static const char *
find_derived (const Task *task, int64_t frame)
{
  const char *const *paths = task->params->derived;
  const OdlRecipe told = odl_recipe_with_files_as (&task->recipe, "FILE");
  g_autofree char *lines = odl_recipe_to_text (&told, "\n");

  for (int i = 0; task->follows && paths && paths[i]; i++) {
    g_auto (OdlSaidDerived) derived = { 0 };
    if (odl_said_derived_read (&derived, paths[i], task->source, frame, lines, NULL))
      return paths[i];
  }
  return NULL;
}

static bool
save_object (Task *task, const OdlMeasuresObject *object, GError **error)
{
  const OdlAnnotations *all = task->params->annotations;
  g_autoptr (GPtrArray) annotations = g_ptr_array_new ();
  g_auto (Measured) measured = { 0 };

  if (!odl_said_is_possible (task->source, object->frame, error) || !begin (task, error)
      || !read_frame (task, object->frame, &measured, error))
    return false;
  for (int i = 0; i < odl_annotations_count (all); i++)
    if (odl_annotation_is_on (odl_annotations_at (all, i), object->frame, NULL))
      g_ptr_array_add (annotations, (void *) odl_annotations_at (all, i));
  const OdlSaidLine line = { task->params->line, task->params->line_of };
  const OdlSaidParams said = { .source = task->source,
                               .frame = object->frame,
                               .annotations = annotations,
                               .lines = &line,
                               .n_lines = line.text ? 1 : 0,
                               .subject = &measured.subject,
                               .recipe = &task->recipe,
                               .derived = find_derived (task, object->frame),
                               .window = &object->window,
                               .view = &object->view };
  return object->kind == ODL_OBJECT_STATE
             ? odl_said_save_state (&said, task->params->path, true, error)
             : odl_said_save_report (&said, task->params->path, true, error);
}

static bool
save_keys (const Task *task, GError **error)
{
  const OdlAnnotations *all = task->params->annotations;
  g_autoptr (GArray) frames = g_array_new (FALSE, FALSE, sizeof (gint64));
  const gint64 n = task->source->info.n_frames;

  for (gint64 frame = 0; frame < n; frame++)
    if (odl_annotations_key (all, frame))
      g_array_append_val (frames, frame);
  return odl_said_save_keys (task->source, (const gint64 *) (void *) frames->data,
                             frames->len, task->params->path, true, error);
}

bool
odl_measures_save_object (const OdlMeasuresParams *params,
                          const OdlMeasuresObject *object,
                          GError **error)
{
  g_autoptr (OdlSource) source = open_source (params, error);

  if (!source)
    return false;
  Task task = { params, source, params->recipe, NULL, false, NULL };
  const bool done = object->kind == ODL_OBJECT_KEYS ? save_keys (&task, error)
                                                    : save_object (&task, object, error);
  odl_runner_free (task.runner);
  return done;
}

bool
odl_table_save (const char *path, const char *text, GError **error)
{
  OdlOutput output;

  if (!odl_output_open (NULL, path, &output, error))
    return false;
  return odl_output_end (&output, odl_output_write (&output, text, strlen (text), error),
                         error);
}

bool
odl_measures_save (const OdlMeasuresParams *params, GError **error)
{
  g_autoptr (OdlSource) source = open_source (params, error);

  if (!source)
    return false;
  g_autoptr (GString) table = g_string_new (ODL_MEASURE_COLUMNS);
  Task task = { params, source, params->recipe, NULL, false, table };
  const bool done = measure (&task, error);
  g_string_append (table, params->row ? params->row : "");
  odl_runner_free (task.runner);
  return done && odl_table_save (params->path, table->str, error);
}
