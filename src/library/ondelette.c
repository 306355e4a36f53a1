// SPDX-License-Identifier: MIT
#include "library/ondelette.h"

#include <math.h>

#include "config.h"
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/memory.h"
#include "engine/engine.h"
#include "engine/gl/platform/headless.h"
#include "engine/received.h"
#include "engine/sections.h"
#include "engine/volume.h"
#include "image/image.h"
#include "library/message.h"

#define MOST_SIDE (1 << 20)
#define OTHER "other" // the name of a second picture in memory

struct OndeletteFilter {
  OdlGlHeadless *headless; // NULL for engines without GL
  OdlEngine *engine;
  OdlRecipe recipe, measured; // with what was measured in the last picture
  OdlPlan *plan; // of the last run, whose structure the engine keeps; NULL: none yet
  OdlOperands *operands; // the second picture; NULL: none
  uint64_t serial;
};

static const OdlSampleType types[] = {
  [ONDELETTE_U8] = ODL_SAMPLE_U8,
  [ONDELETTE_U16] = ODL_SAMPLE_U16,
  [ONDELETTE_S16] = ODL_SAMPLE_S16,
  [ONDELETTE_F32] = ODL_SAMPLE_F32,
};

const char *
ondelette_version (void)
{
  return ODL_VERSION;
}

const char *
ondelette_engines (void)
{
  static gsize names;

  if (g_once_init_enter (&names)) {
    GString *all = g_string_new (NULL);
    for (size_t i = 0; i < odl_engine_count (); i++)
      g_string_append_printf (all, "%s%s", i > 0 ? " " : "", odl_engine_at (i)->name);
    g_once_init_leave (&names, (gsize) g_string_free (all, FALSE));
  }
  return (const char *) names;
}

void
ondelette_message_free (char *message)
{
  g_free (message);
}

void
odl_library_tell (char **message, GError *error)
{
  if (message != NULL)
    *message = g_strdup (error != NULL ? error->message : NULL);
  g_clear_error (&error);
}

void
odl_library_refuse (GError **error, const char *what)
{
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_USAGE, what);
}

// ---- a filter ------------------------------------------------------------------------

// Operands that are files, which this interface does not read.
static bool
has_operand (const OdlRecipe *recipe)
{
  for (int i = 0; i < recipe->n_items; i++)
    if (recipe->items[i].file != NULL)
      return true;
  return false;
}

static bool
open_filter (OndeletteFilter *filter,
             const char *name,
             const char *recipe,
             GError **error)
{
  OdlEngineChoice choice;

  odl_recipe_init (&filter->recipe);
  if (name == NULL || recipe == NULL) {
    odl_library_refuse (error, _ ("an engine and a recipe are needed"));
    return false;
  }
  if (!odl_engine_choice_parse (name, &choice, error)
      || !odl_recipe_parse (&filter->recipe, recipe, error))
    return false;
  if (has_operand (&filter->recipe)) {
    odl_library_refuse (
        error, _ ("a second picture is given from memory here (other), not by the "
                  "name of a file"));
    return false;
  }
  if (choice.klass->needs_gl) {
    filter->headless = odl_gl_headless_new (error);
    if (filter->headless == NULL)
      return false;
  }
  filter->engine = odl_engine_open_choice (choice, error);
  return filter->engine != NULL;
}

OndeletteFilter *
ondelette_filter_new (const char *engine, const char *recipe, char **message)
{
  OndeletteFilter *filter = g_new0 (OndeletteFilter, 1);
  GError *error = NULL;

  if (!open_filter (filter, engine, recipe, &error))
    g_clear_pointer (&filter, ondelette_filter_free);
  odl_library_tell (message, error);
  return filter;
}

void
ondelette_filter_free (OndeletteFilter *filter)
{
  if (filter == NULL)
    return;
  if (filter->headless != NULL)
    odl_gl_headless_make_current (filter->headless);
  g_clear_pointer (&filter->engine, odl_engine_close);
  g_clear_pointer (&filter->headless, odl_gl_headless_free);
  g_clear_pointer (&filter->plan, odl_plan_unref);
  g_clear_pointer (&filter->operands, odl_operands_unref);
  g_free (filter);
}

// ---- a run ---------------------------------------------------------------------------

