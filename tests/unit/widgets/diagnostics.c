// SPDX-License-Identifier: MIT
// Pure functions of the widgets, and the settings' defaults. Needs no display.
#include "widgets/diagnostics.h"
#include "widgets/expression.h"

#include <gtk/gtk.h>

#include "config.h"
#include "filter/own/words.h"
#include "output/badge.h"
#include "plan/title.h"
#include "session/player/timeline.h"
#include "widgets/settings.h"

static void
assert_text (char *text, const char *expected)
{
  g_autofree char *owned = text;
  g_assert_cmpstr (owned, ==, expected);
}

static void
test_line (void)
{
  OdlDiagnostics d = { .renderer = "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5",
                       .engine = "cpu",
                       .width = 512,
                       .height = 384 };
  assert_text (odl_diagnostics_line (&d), "llvmpipe · cpu · 512 × 384");
  d.processor = "Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz";
  assert_text (odl_diagnostics_line (&d),
               "Intel Xeon Gold 6130 · llvmpipe · cpu · 512 × 384");
  d.processor = NULL;
  d.renderer = "NVIDIA H200/PCIe/SSE2, OpenGL 4.6";
  d.engine = "gl-fragment";
  d.gpu = true;
  d.levels = 1;
  d.frames_per_second = 59.6;
  d.dropped = 3;
  d.time_ns = 63000;
  assert_text (
      odl_diagnostics_line (&d),
      "NVIDIA H200 · gl-fragment · 512 × 384 · 1 level · 60 fps · 3 dropped · GPU "
      "0.06 ms");
  d.fast = true;
  d.dropped = 0;
  assert_text (odl_diagnostics_line (&d),
               "NVIDIA H200 · gl-fragment · 512 × 384 · 1 level · 60 fps · as fast as "
               "possible · GPU 0.06 ms");
  d.latency_us = 21400;
  g_autofree char *line = odl_diagnostics_line (&d);
  g_assert_true (g_str_has_suffix (line, "GPU 0.06 ms · latency 21 ms"));
}

static void
test_transport (void)
{
  assert_text (odl_diagnostics_time (0.484, 2.56), "0:00.48 / 0:02.56");
  assert_text (odl_diagnostics_time (67.9, 750), "1:07 / 12:30");
  assert_text (odl_diagnostics_time (4000, 0), "1:06:40");
  assert_text (odl_diagnostics_time (1.5, 0), "0:01.50");
  assert_text (odl_diagnostics_rate (24.8, 3), "25 fps · 3 dropped");
  assert_text (odl_diagnostics_rate (7.46, 0), "7.5 fps");
  assert_text (odl_diagnostics_rate (0, 0), "");
  assert_text (odl_diagnostics_speed (0.25), "¼×");
  assert_text (odl_diagnostics_speed (0.5), "½×");
  assert_text (odl_diagnostics_speed (4), "4×");
  assert_text (odl_diagnostics_speed (ODL_SPEED_FAST), "Max");
  assert_text (odl_diagnostics_timing (12.5, "Frame Time", true),
               "12.5 frames per second by Frame Time");
  assert_text (odl_diagnostics_timing (30, NULL, true), "30 frames per second");
  assert_text (odl_diagnostics_timing (25, NULL, false),
               "No speed is given: 25 frames per second, as the preferences say");
  assert_text (odl_diagnostics_cache (96, 24 << 20, (size_t) 2 << 30),
               "96 frames, 24 MiB of 2048 MiB");
  assert_text (odl_diagnostics_cache (1, 1, 1 << 20), "1 frame, 1 MiB of 1 MiB");
}

static char *
describe (const char *text, int max_levels)
{
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, text, NULL));
  return odl_plan_title (&recipe, max_levels);
}

