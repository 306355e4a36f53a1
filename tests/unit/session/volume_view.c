// SPDX-License-Identifier: MIT
// A volume in the window where memory is short: filtered in sections, like in one piece.
#include "base/error.h"
#include "engine/sections.h"
#include "image/volume/volume.h"
#include "session/render/volume_view.h"
#include "source/source.h"
#include "source/volume.h"

#define PHANTOM "phantom:40x32x48"

static OdlFrame *
new_frame (OdlImage *volume, const char *filters)
{
  const OdlEngineChoice cpu = { odl_engine_find ("cpu"), NULL };
  const OdlGeometry geometry = odl_geometry_of (volume);
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, filters, NULL));
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, NULL);
  OdlFrame *frame = odl_frame_new (volume, plan, cpu);
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
  g_autoptr (OdlEngine) engine = odl_engine_open (frame->engine, NULL);
  OdlVolumeView view = { 0 };

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
  g_autoptr (OdlImage) expected = show (whole, 0, NULL);
  g_assert_null (whole->sections);

  g_autoptr (OdlImage) got = show (cut, bytes, NULL);
  g_autofree char *text = odl_sections_to_text (&half, cut->plan);
  g_assert_cmpstr (cut->sections, ==, text);
  check_same (got, expected);
}

// Not even a section fits: a sentence, and nothing is allocated.
static void
test_too_little (void)
{
  g_autoptr (OdlImage) volume = read_phantom ();
  g_autoptr (OdlFrame) frame = new_frame (volume, "shrinkage:dimensions=3,levels=5");
  g_autoptr (GError) error = NULL;

  g_assert_null (show (frame, 1000, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/session/volume-view/a-kernel-in-sections",
                        "convolve:dimensions=3,shape=gaussian,size=5", test_sections);
  g_test_add_data_func ("/session/volume-view/wavelets-in-sections",
                        "shrinkage:dimensions=3,levels=1", test_sections);
  g_test_add_func ("/session/volume-view/too-little-memory-is-said", test_too_little);
  return g_test_run ();
}