static bool
is_usable (const OndelettePicture *picture, bool has_result, GError **error)
{
  if (picture == NULL || picture->samples == NULL
      || (has_result && picture->result == NULL))
    odl_library_refuse (error, _ ("a picture needs samples and a place for its result"));
  else if (picture->width < 1 || picture->height < 1 || picture->width > MOST_SIDE
           || picture->height > MOST_SIDE)
    odl_library_refuse (error,
                        _ ("the sides of a picture are 1 to 1048576 samples long"));
  else if (picture->channels != 1 && picture->channels != 3 && picture->channels != 4)
    odl_library_refuse (error, _ ("a picture has 1, 3 or 4 channels"));
  else if ((unsigned) picture->type >= G_N_ELEMENTS (types))
    odl_library_refuse (error, _ ("there is no such type of samples"));
  else if (!isfinite (picture->minimum) || !isfinite (picture->maximum)
           || picture->minimum > picture->maximum
           || (picture->minimum == picture->maximum && picture->minimum != 0))
    odl_library_refuse (error, _ ("the maximum must be above the minimum"));
  else
    return true;
  return false;
}

// A picture, or `depth` slices that follow each other by `slice_bytes` (0: each begins
// where the one before ends).
static OdlImage *
wrap (const OndelettePicture *picture,
      int depth,
      size_t slice_bytes,
      bool has_result,
      GError **error)
{
  size_t row_bytes, least_bytes;

  if (!is_usable (picture, has_result, error))
    return NULL;
  const size_t size = odl_sample_size (types[picture->type]);
  const size_t factors[] = { (size_t) picture->width, (size_t) picture->channels, size };
  OdlImageInfo info = { .extent = { picture->width, picture->height, depth },
                        .channels = picture->channels,
                        .type = types[picture->type],
                        .stored_min = picture->minimum,
                        .stored_max = picture->maximum };
  if (!odl_size_product (factors, G_N_ELEMENTS (factors), &row_bytes)
      || (picture->row_bytes != 0 && picture->row_bytes < row_bytes)) {
    odl_library_refuse (error, _ ("the rows of a picture overlap"));
    return NULL;
  }
  row_bytes = MAX (picture->row_bytes, row_bytes);
  const size_t rows[] = { row_bytes, (size_t) picture->height };
  if (!odl_size_product (rows, G_N_ELEMENTS (rows), &least_bytes)
      || (slice_bytes != 0 && slice_bytes < least_bytes)) {
    odl_library_refuse (error, _ ("the slices of a volume overlap"));
    return NULL;
  }
  for (int c = 0; c < picture->channels; c++)
    info.planes[c] = (OdlPlane){
      .data = (const char *) picture->samples + c * size,
      .sample_stride_bytes = size * (size_t) picture->channels,
      .row_stride_bytes = row_bytes,
      .slice_stride_bytes = MAX (slice_bytes, least_bytes),
    };
  return odl_image_wrap (&info, NULL, NULL, error);
}

// Engines keep what they have where only parameters differ from the last plan. What sees
// no third axis has the plan of a slice.
static bool
make_plan (OndeletteFilter *filter, OdlImage *image, GError **error)
{
  OdlGeometry geometry = odl_geometry_of (image);
  OdlRecipe recipe = filter->recipe;

  geometry.operands = filter->operands;
  for (int i = 0; i < recipe.n_items; i++) {
    if (odl_filter_file (recipe.items[i].filter) == NULL || recipe.items[i].bypassed)
      continue;
    if (filter->operands == NULL)
      return odl_error_set (error, ODL_ERROR_USAGE,
                            _ ("the filter “%s” needs a second picture (other)"),
                            recipe.items[i].filter->name);
    odl_recipe_set_file (&recipe, i, OTHER);
  }
  odl_measure_recipe (&recipe,
                      &(OdlMeasured){ .image = image, .operands = filter->operands });
  filter->measured = recipe;
  geometry.in_time = geometry.depth > 1;
  geometry.depth = odl_recipe_is_volumetric (&recipe) ? geometry.depth : 1;
  g_clear_pointer (&filter->plan, odl_plan_unref);
  filter->plan = odl_plan_new (&recipe, &geometry, error);
  return filter->plan != NULL;
}

static void
copy_result (const OdlImage *result, const OndelettePicture *picture, int depth)
{
  const size_t width = (size_t) picture->width, n = (size_t) picture->channels;
  g_autofree float *row = g_new (float, width);

  for (int z = 0; z < depth; z++)
    for (int y = 0; y < picture->height; y++)
      for (int c = 0; c < picture->channels; c++) {
        const size_t line = (size_t) z * (size_t) picture->height + (size_t) y;
        float *to = picture->result + line * width * n + c;
        odl_image_scaled_row (result, c, y, z, 0, row);
        for (size_t x = 0; x < width; x++)
          to[x * n] = row[x];
      }
}