static void
test_recipe (void)
{
  assert_text (describe ("", 9), NULL);
  assert_text (describe ("pass-through", 9), NULL);
  assert_text (describe ("soft-threshold:threshold=0.05", 9),
               "CDF 9/7 · 3 levels · Soft threshold 0.05");
  assert_text (describe ("shrinkage:levels=2,thresholds=0.1/0.05", 9),
               "CDF 9/7 · 2 levels · Wavelet shrinkage 0.1/0.05");
  // What the size does not allow is not claimed.
  assert_text (describe ("shrinkage:levels=2,thresholds=0.1/0.05:0.04:0.08", 9),
               "CDF 9/7 · 2 levels · Wavelet shrinkage 0.1/0.05:0.04:0.08");
  assert_text (describe ("shrinkage:levels=5,wavelet=cdf53,thresholds=0.1/0.05", 1),
               "CDF 5/3 · 1 level · Wavelet shrinkage 0.1");
  assert_text (describe ("shrinkage:levels=2", 9),
               "CDF 9/7 · 2 levels · Wavelet shrinkage auto/auto");
  assert_text (describe ("gaussian:sigma=2 sharpen:amount=1,neighbours=8", 9),
               "Gaussian 2 + Sharpen 1, Neighbours 8");
  assert_text (describe ("mix:with=\"folder/b c.png\",weight=0.25", 9),
               "Mix b c.png, 0.25");
  assert_text (describe ("mix gaussian", 9), "Gaussian 1");
  assert_text (describe ("bilateral:range=0.1,space=2", 9), "Bilateral 0.1, Space (σ) 2");
  assert_text (describe ("persistence:level=5", 9),
               "Persistence 5, Motion threshold 0.05, Neighbourhood 3");
  assert_text (describe ("hard-threshold:threshold=0 view=analysis", 9),
               "CDF 9/7 · 3 levels · Hard threshold 0 · coefficients");
  assert_text (describe ("hard-threshold:threshold=0 view=level:2", 9),
               "CDF 9/7 · 3 levels · Hard threshold 0 · level 2 alone");
  // No line of a badge ends between the sign and its number.
  assert_text (describe ("gaussian view=residual", 9), "Gaussian 1 · taken away × 4");
}

// Every filter of the table says its own name, so a new one cannot go unnamed.
static void
test_every_filter_is_named (void)
{
  for (size_t i = 0; i < odl_filter_count (); i++) {
    const OdlFilter *filter = odl_filter_at (i);
    if (odl_own_is_filter (filter)) // nothing without a file
      continue;
    // One that takes a second picture does nothing without.
    g_autofree char *recipe = g_strdup_printf (
        odl_filter_file (filter) ? "%s:with=a/b.png" : "%s", filter->name);
    g_autofree char *text = describe (recipe, 5);
    if (filter->kind == ODL_FILTER_PASS_THROUGH)
      g_assert_null (text);
    else
      g_assert_nonnull (strstr (text, filter->label));
  }
}

static void
test_numbers (void)
{
  assert_text (odl_diagnostics_window (40, 400, "HU"), "C 40 · W 400 HU");
  assert_text (odl_diagnostics_window (0.5, 1, ""), "C 0.5 · W 1");
  assert_text (odl_diagnostics_window (32768, 65536, NULL), "C 32768 · W 65536");
  assert_text (odl_diagnostics_window (127.5, 255, NULL), "C 127.5 · W 255");
  assert_text (odl_diagnostics_window (-0.1234, 1234.5, NULL), "C −0.1234 · W 1234.5");
  assert_text (odl_diagnostics_window (0.0002203, 0.0006, NULL),
               "C 0.0002203 · W 0.0006");
  assert_text (odl_diagnostics_zoom (1), "1:1");
  assert_text (odl_diagnostics_zoom (1.25), "125 %");
  assert_text (odl_diagnostics_zoom (0.015), "1.5 %");
  assert_text (odl_diagnostics_frame (11, 64, false), "Frame 12/64");
  assert_text (odl_diagnostics_frame (11, 64, true), "Slice 12/64");
  assert_text (odl_diagnostics_frame (99, 0, false), "Frame 100");
  assert_text (odl_diagnostics_instance ("40", 21, 60), "Im 40 (21/60)");
  assert_text (odl_diagnostics_instance ("40", 0, 60), "Im 40");
  g_assert_cmpint (odl_diagnostics_digits (1), ==, 0);
  g_assert_cmpint (odl_diagnostics_digits (0.05), ==, 2);
  g_assert_cmpint (odl_diagnostics_digits (0.001), ==, 3);
}

