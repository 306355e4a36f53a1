// SPDX-License-Identifier: MIT
// The window of the engines, and engines that fail while a picture is shown.
#include <string.h>

#include "support/support.h"
#include "widgets/windows/engine_window.h"
#include "widgets/viewport/gpu_device.h"
#include "widgets/viewport/private.h"
#include "widgets/window/parts.h"

#define FILTER "soft-threshold:threshold=0.1"

static GtkWindow *
find_engines (void)
{
  GtkWindow *found = NULL;
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *at = windows; at; at = at->next)
    if (ADW_IS_PREFERENCES_WINDOW (at->data))
      found = at->data;
  return found;
}

static bool
is_radio (GtkWidget *widget, const void *engine)
{
  GVariant *target
      = GTK_IS_CHECK_BUTTON (widget)
            ? gtk_actionable_get_action_target_value (GTK_ACTIONABLE (widget))
            : NULL;
  return target && g_str_equal (g_variant_get_string (target, NULL), engine);
}

static void
test_every_engine_can_be_chosen (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 48, false);
  open_and_wait (fixture, path);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.show-engines", NULL);
  GtkWidget *window = GTK_WIDGET (find_engines ());
  g_assert_nonnull (window);
  for (size_t i = 0; i < odl_engine_count (); i++) {
    const OdlEngineClass *klass = odl_engine_at (i);
    g_assert_nonnull (find_where (window, is_radio, klass->name));
    for (const OdlEngineVariant *v = klass->variants; v && v->name; v++) {
      g_autofree char *name
          = odl_engine_choice_to_text ((OdlEngineChoice){ klass, v->name });
      g_assert_nonnull (find_where (window, is_radio, name));
    }
  }
  gtk_widget_activate (find_where (window, is_radio, "cpu:scalar"));
  settle (fixture);
  g_assert_cmpstr (odl_session_engine (fixture->session), ==, "cpu:scalar");
  g_autofree char *kept = odl_settings_get_string (fixture->settings, "engine");
  g_assert_cmpstr (kept, ==, "cpu:scalar");
  g_assert_cmpstr (odl_session_frame (fixture->session)->variant, ==, "scalar");
  gtk_widget_activate (find_where (window, is_radio, "auto"));
  g_assert_cmpstr (odl_session_engine (fixture->session), ==, "auto");
  gtk_window_destroy (GTK_WINDOW (window));
}

// Whoever wonders why the engine of last time is not taken is told.
static void
test_environment_is_named (Fixture *fixture, const void *data)
{
  OdlEngineRequest request;
  g_autofree char *path = write_png (fixture, "a.png", 64, 48, false);
  open_and_wait (fixture, path);
  g_setenv ("ODL_ENGINE", "cpu:scalar", TRUE);
  g_assert_true (odl_engine_request (NULL, "reference", &request, NULL));
  g_unsetenv ("ODL_ENGINE");
  odl_session_set_engine_request (fixture->session, &request);
  settle (fixture);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.show-engines", NULL);
  GtkWidget *window = GTK_WIDGET (find_engines ());
  g_assert_true (has_label (window, "ODL_ENGINE asks for cpu:scalar"));
  gtk_window_destroy (GTK_WINDOW (window));
  odl_session_set_engine (fixture->session, "reference");
  settle (fixture);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.show-engines", NULL);
  window = GTK_WIDGET (find_engines ());
  g_assert_false (has_label (window, "ODL_ENGINE"));
  gtk_window_destroy (GTK_WINDOW (window));
}

static bool
is_measured (Fixture *fixture, const void *data)
{
  const OdlRanking *ranking = odl_session_ranking (fixture->session);
  return ranking && ranking->measured_at > 0
         && !odl_session_is_measuring (fixture->session);
}

static void
test_measures_again (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 48, false);
  open_and_wait (fixture, path);
  odl_session_set_engine (fixture->session, "auto");
  // Nothing to measure by: a sentence says what is missing.
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.measure-engines", NULL);
  g_assert_nonnull (strstr (
      odl_messages_last (odl_main_window_parts (fixture->window)->messages), "filter"));
  set_filters (fixture, FILTER);
  wait_until (fixture, is_measured, NULL);
  // On a graphics card others may be the best.
  if (!odl_gpu_device_exists ())
    g_assert_cmpstr (odl_session_frame (fixture->session)->engine->name, ==, "cpu");
}

static bool
is_cpu (Fixture *fixture, const void *data)
{
  return g_str_equal (odl_session_frame (fixture->session)->engine->name, "cpu");
}

