// SPDX-License-Identifier: MIT
// Rendered views of volumes: where a voxel is seen, what hides what, what is cut away,
// and what a transfer function does.
#include <glib.h>
#include <math.h>

#include "image/display/display.h"
#include "image/render/render.h"

#define SIDE 64 // of the canvas

typedef double (*ValueAt) (int x, int y, int z);

static OdlBody *
make_body (const int size[3], const double spacing[3], ValueAt value_at)
{
  OdlImageInfo info = { .extent = { size[0], size[1], size[2], 1 },
                        .channels = 1,
                        .type = ODL_SAMPLE_F32,
                        .spacing_mm = { spacing[0], spacing[1], spacing[2] } };
  void *samples;
  g_autoptr (OdlImage) volume = odl_image_alloc (&info, &samples, NULL);
  g_autoptr (GError) error = NULL;

  for (int z = 0, i = 0; z < size[2]; z++)
    for (int y = 0; y < size[1]; y++)
      for (int x = 0; x < size[0]; x++, i++)
        ((float *) samples)[i] = (float) value_at (x, y, z);
  OdlBody *body = odl_body_new (volume, &error);
  g_assert_no_error (error);
  return body;
}

// Zoomed so that a pixel is one unit of the volume.
static OdlRenderScene
make_scene (OdlBody *body, const char *preset)
{
  const double diagonal
      = sqrt (body->side[0] * body->side[0] + body->side[1] * body->side[1]
              + body->side[2] * body->side[2]);

  return (OdlRenderScene){ .body = body,
                           .preset = odl_render_preset_find (preset),
                           .points = { 0, 1 },
                           .look = { .zoom = diagonal / (1.4 * SIDE) },
                           .place = { 0, 0, SIDE, SIDE } };
}

static int
level_at (const guint8 *rgba, int x, int y)
{
  return rgba[4 * (y * SIDE + x)];
}

static const int cube[3] = { 20, 20, 20 };
static const double even[3] = { 1, 1, 1 };
static const double tall[3] = { 1, 1, 2 };

// The same all along y, which the viewer looks along at first.
static double
by_x_and_z (int x, int y, int z)
{
  return (x + 20 * z) / 400.0;
}

// x goes to the right and z upwards, at their lengths; each pixel is a voxel.
static void
test_places (void)
{
  static guint8 rgba[4 * SIDE * SIDE];
  g_autoptr (OdlBody) body = make_body (cube, even, by_x_and_z);
  const OdlRenderScene scene = make_scene (body, "maximum");

  odl_render_draw (&scene, SIDE, SIDE, false, rgba);
  for (int z = 0; z < 20; z++)
    for (int x = 0; x < 20; x++)
      g_assert_cmpfloat_with_epsilon (
          level_at (rgba, SIDE / 2 - 10 + x, SIDE / 2 + 9 - z),
          255 * by_x_and_z (x, 0, z), 1);
  g_assert_cmpint (level_at (rgba, SIDE / 2 - 12, SIDE / 2), ==, 18);
  g_assert_cmpint (level_at (rgba, SIDE / 2, SIDE / 2 + 11), ==, 18);
}

// Slices that are two units thick are two pixels high.
static void
test_spacing (void)
{
  static guint8 rgba[4 * SIDE * SIDE];
  g_autoptr (OdlBody) body = make_body (cube, tall, by_x_and_z);
  const OdlRenderScene scene = make_scene (body, "maximum");
  int covered = 0;

  odl_render_draw (&scene, SIDE, SIDE, false, rgba);
  for (int y = 0; y < SIDE; y++)
    covered += level_at (rgba, SIDE / 2 + 5, y) != 18;
  g_assert_cmpint (covered, ==, 40);
}

// What lies outside of a box is not there; inside all is as before.
static void
test_box (void)
{
  static guint8 rgba[4 * SIDE * SIDE];
  g_autoptr (OdlBody) body = make_body (cube, even, by_x_and_z);
  OdlRenderScene scene = make_scene (body, "maximum");

  scene.box = (OdlBox){ .shown = true, .low = { 0.2, 0.5, 0 }, .high = { 0.75, 1, 0.9 } };
  odl_render_draw (&scene, SIDE, SIDE, false, rgba);
  for (int z = 0; z < 20; z++)
    for (int x = 0; x < 20; x++) {
      const bool inside = x >= 4 && x < 15 && z < 18;
      g_assert_cmpfloat_with_epsilon (
          level_at (rgba, SIDE / 2 - 10 + x, SIDE / 2 + 9 - z),
          inside ? 255 * by_x_and_z (x, 0, z) : ODL_CANVAS_LEVEL, 1);
    }
}