static void
test_typed_numbers (void)
{
  static const struct {
    double value;
    const char *text;
  } shown[]
      = { { 0.1234, "0.1234" },       { 0, "0" },         { -0.0, "0" },
          { 127.5, "127.5" },         { 4095, "4095" },   { 0.0000123, "0.0000123" },
          { 1.0 / 3, "0.3333333" },   { -1024, "-1024" }, { 10, "10" },
          { 123456789, "123456789" }, { 0.05f, "0.05" },  { 9.99999999, "10" },
          { 1e9, "1000000000" } };
  static const char *const nonsense[]
      = { "",    " ",   "abc", "0,3",  "1 2",  "1.2.3", "1e",   "nan",
          "inf", "0x1", "-",   "0.5x", "4 HU", "--4",   "1e4e", "." };
  static const struct {
    const char *text;
    double value;
  } read[] = { { " 0.5 ", 0.5 },       { "+4", 4 },      { "-4", -4 },
               { "−4", -4 },           { "1e-3", 1e-3 }, { "1E2", 100 },
               { ".5", 0.5 },          { "5.", 5 },      { "1e400", HUGE_VAL },
               { "-1e400", -HUGE_VAL } };
  double value = 7;

  for (size_t i = 0; i < G_N_ELEMENTS (shown); i++) {
    assert_text (odl_diagnostics_number (shown[i].value), shown[i].text);
    g_assert_true (odl_diagnostics_read_number (shown[i].text, &value));
    g_assert_cmpfloat_with_epsilon (value, shown[i].value,
                                    1e-6 * ABS (shown[i].value) + 1e-12);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (nonsense); i++)
    if (odl_diagnostics_read_number (nonsense[i], &value))
      g_error ("“%s” was read as %g", nonsense[i], value);
  for (size_t i = 0; i < G_N_ELEMENTS (read); i++) {
    g_assert_true (odl_diagnostics_read_number (read[i].text, &value));
    g_assert_cmpfloat (value, ==, read[i].value);
  }
}

// By what bc and Python make of them.
static void
test_expressions (void)
{
  static const struct {
    const char *text;
    double value;
  } read[] = { { "25/255", 25.0 / 255 },
               { " 1 / 3 ", 1.0 / 3 },
               { "2*(3+4)", 14 },
               { "2+3*4", 14 },
               { "10-4-3", 3 },
               { "8/4/2", 1 },
               { "10^-3", 1e-3 },
               { "2^3^2", 512 },
               { "-2^2", -4 },
               { "(-2)^2", 4 },
               { "1e-3*2", 2e-3 },
               { "2e+1-1", 19 },
               { "−3 × 2", -6 },
               { "9 ÷ 3", 3 },
               { "2·3", 6 },
               { "--4", 4 },
               { "3--4", 7 },
               { "0.5", 0.5 },
               { "1e400", HUGE_VAL } };
  static const char *const nonsense[]
      = { "",    "1+", "*2",        "(1",   "1)",    "0/0", "1 2",
          "a/b", "()", "1/(2-2)*0", "2**3", "1,2/3", "^2",  "1e/2" };
  double value = 7;

  for (size_t i = 0; i < G_N_ELEMENTS (read); i++) {
    if (!odl_expression_read (read[i].text, odl_diagnostics_read_number, &value))
      g_error ("“%s” was not read", read[i].text);
    g_assert_cmpfloat (value, ==, read[i].value);
  }
  value = 7;
  for (size_t i = 0; i < G_N_ELEMENTS (nonsense); i++)
    if (odl_expression_read (nonsense[i], odl_diagnostics_read_number, &value))
      g_error ("“%s” was read as %g", nonsense[i], value);
  g_assert_cmpfloat (value, ==, 7);

  // Deep and long ones end in words, not in the stack.
  g_autofree char *deep = g_strnfill (150, '(');
  g_autofree char *signs = g_strnfill (150, '-');
  g_autofree char *longer = g_strnfill (100000, '-');
  g_assert_false (odl_expression_read (deep, odl_diagnostics_read_number, &value));
  g_assert_false (odl_expression_read (signs, odl_diagnostics_read_number, &value));
  g_assert_false (odl_expression_read (longer, odl_diagnostics_read_number, &value));
  const OdlNumberRange range = { .least = 0, .most = 1 };
  g_assert_null (odl_diagnostics_take_number ("25/255", &range, &value));
  g_assert_cmpfloat (value, ==, 25.0 / 255);
}