// A picture in its own size with `filters`, on gl-fragment. What FILTER makes of it; NULL
// where there is no OpenGL.
static GdkPixbuf *
open_on_card (Fixture *fixture, const char *filters)
{
  static const char *const options[] = { "--filter", FILTER, NULL };
  g_autofree char *path = write_png (fixture, "a.png", 123, 77, false);
  open_and_wait (fixture, path);
  odl_viewport_actual_size (fixture->viewport);
  odl_session_set_engine (fixture->session, "gl-fragment");
  set_filters (fixture, filters);
  settle (fixture);
  if (odl_viewport_uses_gl (fixture->viewport))
    return cli_process (fixture, path, options);
  g_test_skip ("there is no OpenGL");
  return NULL;
}

static void
test_failure_in_the_middle (Fixture *fixture, const void *data)
{
  g_autoptr (GdkPixbuf) expected = open_on_card (fixture, "soft-threshold:threshold=0.3");
  if (expected == NULL)
    return;
  g_assert_cmpstr (odl_session_frame (fixture->session)->engine->name, ==, "gl-fragment");
  g_setenv ("ODL_FAULT", "gl-fragment/run", TRUE);
  set_filters (fixture, FILTER);
  wait_until (fixture, is_cpu, NULL);
  settle (fixture);
  assert_canvas_shows (fixture, expected);
  g_assert_nonnull (
      strstr (odl_messages_last (odl_main_window_parts (fixture->window)->messages),
              "gl-fragment"));
  g_assert_nonnull (strstr (odl_session_fallback_reason (fixture->session), "ODL_FAULT"));
  g_unsetenv ("ODL_FAULT");
  odl_session_set_engine (fixture->session, "auto");
  odl_session_set_engine (fixture->session, "gl-fragment");
  settle (fixture);
  g_assert_cmpstr (odl_session_frame (fixture->session)->engine->name, ==, "gl-fragment");
  g_assert_null (odl_session_fallback_reason (fixture->session));
  assert_canvas_shows (fixture, expected);
}

static bool
is_original (Fixture *fixture, const void *data)
{
  return g_str_equal (odl_viewport_half (fixture->viewport, false), "Original");
}

// As on a card whose driver compiles for a second: the picture as it came, which says so,
// and then the result.
static void
test_compiling (Fixture *fixture, const void *data)
{
  g_autoptr (GdkPixbuf) expected = open_on_card (fixture, "");
  if (expected == NULL)
    return;
  g_autofree char *path = g_build_filename (fixture->folder, "a.png", NULL);
  static const char *const options[] = { NULL };
  g_autoptr (GdkPixbuf) original = cli_process (fixture, path, options);
  g_setenv ("ODL_FAULT", "gl-fragment/prepare=pending", TRUE);
  set_filters (fixture, FILTER);
  wait_until (fixture, is_original, NULL);
  assert_canvas_shows (fixture, original);
  g_unsetenv ("ODL_FAULT");
  settle (fixture);
  assert_canvas_shows (fixture, expected);
  g_assert_cmpstr (odl_session_frame (fixture->session)->engine->name, ==, "gl-fragment");
  g_assert_null (odl_session_fallback_reason (fixture->session));
  g_assert_cmpstr (odl_viewport_half (fixture->viewport, false), ==, "Processed");
}

static bool
is_soft (Fixture *fixture, const void *data)
{
  return !odl_viewport_uses_gl (fixture->viewport);
}

static void
shows_without_card (Fixture *fixture, GdkPixbuf *expected)
{
  wait_until (fixture, is_soft, NULL);
  settle (fixture);
  g_unsetenv ("ODL_FAULT");
  g_assert_cmpstr (odl_session_frame (fixture->session)->engine->name, ==, "cpu");
  g_assert_nonnull (strstr (
      odl_messages_last (odl_main_window_parts (fixture->window)->messages), "OpenGL"));
  assert_canvas_shows (fixture, expected);
}

// As a lost context would: whatever is drawn fails.
static void
test_lost_canvas (Fixture *fixture, const void *data)
{
  g_autoptr (GdkPixbuf) expected = open_on_card (fixture, FILTER);
  if (expected == NULL)
    return;
  g_setenv ("ODL_FAULT", "canvas/draw", TRUE);
  odl_viewport_fit (fixture->viewport);
  odl_viewport_actual_size (fixture->viewport);
  shows_without_card (fixture, expected);
}

// The card's memory is full, or gone, when a picture of the CPU comes: that engine is not
// to blame, and the slow one is no way out.
static void
test_canvas_without_room (Fixture *fixture, const void *data)
{
  g_autoptr (GdkPixbuf) expected = open_on_card (fixture, "");
  if (expected == NULL)
    return;
  g_setenv ("ODL_FAULT", "gl-fragment/run,canvas/upload", TRUE);
  set_filters (fixture, FILTER);
  shows_without_card (fixture, expected);
}