// Darker before, bright behind, for a viewer at low y. Bright bone has more blue.
static double
plates (int x, int y, int z)
{
  return y >= 4 && y < 7 ? 0.5 : y >= 13 && y < 16 ? 1 : 0;
}

static int
middle_of (OdlRenderScene *scene)
{
  static guint8 rgba[4 * SIDE * SIDE];

  odl_render_draw (scene, SIDE, SIDE, false, rgba);
  return rgba[4 * (SIDE / 2 * SIDE + SIDE / 2) + 2];
}

static void
test_hiding (void)
{
  g_autoptr (OdlBody) body = make_body (cube, even, plates);
  OdlRenderScene scene = make_scene (body, "ct-bone");

  const int front = middle_of (&scene);
  scene.look.yaw = 180;
  const int behind = middle_of (&scene);
  g_assert_cmpint (behind, >, front + 5);
  scene.look.yaw = 0;
  scene.cut = ODL_RENDER_CUT_FRONT;
  scene.voxel = (OdlVoxel){ { 10, 10, 10 } };
  g_assert_cmpint (middle_of (&scene), ==, behind);
  // From above both are seen from the side.
  scene.cut = ODL_RENDER_WHOLE;
  scene.preset = odl_render_preset_find ("maximum");
  g_assert_cmpint (middle_of (&scene), ==, 255);
}

static double
full (int x, int y, int z)
{
  return 1;
}

// Pixels left of the middle, above it, and so on, of a cube that is cut at its centre.
static void
test_cuts (void)
{
  static guint8 rgba[4 * SIDE * SIDE];
  static const struct {
    OdlRenderCut cut;
    int covered[4]; // left above, right above, left below, right below
  } cuts[] = {
    { ODL_RENDER_WHOLE, { 1, 1, 1, 1 } },
    { ODL_RENDER_CUT_TOP, { 0, 0, 1, 1 } },
    { ODL_RENDER_CUT_SIDE, { 1, 0, 1, 0 } },
    { ODL_RENDER_CUT_CORNER, { 1, 1, 1, 1 } }, // the back is still there
  };
  // All values are the same, which counts as 0.
  g_autoptr (OdlBody) body = make_body (cube, even, full);

  for (size_t i = 0; i < G_N_ELEMENTS (cuts); i++) {
    OdlRenderScene scene = make_scene (body, "maximum");
    scene.points[0] = -1;
    scene.cut = cuts[i].cut;
    scene.voxel = (OdlVoxel){ { 9, 9, 9 } };
    odl_render_draw (&scene, SIDE, SIDE, false, rgba);
    for (int k = 0; k < 4; k++)
      g_assert_cmpint (
          level_at (rgba, SIDE / 2 + (k % 2 ? 5 : -5), SIDE / 2 + (k / 2 ? 5 : -5)) != 18,
          ==, cuts[i].covered[k]);
  }
}

// Opacities of layers multiply: what a hundredth lets through, four quarters of it do.
static void
test_levels (void)
{
  const OdlRenderPreset *preset;
  static float whole[ODL_RENDER_LEVELS][4], quarter[ODL_RENDER_LEVELS][4];

  for (size_t p = 0; (preset = odl_render_preset_at (p)) != NULL; p++) {
    if (preset->maximum)
      continue;
    g_assert_cmpint (preset->n_points, >=, 2);
    odl_render_preset_fill (preset, 1, whole);
    odl_render_preset_fill (preset, 0.25, quarter);
    g_assert_cmpfloat (whole[0][3], ==, 0);
    g_assert_cmpfloat_with_epsilon (whole[ODL_RENDER_LEVELS - 1][3],
                                    preset->points[preset->n_points - 1].opacity, 1e-6);
    for (int i = 0; i < ODL_RENDER_LEVELS; i++)
      g_assert_cmpfloat_with_epsilon (pow (1 - (double) quarter[i][3], 4),
                                      1 - (double) whole[i][3], 1e-5);
  }
}

// The original is left of the wipe, at reduced size, too, where nothing is drawn outside
// of the place.
static void
test_wipe (void)
{
  static guint8 rgba[4 * SIDE * SIDE];
  g_autoptr (OdlBody) body = make_body (cube, even, by_x_and_z);
  g_autoptr (OdlBody) original = make_body (cube, even, full);
  OdlRenderScene scene = make_scene (body, "maximum");

  scene.original = original;
  scene.wipe_x = SIDE / 2;
  scene.points[0] = 0;
  scene.place = (OdlRenderPlace){ 8, 8, SIDE - 16, SIDE - 16 };
  scene.look.zoom = 0;
  scene.most_rays = 200;
  g_assert_true (odl_render_is_reduced (&scene));
  memset (rgba, 77, sizeof rgba);
  odl_render_draw (&scene, SIDE, SIDE, false, rgba);
  g_assert_cmpint (level_at (rgba, SIDE / 2 - 5, SIDE / 2), ==, 255);
  g_assert_cmpint (level_at (rgba, SIDE / 2 + 5, SIDE / 2), <, 200);
  for (int i = 0; i < SIDE; i++) {
    g_assert_cmpint (level_at (rgba, i, 7), ==, 77);
    g_assert_cmpint (level_at (rgba, 7, i), ==, 77);
    g_assert_cmpint (level_at (rgba, SIDE - 8, i), ==, 77);
  }
}