static void
test_names (void)
{
  assert_text (odl_diagnostics_date ("20240131"), "2024-01-31");
  assert_text (odl_diagnostics_date ("1997.04.24"), "1997-04-24");
  assert_text (odl_diagnostics_date ("199.704.24"), "199.704.24");
  assert_text (odl_diagnostics_short_name ("a.png", 20), "a.png");
  assert_text (odl_diagnostics_short_name ("a-very-long-name-indeed.dcm", 15),
               "a-very-lo…d.dcm");
  assert_text (odl_diagnostics_short_name ("a\nb\x1b", 20), "a b ");
  // A right-to-left override could make an executable look like a picture.
  assert_text (odl_diagnostics_short_name ("a\u202Egnp.exe", 20), "a gnp.exe");
  g_autofree char *invalid = odl_diagnostics_short_name ("\xff\xfe.png", 20);
  g_assert_true (g_utf8_validate (invalid, -1, NULL));
}

static void
test_breaks (void)
{
  assert_text (odl_diagnostics_breakable ("01_CT.dcm"), "01_\u200bCT.\u200bdcm");
  assert_text (odl_diagnostics_breakable ("écho"), "écho");
  assert_text (odl_diagnostics_breakable ("end."), "end.");
}

static void
test_sentences (void)
{
  assert_text (odl_diagnostics_sentence ("its mask is missing"), "Its mask is missing");
  assert_text (odl_diagnostics_sentence ("élan"), "Élan");
  assert_text (odl_diagnostics_sentence ("3 of 4"), "3 of 4");
  assert_text (odl_diagnostics_sentence (""), "");
}

static void
test_defaults_agree (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSettingsSchemaSource) source = g_settings_schema_source_new_from_directory (
      ODL_BUILD_SCHEMA_DIR, NULL, FALSE, &error);
  g_assert_no_error (error);
  g_autoptr (GSettingsSchema) schema
      = g_settings_schema_source_lookup (source, ODL_APP_ID, FALSE);
  g_assert_nonnull (schema);
  g_auto (GStrv) keys = g_settings_schema_list_keys (schema);
  for (int i = 0; keys[i]; i++) {
    g_autoptr (GSettingsSchemaKey) key = g_settings_schema_get_key (schema, keys[i]);
    g_autoptr (GVariant) kept = g_settings_schema_key_get_default_value (key);
    g_autoptr (GVariant) built_in = odl_settings_default (keys[i]);
    g_test_message ("%s", keys[i]);
    g_assert_nonnull (built_in);
    g_assert_true (g_variant_equal (kept, built_in));
  }
}

