// SPDX-License-Identifier: MIT
// A volume in the window where memory is short: filtered in sections, like in one piece.
#include "base/error.h"
#include "engine/gl/platform/headless.h"
#include "engine/sections.h"
#include "image/volume/volume.h"
#include "session/render/volume_view.h"
#include "source/source.h"
#include "source/volume.h"

#define PHANTOM "phantom:40x32x48"

typedef struct {
  const char *name, *engine, *filters;
} Case;

static OdlFrame *
new_frame (OdlImage *volume, const Case *of)
{
  const OdlEngineChoice engine = { odl_engine_find (of->engine), NULL };
  const OdlGeometry geometry = odl_geometry_of (volume);
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, of->filters, NULL));
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, NULL);
  OdlFrame *frame = odl_frame_new (volume, plan, engine);
  frame->volume = odl_image_ref (volume);
  frame->planes = true;
  frame->slab = (OdlSlab){ ODL_SLAB_SLICE, 1 };
  frame->voxel = (OdlVoxel){ { 20, 16, 24 } };
  frame->recipe = recipe;
  return frame;
}

static OdlImage *
read_phantom (void)
{
  g_autoptr (OdlSource) source = odl_source_open (PHANTOM, NULL, NULL);

  return odl_source_read_volume (source, 0, ODL_VOLUME_FILTERED_SLICES, NULL, NULL);
}

// The planes of `frame`, by an engine that may take `bytes`. NULL: an error.
static OdlImage *
show (OdlFrame *frame, double bytes, GError **error)
{
  g_autoptr (OdlGlHeadless) headless
      = frame->engine->needs_gl ? odl_gl_headless_new (error) : NULL;
  if (frame->engine->needs_gl && !headless)
    return NULL;
  g_autoptr (OdlEngine) engine = odl_engine_open (frame->engine, error);
  OdlVolumeView view = { 0 };

  if (!engine)
    return NULL;
  engine->memory = bytes;
  const bool done = odl_volume_view_show (&view, engine, frame, error);
  odl_volume_view_clear (&view);
  return done ? odl_image_ref (frame->result) : NULL;
}

static void
check_same (OdlImage *a, OdlImage *b)
{
  const OdlExtent extent = odl_image_info (a)->extent;
  g_autofree float *rows = g_new (float, 2 * (gsize) extent.x);

  for (int y = 0; y < extent.y; y++) {
    odl_image_scaled_row (a, 0, y, 0, 0, rows);
    odl_image_scaled_row (b, 0, y, 0, 0, rows + extent.x);
    g_assert_cmpmem (rows, sizeof *rows * (size_t) extent.x, rows + extent.x,
                     sizeof *rows * (size_t) extent.x);
  }
}

static void
test_sections (const void *data)
{
  g_autoptr (OdlImage) volume = read_phantom ();
  g_autoptr (OdlFrame) whole = new_frame (volume, data);
  g_autoptr (OdlFrame) cut = new_frame (volume, data);
  OdlSections half = { 0 };
  double bytes = 4e6;
  while ((half = odl_sections_of (cut->plan, bytes, 0)).count < 2)
    bytes /= 1.2;
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) expected = show (whole, 0, &error);
  if (g_error_matches (error, ODL_ERROR, ODL_ERROR_GPU)) {
    g_test_skip (error->message);
    return;
  }
  g_assert_no_error (error);
  g_assert_null (whole->sections);

  g_autoptr (OdlImage) got = show (cut, bytes, NULL);
  g_autofree char *text = odl_sections_to_text (&half, cut->plan);
  g_assert_cmpstr (cut->sections, ==, text);
  check_same (got, expected);
}

static const Case many_levels = { NULL, "cpu", "shrinkage:dimensions=3,levels=5" };

// Not even a section fits: a sentence, and nothing is allocated.
static void
test_too_little (void)
{
  g_autoptr (OdlImage) volume = read_phantom ();
  g_autoptr (OdlFrame) frame = new_frame (volume, &many_levels);
  g_autoptr (GError) error = NULL;

  g_assert_null (show (frame, 1000, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE);
}

static const Case cases[] = {
  { "a-kernel-in-sections", "cpu", "convolve:dimensions=3,shape=gaussian,size=5" },
  { "wavelets-in-sections", "cpu", "shrinkage:dimensions=3,levels=1" },
  { "a-kernel-in-sections-by-gl", "gl-compute",
    "convolve:dimensions=3,shape=gaussian,size=5" },
  { "wavelets-in-sections-by-gl", "gl-compute", "shrinkage:dimensions=3,levels=1" },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strconcat ("/session/volume-view/", cases[i].name, NULL);
    g_test_add_data_func (path, &cases[i], test_sections);
  }
  g_test_add_func ("/session/volume-view/too-little-memory-is-said", test_too_little);
  return g_test_run ();
}
