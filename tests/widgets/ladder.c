// SPDX-License-Identifier: MIT
// The ladder of canvases: whatever GL there is, the same picture and a sentence about
// what is missing. ODL_TEST_EXPECT names the canvas that must come out: gl or software.
#include "support/support.h"
#include "widgets/window/parts.h"

#define WIDTH 123
#define HEIGHT 77

static void
test_same_picture (Fixture *fixture, const void *data)
{
  const char *expected = g_getenv ("ODL_TEST_EXPECT");
  g_assert_nonnull (expected);
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  odl_viewport_actual_size (fixture->viewport);
  set_filters (fixture, "shrinkage:levels=3,thresholds=0.2/0.1/0.05");
  bool gl = g_str_equal (expected, "gl");
  const OdlFrame *frame = odl_session_frame (fixture->session);
  const char *toast
      = odl_messages_last (odl_main_window_parts (fixture->window)->messages);
  g_test_message ("%s, %s: %s", odl_viewport_renderer (fixture->viewport),
                  frame->engine->name, toast ? toast : "no message");
  g_assert_true (odl_viewport_uses_gl (fixture->viewport) == gl);
  g_assert_cmpstr (frame->engine->name, ==, gl ? "gl-fragment" : "cpu");
  if (gl)
    g_assert_null (toast);
  else
    g_assert_nonnull (strstr (toast, "OpenGL"));
  static const char *const options[]
      = { "--filter", "shrinkage:levels=3,thresholds=0.2/0.1/0.05", NULL };
  g_autoptr (GdkPixbuf) pixbuf = cli_process (fixture, path, options);
  assert_canvas_shows (fixture, pixbuf);
}

// The user changes his mind: the engine, and with it the canvas, while a picture is
// shown.
static void
test_engines_take_turns (Fixture *fixture, const void *data)
{
  static const char *const engines[]
      = { "cpu", "reference", "gl-fragment", "auto", "gl-fragment" };
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, true);
  open_and_wait (fixture, path);
  odl_viewport_actual_size (fixture->viewport);
  set_filters (fixture, "soft-threshold:threshold=0.1");
  static const char *const options[]
      = { "--filter", "soft-threshold:threshold=0.1", NULL };
  g_autoptr (GdkPixbuf) pixbuf = cli_process (fixture, path, options);
  for (size_t i = 0; i < G_N_ELEMENTS (engines); i++) {
    g_test_message ("%s", engines[i]);
    odl_session_set_engine (fixture->session, engines[i]);
    settle (fixture);
    assert_canvas_shows (fixture, pixbuf);
  }
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/ladder/the-picture-is-the-same-on-this-canvas", test_same_picture);
  ADD ("/ladder/engines-take-turns-while-a-picture-is-shown", test_engines_take_turns);
  return g_test_run ();
}