static void
test_settings_change (void)
{
  g_autoptr (OdlSettings) settings = odl_settings_new ();
  g_assert_true (odl_settings_are_kept (settings));
  odl_settings_set_int (settings, "window-width", 777);
  g_assert_cmpint (odl_settings_get_int (settings, "window-width"), ==, 777);
  odl_settings_set_string (settings, "last-folder", "/tmp");
  assert_text (odl_settings_get_string (settings, "last-folder"), "/tmp");
  odl_settings_set_boolean (settings, "show-sources", FALSE);
  g_assert_false (odl_settings_get_boolean (settings, "show-sources"));
}

static PangoContext *
font_context (void)
{
  return pango_font_map_create_context (pango_cairo_font_map_get_default ());
}

static int
count_bright (const OdlBadge *badge)
{
  int bright = 0;
  for (int i = 0; i < badge->stride * badge->height; i += 4)
    bright += badge->rgba[i] > 200;
  return bright;
}

static void
test_badge (void)
{
  PangoContext *context = font_context ();
  g_auto (OdlBadge) badge = { 0 };
  OdlBadgeText text = { .font_pixels = 13, .max_width = 300 };
  g_assert_true (odl_badge_update (&badge, context, &text));
  g_assert_null (badge.rgba); // the original bears none

  text.title
      = "CDF 9/7 · 3 levels · a filter with quite a long name, longer than the box";
  g_assert_true (odl_badge_update (&badge, context, &text));
  g_assert_false (odl_badge_update (&badge, context, &text));
  g_assert_nonnull (badge.rgba);
  g_assert_cmpint (badge.width, <=, 300);
  int lines = badge.height;
  for (int i = 0; i < badge.stride * badge.height; i += 4)
    g_assert_cmpint (badge.rgba[i], <=, badge.rgba[i + 3]); // premultiplied
  g_assert_cmpint (count_bright (&badge), >, 100); // there are letters

  const char *const marks[] = { "INCOMPLETE <b>", NULL };
  text.marks = marks;
  g_assert_true (odl_badge_update (&badge, context, &text));
  g_assert_cmpint (badge.height, >, lines);
  g_object_unref (context);
}

// Lines break elsewhere than between a filter's name and its number, however wide.
static void
test_badge_keeps_numbers_beside (void)
{
  PangoContext *context = font_context ();
  for (int width = 120; width < 420; width += 10) {
    OdlBadgeText text = { .font_pixels = 13, .max_width = width, .max_lines = 9 };
    g_auto (OdlBadge) own = { 0 }, wanted = { 0 };
    text.title = "Gaussian 1.5 + Écart 2 · 0 is grey";
    odl_badge_update (&own, context, &text);
    text.title = "Gaussian\u00a01.5 + Écart 2 · 0 is grey";
    odl_badge_update (&wanted, context, &text);
    g_assert_cmpmem (own.rgba, own.stride * own.height, wanted.rgba,
                     wanted.stride * wanted.height);
  }
  g_object_unref (context);
}

// Pango sets such text against the right end of all the room there is.
static void
test_badge_from_right_to_left (void)
{
  PangoContext *context = font_context ();
  OdlBadgeText text = { .title = "CDF 9/7", .font_pixels = 13, .max_width = 900 };
  g_auto (OdlBadge) usual = { 0 };
  odl_badge_update (&usual, context, &text);
  pango_context_set_base_dir (context, PANGO_DIRECTION_RTL);
  g_auto (OdlBadge) turned = { 0 };
  odl_badge_update (&turned, context, &text);
  g_assert_cmpint (turned.width, ==, usual.width);
  g_assert_cmpint (count_bright (&turned), >, count_bright (&usual) / 2);
  g_object_unref (context);
}