static OdlImage *
process (OndeletteFilter *filter, OdlImage *image, GError **error)
{
  g_autofree char *cut = NULL;

  if (filter->headless != NULL)
    odl_gl_headless_make_current (filter->headless);
  filter->engine->moment = (OdlMoment){ .take = 1, .serial = ++filter->serial };
  if (odl_image_info (image)->extent.z <= 1)
    return odl_engine_process (filter->engine, filter->plan, image, error);
  return odl_engine_process_fitting (filter->engine, &filter->measured, filter->plan,
                                     image, odl_engine_process_volume, &cut, error);
}

static bool
run_filter (OndeletteFilter *filter,
            const OndelettePicture *picture,
            OdlImage *image,
            GError **error)
{
  if (image == NULL || !make_plan (filter, image, error))
    return false;
  g_autoptr (OdlImage) result = process (filter, image, error);
  if (result == NULL)
    return false;
  copy_result (result, picture, odl_image_info (image)->extent.z);
  return true;
}

int
ondelette_filter_run (OndeletteFilter *filter,
                      const OndelettePicture *picture,
                      char **message)
{
  GError *error = NULL;
  bool done = false;

  if (filter == NULL)
    odl_library_refuse (&error, _ ("there is no filter"));
  else {
    g_autoptr (OdlImage) image = wrap (picture, 1, 0, true, &error);
    done = run_filter (filter, picture, image, &error);
  }
  odl_library_tell (message, error);
  return done;
}

static OdlImage *
wrap_volume (const OndeletteVolume *volume, bool has_result, GError **error)
{
  if (volume == NULL || volume->depth < 1 || volume->depth > MOST_SIDE) {
    odl_library_refuse (error, _ ("a volume has 1 to 1048576 slices"));
    return NULL;
  }
  g_autoptr (OdlImage) image
      = wrap (&volume->slice, volume->depth, volume->slice_bytes, has_result, error);
  if (image == NULL)
    return NULL;
  OdlImageInfo info = *odl_image_info (image);
  for (int axis = 0; axis < 3; axis++) {
    const double spacing = volume->spacing_mm[axis];
    info.spacing_mm[axis] = isfinite (spacing) && spacing > 0 ? spacing : 0;
  }
  return odl_image_with_info (image, &info);
}

int
ondelette_filter_run_volume (OndeletteFilter *filter,
                             const OndeletteVolume *volume,
                             char **message)
{
  GError *error = NULL;
  bool done = false;

  if (filter == NULL)
    odl_library_refuse (&error, _ ("there is no filter"));
  else {
    g_autoptr (OdlImage) image = wrap_volume (volume, true, &error);
    done = image != NULL && run_filter (filter, &volume->slice, image, &error);
  }
  odl_library_tell (message, error);
  return done;
}

// ---- the second picture --------------------------------------------------------------

static bool
takes_other (const OdlRecipe *recipe)
{
  for (int i = 0; i < recipe->n_items; i++)
    if (odl_filter_file (recipe->items[i].filter) != NULL)
      return true;
  return false;
}

static bool
set_other (OndeletteFilter *filter, const OndeletteVolume *other, GError **error)
{
  g_clear_pointer (&filter->operands, odl_operands_unref);
  if (other == NULL)
    return true;
  if (!takes_other (&filter->recipe)) {
    odl_library_refuse (error, _ ("no filter of the recipe takes a second picture"));
    return false;
  }
  g_autoptr (OdlImage) image = wrap_volume (other, false, error);
  g_autoptr (OdlOperands) operands = odl_operands_new ();
  if (image == NULL || !odl_operands_add (operands, OTHER, image, error))
    return false;
  filter->operands = g_steal_pointer (&operands);
  return true;
}

int
ondelette_filter_set_other (OndeletteFilter *filter,
                            const OndeletteVolume *other,
                            char **message)
{
  GError *error = NULL;
  bool done = false;

  if (filter == NULL)
    odl_library_refuse (&error, _ ("there is no filter"));
  else
    done = set_other (filter, other, &error);
  odl_library_tell (message, error);
  return done;
}