static double
by_hash (int x, int y, int z)
{
  return ((x * 7919 + y * 104729 + z * 1299709) % 1009) / 1009.0;
}

// Every voxel lies within its brick's values, also those around; no brick is wider.
static void
test_bricks (void)
{
  static const int size[3] = { 19, 8, 33 };
  g_autoptr (OdlBody) body = make_body (size, even, by_hash);
  int at[3];

  g_assert_cmpint (body->n_bricks[0], ==, 3);
  g_assert_cmpint (body->n_bricks[1], ==, 1);
  g_assert_cmpint (body->n_bricks[2], ==, 5);
  for (at[2] = 0; at[2] < 5; at[2]++)
    for (at[1] = 0; at[1] < 1; at[1]++)
      for (at[0] = 0; at[0] < 3; at[0]++) {
        OdlBrick wanted = { G_MAXUINT16, 0 };
        for (int z = MAX (8 * at[2] - 1, 0); z <= MIN (8 * at[2] + 8, 32); z++)
          for (int y = MAX (8 * at[1] - 1, 0); y <= MIN (8 * at[1] + 8, 7); y++)
            for (int x = MAX (8 * at[0] - 1, 0); x <= MIN (8 * at[0] + 8, 18); x++) {
              const guint16 value = body->values[x + 19 * (y + 8 * z)];
              wanted.low = MIN (wanted.low, value);
              wanted.high = MAX (wanted.high, value);
            }
        const OdlBrick *brick = &body->bricks[at[0] + 3 * (at[1] + at[2])];
        g_assert_cmpint (brick->low, ==, wanted.low);
        g_assert_cmpint (brick->high, ==, wanted.high);
      }
}

// A hollow ball with noise.
static double
ball (int x, int y, int z)
{
  const double r = sqrt ((x - 20) * (x - 20) + (y - 17) * (y - 17) + (z - 15) * (z - 15));

  return 0.8 * exp (-(r - 11) * (r - 11) / 4) + 0.05 * by_hash (x, y, z);
}

// With bricks of all values nothing is passed by: the pictures are the same.
static void
test_passing (void)
{
  static guint8 quick[4 * SIDE * SIDE], all[4 * SIDE * SIDE];
  static const int size[3] = { 41, 35, 30 };
  g_autoptr (OdlBody) body = make_body (size, tall, ball);
  g_autoptr (OdlBody) full = make_body (size, tall, ball);

  for (int i = 0; i < full->n_bricks[0] * full->n_bricks[1] * full->n_bricks[2]; i++)
    full->bricks[i] = (OdlBrick){ 0, G_MAXUINT16 };
  for (size_t p = 0; odl_render_preset_at (p) != NULL; p++)
    for (int cut = 0; cut < ODL_RENDER_N_CUTS; cut++) {
      OdlRenderScene scene = make_scene (body, odl_render_preset_at (p)->name);
      scene.look = (OdlLook){ .yaw = 35 * (double) cut, .pitch = 25, .zoom = 1 };
      scene.cut = (OdlRenderCut) cut;
      scene.voxel = (OdlVoxel){ { 22, 15, 12 } };
      scene.points[0] = 0.15;
      odl_render_draw (&scene, SIDE, SIDE, false, quick);
      scene.body = full;
      odl_render_draw (&scene, SIDE, SIDE, false, all);
      g_assert_cmpmem (quick, sizeof quick, all, sizeof all);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render/voxels-are-where-they-belong", test_places);
  g_test_add_func ("/render/lengths-come-from-the-spacing", test_spacing);
  g_test_add_func ("/render/a-box-cuts-the-rest-away", test_box);
  g_test_add_func ("/render/what-is-before-hides-what-is-behind", test_hiding);
  g_test_add_func ("/render/cuts-end-at-the-cross-hair", test_cuts);
  g_test_add_func ("/render/opacities-multiply", test_levels);
  g_test_add_func ("/render/bricks-hold-what-interpolation-takes-in", test_bricks);
  g_test_add_func ("/render/what-is-passed-by-shows-nothing", test_passing);
  g_test_add_func ("/render/the-original-is-left-of-the-wipe", test_wipe);
  return g_test_run ();
}