static bool
is_on_card (Fixture *fixture, const void *data)
{
  return odl_viewport_uses_gl (fixture->viewport);
}

// What failed is tried again with another size, and with another file.
static void
test_canvas_comes_back (Fixture *fixture, const void *data)
{
  g_autoptr (GdkPixbuf) expected = open_on_card (fixture, FILTER);
  if (expected == NULL)
    return;
  for (int i = 0; i < 2; i++) {
    g_setenv ("ODL_FAULT", "canvas/draw", TRUE);
    odl_viewport_fit (fixture->viewport);
    odl_viewport_actual_size (fixture->viewport);
    shows_without_card (fixture, expected);
    g_assert_false (odl_viewport_uses_gl (fixture->viewport));
    if (i == 0) {
      gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1100, 840);
    } else {
      g_autofree char *path = write_png (fixture, "other.png", 50, 40, false);
      open_and_wait (fixture, path);
    }
    wait_until (fixture, is_on_card, NULL);
    settle (fixture);
    g_assert_true (odl_viewport_uses_gl (fixture->viewport));
    if (i == 0)
      assert_canvas_shows (fixture, expected);
  }
}

static void
take_failure (OdlViewport *viewport, const char *text, char **said)
{
  g_free (*said);
  *said = g_strdup (text);
}

// As where the driver refuses a program that is linked when it is needed first.
static void
test_canvas_without_program (Fixture *fixture, const void *data)
{
  g_autoptr (GdkPixbuf) expected = open_on_card (fixture, FILTER);
  if (expected == NULL)
    return;
  g_autofree char *said = NULL;
  g_signal_connect (fixture->viewport, "failure", G_CALLBACK (take_failure), &said);
  g_setenv ("ODL_FAULT", "canvas/program", TRUE);
  odl_viewport_fit (fixture->viewport);
  odl_viewport_actual_size (fixture->viewport);
  shows_without_card (fixture, expected);
  g_assert_nonnull (strstr (said, "OpenGL cannot be used here"));
  g_assert_nonnull (strstr (said, "canvas/program"));
  g_signal_handlers_disconnect_by_data (fixture->viewport, &said);
}

// The planes were drawn, the rendered view beside them was not.
static void
test_canvas_without_rays (Fixture *fixture, const void *data)
{
  odl_session_set_engine (fixture->session, "gl-compute");
  open_and_wait (fixture, "phantom:32x32x16");
  settle (fixture);
  if (!odl_viewport_uses_gl (fixture->viewport)) {
    g_test_skip ("there is no OpenGL");
    return;
  }
  odl_viewport_set_rendering (fixture->viewport, "maximum");
  settle (fixture);
  g_assert_true (odl_viewport_uses_gl (fixture->viewport));
  g_autofree char *said = NULL;
  g_signal_connect (fixture->viewport, "failure", G_CALLBACK (take_failure), &said);
  g_setenv ("ODL_FAULT", "canvas/rays", TRUE);
  odl_viewport_fit (fixture->viewport);
  wait_until (fixture, is_soft, NULL);
  settle (fixture);
  g_unsetenv ("ODL_FAULT");
  g_assert_nonnull (strstr (said, "canvas/rays"));
  g_signal_handlers_disconnect_by_data (fixture->viewport, &said);
  g_assert_cmpstr (odl_viewport_rendering (fixture->viewport), ==, "maximum");
  g_assert_nonnull (odl_session_frame (fixture->session)->result);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/engines/every-engine-can-be-chosen", test_every_engine_can_be_chosen);
  ADD ("/engines/the-environment-is-named", test_environment_is_named);
  ADD ("/engines/they-are-measured-again", test_measures_again);
  ADD ("/engines/a-failure-in-the-middle-is-no-black-canvas", test_failure_in_the_middle);
  ADD ("/engines/while-filters-are-compiled-the-original-is-shown", test_compiling);
  ADD ("/engines/a-lost-canvas-is-no-black-canvas", test_lost_canvas);
  ADD ("/engines/a-canvas-that-failed-is-tried-again", test_canvas_comes_back);
  ADD ("/engines/a-canvas-without-room-is-no-black-canvas", test_canvas_without_room);
  ADD ("/engines/a-refused-program-is-no-black-canvas", test_canvas_without_program);
  ADD ("/engines/refused-rays-are-no-black-canvas", test_canvas_without_rays);
  return g_test_run ();
}