static void
test_engines (void)
{
  OdlEngineChoice cpu = { odl_engine_find ("cpu"), NULL };
  OdlEngineChoice scalar = { odl_engine_find ("cpu"), "scalar" };
  OdlEngineChoice none = { NULL, NULL };
  g_autofree char *plain = odl_diagnostics_engine (cpu, none);
  g_autofree char *asked = odl_diagnostics_engine (scalar, scalar);
  g_autofree char *other = odl_diagnostics_engine (cpu, scalar);
  g_assert_cmpstr (plain, ==, "cpu");
  g_assert_cmpstr (asked, ==, "cpu:scalar");
  g_assert_cmpstr (other, ==, "cpu in place of cpu:scalar");
  g_autofree char *fast = odl_diagnostics_ms (0.0512);
  g_autofree char *slow = odl_diagnostics_ms (123.45);
  g_assert_cmpstr (fast, ==, "0.05 ms");
  g_assert_cmpstr (slow, ==, "123.5 ms");
  g_autoptr (OdlRanking) ranking = odl_ranking_new ("key");
  g_autofree char *nothing = odl_diagnostics_measured (NULL, false);
  g_autofree char *not_yet = odl_diagnostics_measured (ranking, false);
  g_autofree char *now = odl_diagnostics_measured (ranking, true);
  ranking->measured_at = 1795241953;
  g_autofree char *done = odl_diagnostics_measured (ranking, false);
  g_assert_nonnull (strstr (nothing, "filter"));
  g_assert_cmpstr (not_yet, ==, "Not measured yet");
  g_assert_cmpstr (now, ==, "Measuring…");
  g_assert_nonnull (strstr (done, "2026-11-2"));
}

static void
test_badge_blend (void)
{
  PangoContext *context = font_context ();
  g_auto (OdlBadge) badge = { 0 };
  OdlBadgeText text = { .title = "x", .font_pixels = 12, .max_width = 200 };
  odl_badge_update (&badge, context, &text);
  uint8_t rgba[8 * 6 * 4];
  memset (rgba, 255, sizeof rgba);
  // Larger than the picture on all sides: it is cut, and nothing is written outside.
  odl_badge_blend (&badge, rgba, 8, 6, -5, -5, false);
  int dark = 0;
  for (size_t i = 0; i < sizeof rgba; i += 4) {
    dark += rgba[i] < 200;
    g_assert_cmpint (rgba[i + 3], ==, 255);
  }
  g_assert_cmpint (dark, >, 24);
  g_object_unref (context);
}

int
main (int argc, char **argv)
{
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/diagnostics/the-line-says-what-is-known", test_line);
  g_test_add_func ("/diagnostics/transport-is-put-into-words", test_transport);
  g_test_add_func ("/diagnostics/a-recipe-is-put-into-words", test_recipe);
  g_test_add_func ("/diagnostics/every-filter-is-named", test_every_filter_is_named);
  g_test_add_func ("/diagnostics/numbers-are-short", test_numbers);
  g_test_add_func ("/diagnostics/numbers-are-shown-as-typed", test_typed_numbers);
  g_test_add_func ("/diagnostics/what-makes-a-number-is-one", test_expressions);
  g_test_add_func ("/diagnostics/names-of-files-are-harmless", test_names);
  g_test_add_func ("/diagnostics/names-break-behind-separators", test_breaks);
  g_test_add_func ("/diagnostics/a-clause-becomes-a-sentence", test_sentences);
  g_test_add_func ("/diagnostics/engines-and-times", test_engines);
  g_test_add_func ("/settings/both-tables-of-defaults-agree", test_defaults_agree);
  g_test_add_func ("/settings/a-change-is-read-back", test_settings_change);
  g_test_add_func ("/badge/it-says-what-was-done-in-its-width", test_badge);
  g_test_add_func ("/badge/it-keeps-numbers-beside-their-words",
                   test_badge_keeps_numbers_beside);
  g_test_add_func ("/badge/it-reads-from-right-to-left-too",
                   test_badge_from_right_to_left);
  g_test_add_func ("/badge/blending-stays-inside-the-picture", test_badge_blend);
  return g_test_run ();
}
