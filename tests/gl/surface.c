// SPDX-License-Identifier: MIT
// Surfaces: the GL canvas against what the processor draws.
#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

#include "engine/gl/canvas/canvas.h"
#include "engine/gl/platform/offscreen.h"
#include "fixture.h"

#define WIDTH 150
#define HEIGHT 110
#define SIDE 12

// Heights of a wave, which hides parts of itself.
static void
make_points (float points[3 * SIDE * SIDE], float height)
{
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      float *point = points + 3 * (y * SIDE + x);
      point[0] = 10 - (float) x;
      point[1] = 7 - (float) y;
      point[2] = height * sinf ((float) x) * cosf (0.7f * (float) y);
    }
}

static void
set_scene (OdlLookScene *scene, float height)
{
  const OdlSurfaceShape shape = { .points = { SIDE, SIDE }, .degree = { 3, 2 } };
  g_autoptr (OdlSurface) surface = odl_surface_new_uniform (&shape);
  float points[3 * SIDE * SIDE];

  make_points (points, 1);
  scene->original = odl_mesh_new (surface, points);
  scene->whole = odl_mesh_ref (scene->original);
  make_points (points, height);
  scene->mesh = odl_mesh_new (surface, points);
  scene->net = odl_mesh_new_net (surface, points);
}

static void
clear_scene (OdlLookScene *scene)
{
  odl_mesh_unref (scene->original);
  odl_mesh_unref (scene->whole);
  odl_mesh_unref (scene->mesh);
  odl_mesh_unref (scene->net);
}

// RGBA from the top.
static guint8 *
drawn_by_gl (OdlGlCanvas *canvas, const OdlLookScene *look)
{
  const gsize row = (gsize) 4 * WIDTH;
  const OdlGlScene scene = { .surface = look };
  const OdlView view = odl_view_make (WIDTH, HEIGHT, 1);
  g_autofree guint8 *pixels = g_malloc (row * HEIGHT);
  guint8 *flipped = g_malloc (row * HEIGHT);

  glClearColor (1, 0, 1, 0);
  glClear (GL_COLOR_BUFFER_BIT);
  g_assert_true (odl_gl_canvas_draw (canvas, &scene, &view, WIDTH, HEIGHT, NULL));
  odl_gl_test_no_gl_error ();
  g_assert_false (glIsEnabled (GL_DEPTH_TEST));
  glReadPixels (0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
  for (int y = 0; y < HEIGHT; y++)
    memcpy (flipped + row * (gsize) y, pixels + row * (gsize) (HEIGHT - 1 - y), row);
  return flipped;
}

static bool
is_bare (const guint8 *pixel)
{
  return pixel[0] == ODL_CANVAS_LEVEL && pixel[1] == ODL_CANVAS_LEVEL
         && pixel[2] == ODL_CANVAS_LEVEL;
}

// Edges are smoothed in other ways; elsewhere both agree.
static void
compare (const guint8 *gl, const guint8 *soft, const char *what, bool net)
{
  int n = 0, differing = 0, covered = 0;

  for (int i = 0; i < WIDTH * HEIGHT; i++) {
    bool differs = false;
    for (int c = 0; c < 3; c++)
      differs = differs || ABS (gl[4 * i + c] - soft[4 * i + c]) > 4;
    covered += !is_bare (gl + 4 * i);
    differing += differs;
    n++;
  }
  g_test_message ("%s: %d of %d pixels differ, %d are covered", what, differing, n,
                  covered);
  g_assert_cmpint (covered, >, n / 10);
  g_assert_cmpint (covered, <, n);
  if (!net) // lines have other widths
    g_assert_cmpint (differing, <, n / 20);
}

static void
gl_draws_as_the_processor (void)
{
  static const struct {
    const char *name;
    OdlLook look;
    int wipe;
    bool net;
  } cases[] = {
    { "front", { 0, 0, 0 }, 0, false },
    { "turned, near", { 50, 30, 1.7 }, 0, false },
    { "from behind", { 170, -20, 0.8 }, 0, false },
    { "wipe", { 20, 60, 1 }, 70, false },
    { "net", { 20, 60, 1 }, 0, true },
  };
  g_autoptr (GError) error = NULL;
  OdlGlCanvas *canvas = odl_gl_canvas_new (&error);
  g_autofree guint8 *soft = g_malloc ((gsize) 4 * WIDTH * HEIGHT);

  g_assert_no_error (error);
  g_autoptr (OdlGlOffscreen) offscreen = odl_gl_offscreen_new (WIDTH, HEIGHT, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    OdlLookScene scene = { .look = cases[i].look, .wipe_x = cases[i].wipe };
    set_scene (&scene, 2.5f);
    OdlLookScene shown = scene;
    shown.net = cases[i].net ? scene.net : NULL;
    g_autofree guint8 *gl = drawn_by_gl (canvas, &shown);
    g_assert_true (odl_look_draw (&shown, WIDTH, HEIGHT, false, soft));
    compare (gl, soft, cases[i].name, cases[i].net);
    clear_scene (&scene);
  }
  odl_gl_canvas_free (canvas);
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "surface/gl-draws-as-the-processor", gl_draws_as_the_processor },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
