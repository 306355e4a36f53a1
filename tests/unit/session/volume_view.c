// SPDX-License-Identifier: MIT
// A volume in the window where memory is short: filtered in sections, like in one piece.
#include "base/error.h"
#include "engine/gl/platform/headless.h"
#include "engine/sections.h"
#include "image/volume/volume.h"
#include "session/render/renderer.h"
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
  const OdlEngineClass *engine = odl_engine_find (((const Case *) data)->engine);
  OdlSections half = { 0 };
  double bytes = 4e6;
  while ((half = odl_sections_of (cut->plan, bytes, 0, engine->shares_memory)).count < 2)
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
  g_autofree char *text = odl_sections_to_text (&half);
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

// ---- The grid of a registration ----

#define GRID "register:with=itself,dimensions=3,output=grid"

static float
sample (OdlImage *image, int x, int y, int z)
{
  g_autofree float *row = g_new (float, odl_image_info (image)->extent.x);

  odl_image_scaled_row (image, 0, y, z, 0, row);
  return row[x];
}

static OdlFrame *
new_grid_frame (OdlImage *volume, const OdlVoxel *voxel)
{
  const OdlEngineChoice engine = { odl_engine_find ("cpu"), NULL };
  OdlGeometry geometry = odl_geometry_of (volume);
  OdlRecipe recipe;

  geometry.operands = odl_operands_new ();
  g_assert_true (odl_operands_add (geometry.operands, "itself", volume, NULL));
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, GRID, NULL));
  const int iterations
      = odl_filter_parameter (recipe.items[0].filter, "iterations")->offset;
  recipe.items[0].values[iterations] = 0;
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, NULL);
  g_assert_nonnull (plan);
  odl_operands_unref (geometry.operands);
  OdlFrame *frame = odl_frame_new (volume, plan, engine);
  frame->volume = odl_image_ref (volume);
  frame->planes = frame->renders = true;
  frame->slab = (OdlSlab){ ODL_SLAB_SLICE, 1 };
  frame->voxel = *voxel;
  frame->recipe = recipe;
  return frame;
}

// Nothing moves, so surfaces lie behind every 16th voxel: 15, 31, 47 … An axial plane in
// one of them, and one between them, show the lines of those across x and y alone; rays
// meet the grid where two surfaces do, and elsewhere the volume.
static void
test_grid (void)
{
  g_autoptr (OdlImage) volume = read_phantom ();

  for (int z = 24; z <= 31; z += 7) {
    const OdlVoxel voxel = { { 20, 16, z } };
    g_autoptr (OdlFrame) frame = new_grid_frame (volume, &voxel);
    g_autoptr (OdlEngine) engine = odl_engine_open (frame->engine, NULL);
    OdlVolumeView view = { 0 };
    g_assert_true (odl_volume_view_show (&view, engine, frame, NULL));
    const OdlPlanes planes = odl_planes_of (odl_image_info (volume));
    const OdlPlanePlace *axial = &planes.planes[ODL_PLANE_AXIAL];
    g_assert_cmpint (axial->width, ==, 40);
    g_assert_cmpint (axial->height, ==, 32);
    for (int y = 0; y < 32; y++)
      for (int x = 0; x < 40; x++) {
        const float before = sample (frame->input, axial->x + x, axial->y + y, 0);
        const float after = sample (frame->result, axial->x + x, axial->y + y, 0);
        const bool on_line = x % 16 == 15 || y == 15;
        if (on_line)
          g_assert_cmpfloat (fabsf (after - before), >, 0.1f);
        else
          g_assert_cmpfloat_with_epsilon (after, before, 1e-6);
      }
    const OdlBody *body = frame->body, *bare = frame->original_body;
    g_assert_nonnull (bare);
    for (int x = 0; x < 40; x++) {
      const float on_two[] = { (float) x, 15, 31 }, on_one[] = { (float) x, 20, 31 };
      g_assert_cmpfloat (odl_body_at (body, on_two), >, 0.9f);
      if (x % 16 != 15)
        g_assert_cmpfloat_with_epsilon (odl_body_at (body, on_one),
                                        odl_body_at (bare, on_one), 1e-4);
    }
    odl_volume_view_clear (&view);
  }
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
  g_test_add_func ("/session/volume-view/a-grid-is-lines-and-rays-see-through-it",
                   test_grid);
  g_test_add_func ("/session/volume-view/too-little-memory-is-said", test_too_little);
  return g_test_run ();
}
