// SPDX-License-Identifier: MIT
// Code of the user's own: its words, its parameters, and its place in recipes.
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "base/error.h"
#include "filter/own/own.h"
#include "filter/own/tokens.h"
#include "filter/recipe.h"

#define BODY "SAMPLE filtered (ivec2 p) { return at (p); }\n"

static const OdlOwnCode *
code_of (const char *text, GError **error)
{
  return odl_own_code_new ("x.glsl", text, strlen (text), error);
}

static const OdlOwnCode *
good (const char *text)
{
  g_autoptr (GError) error = NULL;
  const OdlOwnCode *code = code_of (text, &error);

  g_assert_no_error (error);
  return code;
}

// Refused, with a sentence that has these words.
static void
bad (const char *text, const char *where, const char *what)
{
  g_autoptr (GError) error = NULL;

  if (code_of (text, &error) != NULL)
    g_error ("accepted: %s", text);
  if (strstr (error->message, where) == NULL || strstr (error->message, what) == NULL)
    g_error ("“%s” lacks “%s” or “%s”", error->message, where, what);
}

static void
test_words (void)
{
  static const char *const refused[][3] = {
    { "layout (binding = 0) uniform float x;\n" BODY, "line 1", "layout" },
    { "\n\nuniform float x;\n" BODY, "line 3", "uniform" },
    { "buffer X { float x[]; };\n" BODY, "line 1", "buffer" },
    { "#version 330\n" BODY, "line 1", "“#”" },
    { "#define at(p) 1.0\n" BODY, "line 1", "“#”" },
    { "SAMPLE filtered (ivec2 p) { return source[p.x]; }", "line 1", "source" },
    { "SAMPLE filtered (ivec2 p) {\n return texelFetch (x, p, 0).x; }", "line 2",
      "texelFetch" },
    { "SAMPLE filtered (ivec2 p) { imageStore (p, p); }", "line 1", "imageStore" },
    { "SAMPLE filtered (ivec2 p) { return gl_FragCoord.x; }", "line 1", "gl_FragCoord" },
    { "SAMPLE filtered (ivec2 p) { discard; }", "line 1", "discard" },
    { "SAMPLE filtered (ivec2 p) { barrier (); }", "line 1", "barrier" },
    { "struct S { float x; };\n" BODY, "line 1", "struct" },
    { "shared float x;\n" BODY, "line 1", "shared" },
    { "SAMPLE filtered (ivec2 p) { return at (p) \\\n; }", "line 1", "“\\”" },
    { "SAMPLE filtered (ivec2 p) { return at (p).foo; }", "line 1", "“foo”" },
    { "SAMPLE filtered (ivec2 p) { float a__b = 1.0; }", "line 1", "a__b" },
    { "SAMPLE filtered (ivec2 p) { float gl = 1.0, gl_x = gl_y; }", "line 1", "gl_y" },
    { "float at (ivec2 p) { return 1.0; }\n" BODY, "line 1", "“at”" },
    { "float main () { return unknown; }\n" BODY, "line 1", "unknown" },
    { "/* without end\n" BODY, "line 1", "*/" },
    { "float x = \"a\";\n" BODY, "line 1", "“\"”" },
    { "float ä;\n" BODY, "line 1", "only comments" },
    { "// nothing\n", "line 2", "SAMPLE filtered" },
    { "SAMPLE filtered (ivec2 p);", "line 1", "SAMPLE filtered" },
    { "SAMPLE filtered;\nvoid f () { }", "line 2", "SAMPLE filtered" },
    { "float filtered (ivec2 p) { return 1.0; }", "line 1", "SAMPLE filtered" },
    { "SAMPLE filtered (ivec2 p) { return at (p); ", "line 1", "“}”" },
    { "SAMPLE filtered (ivec2 p) { return at (p); } }", "line 1", "closes nothing" },
    { "SAMPLE filtered (ivec2 p) { return at (p]; }", "line 1", "“]”" },
    { "SAMPLE filtered (ivec2 p) { for (int i = 0; i < 3) ; }", "line 1", "three parts" },
    { "SAMPLE filtered (ivec2 p) { for (;;;) ; }", "line 1", "three parts" },
    { "SAMPLE filtered (ivec2 p) { for return at (p); }", "line 1", "bracket" },
    { "SAMPLE filtered (ivec2 p) { while () ; }", "line 1", "condition" },
    { "SAMPLE filtered (ivec2 p) { return max (at (p); }", "line 1", "within brackets" },
    { "SAMPLE filtered (ivec2 p) { float a[0]; }", "line 1", "[9]" },
    { "SAMPLE filtered (ivec2 p) { float a[513]; }", "line 1", "512" },
    { "SAMPLE filtered (ivec2 p) { float a[p.x]; }", "line 1", "512" },
    { "float a[512], b[512], c[512], d[512], e[1];\n" BODY, "line 1", "2048" },
    { "SAMPLE filtered (ivec2 p) { vec2 v; return v[p.x]; }", "line 1", "“v”" },
    { "SAMPLE filtered (ivec2 p) { float a[3]; return a[1][2]; }", "line 1", "“]”" },
    { "float f () { float a[3]; return a[0]; }\n"
      "SAMPLE filtered (ivec2 p) { vec2 a; return at (p); }",
      "line 2", "another length" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (refused); i++)
    bad (refused[i][0], refused[i][1], refused[i][2]);
}

// What is let through is renamed, counted and kept within bounds, line by line.
static void
test_rewriting (void)
{
  static const char *const wanted[][2] = {
    { "SAMPLE filtered (ivec2 p)\n{ // why\n  return at (p) + other (p); }",
      "SAMPLE own_filtered (ivec2 own_p)\n {\n "
      "return given_at (own_p) + given_other (own_p); }" },
    { "SAMPLE filtered (ivec2 p) { for (;;) break; }",
      "SAMPLE own_filtered (ivec2 own_p) { for (; given_turn () && (true);) break; }" },
    { "SAMPLE filtered (ivec2 p) { for (int i = 0, j = 1; i < j; i++, j--) ; }",
      "SAMPLE own_filtered (ivec2 own_p) { for (int own_i = 0, own_j = 1; given_turn () "
      "&& ( own_i < own_j); own_i++, own_j--) ; }" },
    { "SAMPLE filtered (ivec2 p) { do p.x++; while (p.x < 9 || p.y > 2); }",
      "SAMPLE own_filtered (ivec2 own_p) { do own_p.x++; while (given_turn () && "
      "(own_p.x "
      "< 9 || own_p.y > 2)); }" },
    { "SAMPLE filtered (ivec2 p) { float a[9], b; b = a[p.x + 1]; }",
      "SAMPLE own_filtered (ivec2 own_p) { float own_a[9], own_b; own_b = "
      "own_a[given_index (9, own_p.x + 1)]; }" },
    { "SAMPLE filtered (ivec2 buffer) { return max (at (buffer), SAMPLE (1e-3)); }",
      "SAMPLE own_filtered (ivec2 own_buffer) { return max (given_at (own_buffer), "
      "SAMPLE "
      "(1e-3)); }" },
    { "float f (in float a, const float b) { return a; }\n" BODY,
      "float own_f (in float own_a, const float own_b) { return own_a; }\n" },
    { "// parameter: half-width 0..4 = 1  Width\nSAMPLE filtered (ivec2 p) { return "
      "HALF_WIDTH * at (p); }",
      "\n SAMPLE own_filtered (ivec2 own_p) { return OWN0 * given_at (own_p); }" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (wanted); i++) {
    const OdlOwnCode *code = good (wanted[i][0]);
    if (!g_str_has_prefix (code->text, wanted[i][1]))
      g_error ("“%s” became “%s”", wanted[i][0], code->text);
    g_assert_true (code->reads_other == (i == 0));
  }
}

static void
test_bounds (void)
{
  g_autoptr (GString) deep = g_string_new ("SAMPLE filtered (ivec2 p) { return ");
  g_autoptr (GString) many = g_string_new ("SAMPLE filtered (ivec2 p) { return 0.0");
  g_autoptr (GString) large = g_string_new ("//");
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < ODL_OWN_MOST_DEPTH; i++)
    g_string_append_c (deep, '(');
  bad (deep->str, "line 1", "64");
  for (int i = 0; i < ODL_OWN_MOST_TOKENS; i++)
    g_string_append (many, "+1");
  bad (many->str, "line 1", "8192");
  for (int i = 0; i < ODL_OWN_MOST_BYTES; i++)
    g_string_append_c (large, ' ');
  g_string_append (large, "\n" BODY);
  bad (large->str, "x.glsl", "64 KiB");
  g_assert_null (odl_own_code_new ("x.glsl", "a\0b", 3, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_CORRUPT);
}

// No prefix of a file, and no byte of it replaced, does more than be refused.
static void
test_damaged (void)
{
  static const char text[]
      = "// parameter: a-b 0..4 = 0.5 px  Words\n"
        "float f (vec2 x[3], int i) { return x[i].y; }\n"
        "SAMPLE filtered (ivec2 p) { /* c */ for (int i = 0; i < 3; i++) p += i;\n"
        "  while (A_B > 1.5e-3) { p.x--; } return at (p) * other (p); }\n";
  int accepted = 0;

  for (size_t n = 0; n < sizeof text; n++)
    accepted += odl_own_code_new ("cut.glsl", text, n, NULL) != NULL;
  g_assert_cmpint (accepted, ==, 2); // whole, with its last line's end or without
  for (size_t n = 0; n < sizeof text - 1; n++)
    for (size_t c = 0; c < 96; c += 5) {
      g_autofree char *other = g_strdup (text);
      other[n] = (char) (32 + (c + n) % 96);
      g_autoptr (GError) error = NULL;
      if (odl_own_code_new ("other.glsl", other, sizeof text - 1, &error) == NULL)
        g_assert_nonnull (error);
    }
}

static void
test_parameters (void)
{
  const OdlOwnCode *code
      = good ("// A filter.\n"
              "//parameter: amount -1.5..4 = 0.5  How much\n"
              "\n"
              "// parameter: half-width 0..100 = 25 px  How “wide”, in pixels\n" BODY
              "// parameter: later 0..1 = 0  None, since code stands before it\n");
  const OdlFilter *filter = &code->filter;

  g_assert_cmpuint (filter->n_parameters, ==, 2);
  const OdlParameter *amount = odl_filter_parameter (filter, "amount");
  const OdlParameter *width = odl_filter_parameter (filter, "half-width");
  g_assert_cmpfloat (amount->minimum, ==, -1.5);
  g_assert_cmpfloat (amount->maximum, ==, 4);
  g_assert_cmpfloat (amount->default_value, ==, 0.5);
  g_assert_cmpfloat (amount->step, ==, 0.01);
  g_assert_cmpstr (amount->unit, ==, "");
  g_assert_cmpstr (amount->label, ==, "How much");
  g_assert_cmpstr (width->unit, ==, "px");
  g_assert_cmpstr (width->label, ==, "How “wide”, in pixels");
  g_assert_cmpfloat (width->step, ==, 1);
  g_assert_cmpint (width->offset, ==, 1);
  bad ("// parameter: Amount 0..4 = 1  A\n" BODY, "line 1", "Amount");
  bad ("// parameter: file 0..4 = 1  A\n" BODY, "line 1", "file");
  bad ("// parameter: a 0..4 = 1  A\n// parameter: a 0..4 = 1  A\n" BODY, "line 2", "a");
  bad ("// parameter: a 4..0 = 1  A\n" BODY, "line 1", "4..0");
  bad ("// parameter: a 0..nan = 1  A\n" BODY, "line 1", "0..nan");
  bad ("// parameter: a 0..1e9 = 1  A\n" BODY, "line 1", "1e9");
  bad ("// parameter: a 0..4 1  A\n" BODY, "line 1", "DEFAULT");
  bad ("// parameter: a 0..4 = 5  A\n" BODY, "line 1", "5");
  bad ("// parameter: a 0..4 = 1 px\n" BODY, "line 1", "words for people");
  bad ("// parameter:\n" BODY, "line 1", "no name");
  g_autoptr (GString) nine = g_string_new (NULL);
  for (int i = 0; i < 9; i++)
    g_string_append_printf (nine, "// parameter: p%d 0..1 = 1  P\n", i);
  g_string_append (nine, BODY);
  bad (nine->str, "line 9", "eight");
}

static void
refused (OdlRecipe *recipe, const char *text, OdlErrorCode code, const char *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (odl_recipe_parse (recipe, text, &error));
  g_assert_error (error, ODL_ERROR, (int) code);
  if (strstr (error->message, word) == NULL)
    g_error ("“%s” lacks “%s”", error->message, word);
  g_assert_cmpint (recipe->n_items, ==, 0);
}

// What is said of code is said of its bytes, under all names; what may not run does not
// act. The last test: from then on code waits.
static void
test_asking (void)
{
  static const char text[] = "// asked\n" BODY;
  OdlRecipe recipe;

  odl_own_ask ();
  const OdlOwnCode *code = odl_own_code_new ("a.glsl", text, sizeof text - 1, NULL);
  g_assert_cmpint (odl_own_state (code), ==, ODL_OWN_WAITS);
  const OdlOwnCode *other = odl_own_code_new ("b.glsl", text, sizeof text - 1, NULL);
  g_assert_true (other != code);
  odl_recipe_init (&recipe);
  odl_recipe_append (&recipe, &other->filter);
  g_assert_false (odl_recipe_item_acts (&recipe.items[0]));
  odl_own_set_state (code, ODL_OWN_ALLOWED, NULL);
  g_assert_true (odl_recipe_item_acts (&recipe.items[0]));
  odl_own_set_state (other, ODL_OWN_FAILED, "It fails.");
  g_assert_cmpstr (odl_own_fault (code), ==, "It fails.");
  g_assert_false (odl_recipe_item_acts (&recipe.items[0]));
  const OdlOwnCode *third = odl_own_code_new ("c.glsl", text, sizeof text - 1, NULL);
  g_assert_cmpint (odl_own_state (third), ==, ODL_OWN_FAILED);
  // Now a recipe may name it, which still does not act.
  g_autofree char *words = g_strdup_printf ("glsl:file=a.glsl,sha256=%s", code->hash);
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, words, NULL));
  g_assert_false (odl_recipe_item_acts (&recipe.items[0]));
  // But what another program sends may not, and no file is looked for.
  odl_recipe_init (&recipe);
  refused (&recipe, "glsl:file=/nowhere/x.glsl", ODL_ERROR_IO, "/nowhere/x.glsl");
  recipe.refuses_code = true;
  refused (&recipe, "median glsl:file=/nowhere/x.glsl", ODL_ERROR_DENIED, "cannot name");
  refused (&recipe, "python:file=/nowhere/x.py", ODL_ERROR_DENIED, "cannot name");
  refused (&recipe, words, ODL_ERROR_DENIED, "cannot name");
  refused (&recipe, "glsl", ODL_ERROR_DENIED, "cannot name");
  g_assert_true (odl_recipe_parse (&recipe, "mix:with=python.png", NULL));
  g_assert_false (odl_own_has_loops (code));
  g_assert_true (odl_own_twin (code, ODL_OWN_TWIN_TURNS)
                 == odl_own_twin (code, ODL_OWN_TWIN_TURNS));
}

// Nothing is read before somebody trusts it; texts have the name and the hash alone.
static void
test_recipes (void)
{
  g_autofree char *folder = g_dir_make_tmp ("own-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a b.glsl", NULL);
  g_autofree char *preset = g_build_filename (folder, "preset", NULL);
  g_autofree char *named = g_strdup_printf ("glsl:file=\"%s\",amount=2", path);
  const char *text = "// parameter: amount 0..4 = 0.5  How much\n" BODY;
  g_autoptr (GError) error = NULL;
  OdlRecipe recipe, again;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  odl_recipe_init (&recipe);
  refused (&recipe, named, ODL_ERROR_DENIED, "--trust-code");
  refused (&recipe, "glsl:file=/nowhere/x.glsl", ODL_ERROR_DENIED, "--trust-code");
  recipe.trusts_code = true;
  refused (&recipe, "glsl:file=/nowhere/x.glsl", ODL_ERROR_IO, "/nowhere/x.glsl");
  refused (&recipe, "glsl:file=/dev/zero", ODL_ERROR_IO, "/dev/zero");
  refused (&recipe, "glsl:amount=2", ODL_ERROR_USAGE, "file=NAME.glsl");
  g_assert_true (odl_recipe_parse (&recipe, named, &error));
  g_assert_no_error (error);
  g_assert_true (odl_recipe_item_acts (&recipe.items[0]));
  g_assert_cmpfloat (odl_recipe_get (&recipe, 0, "amount", 0), ==, 2);
  g_autofree char *told = odl_recipe_to_text (&recipe, " ");
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  g_autofree char *wanted
      = g_strdup_printf ("glsl:file=\"a b.glsl\",sha256=%s,amount=2 ", hash);
  g_assert_true (g_str_has_prefix (told, wanted));
  g_assert_null (strstr (told, folder));
  // The text is the recipe's, here without a file to read.
  odl_recipe_init (&again);
  refused (&again, told, ODL_ERROR_DENIED, "--trust-code");
  again.trusts_code = true;
  g_assert_true (odl_recipe_parse (&again, told, NULL));
  g_assert_true (odl_recipe_equal (&recipe, &again));
  // A preset stands beside its code, whose bytes must be those that it names.
  g_assert_true (odl_recipe_save (&recipe, preset, NULL));
  odl_recipe_init (&again);
  g_assert_false (odl_recipe_load (&again, preset, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_DENIED);
  g_clear_error (&error);
  again.trusts_code = true;
  g_assert_true (odl_recipe_load (&again, preset, &error));
  g_assert_true (odl_recipe_equal (&recipe, &again));
  g_autofree char *other = g_strdup (hash);
  other[0] = other[0] == '0' ? '1' : '0';
  g_autofree char *forged = g_strdup_printf ("glsl:file=\"a b.glsl\",sha256=%s", other);
  g_assert_true (g_file_set_contents (preset, forged, -1, NULL));
  odl_recipe_init (&again);
  again.trusts_code = true;
  g_assert_false (odl_recipe_load (&again, preset, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_DENIED);
  g_assert_nonnull (strstr (error->message, hash));
  refused (&again, "glsl:file=x,sha256=12", ODL_ERROR_USAGE, "64");
  g_remove (preset);
  g_remove (path);
  g_rmdir (folder);
}

static void
test_explained (void)
{
  static const char *const logs[][2] = {
    { "0:100012(5): error: `own_foo' undeclared\n0:100013(1): error: x\n",
      "x.glsl, line 12: the graphics driver says: `foo' undeclared" },
    { "0:3(1): warning: y\nERROR: 0:100004: 'given_at' : no function\n",
      "x.glsl, line 4: the graphics driver says: 'at' : no function" },
    { "0(100021) : error C1008: undefined variable \"own_a\"",
      "x.glsl, line 21: the graphics driver says: undefined variable \"a\"" },
    { "0:12(5): error: `foo' undeclared", NULL },
    { "0:200012(5): error: `foo' undeclared", NULL },
  };
  const OdlOwnCode *code = good (BODY);

  for (size_t i = 0; i < G_N_ELEMENTS (logs); i++) {
    g_autofree char *said = odl_own_explain (code, logs[i][0]);
    g_assert_cmpstr (said, ==, logs[i][1]);
  }
}

// The signature of a function of Python, read without running it.
static void
test_python (void)
{
  static const char text[]
      = "def filter (picture: 'a, b)', # (\n  half_width: \"0..9 px  \"\n  'Half' = 3, "
        "/,\n"
        "  gain:'-1..2  Gain'=1e-1, *, out = None, **more) -> x:\n  pass\n";
  static const char *const refused[][3] = {
    { "def filtered (picture): pass", "def filter", "" },
    { " def filter (picture): pass", "def filter", "" },
    { "def filter ()", "line 1", "" },
    { "def filter (picture", "line 1", "" },
    { "def filter (picture, a: '0..1  A\n' = 1)", "line 1", "a" },
    { "def filter (picture,\n a: '1..0  A' = 1)", "line 2", "1..0" },
    { "def filter (picture, a: '0..1  A' = 2)", "line 1", "2" },
    { "def filter (picture, a: '0..1  \\x41' = 1)", "line 1", "a" },
    { "def filter (picture, a: '0..1  A' = 1, a: '0..1  A' = 1)", "line 1", "“a”" },
    { "def filter (picture, a: '0..1  A' = 1 + 1)", "line 1", "a" },
    { "def filter (picture, bypass: '0..1  A' = 1)", "line 1", "bypass" },
    { "def filter (picture, dimensions: '0..1  A' = 1)", "line 1", "dimensions" },
  };
  const OdlOwnCode *code = odl_own_code_new ("x.py", text, strlen (text), NULL);

  g_assert_nonnull (code);
  g_assert_true (code->language == ODL_OWN_PYTHON && code->takes_out);
  g_assert_false (code->reads_other);
  g_assert_cmpstr (code->filter.name, ==, "python");
  g_assert_cmpuint (code->filter.n_parameters, ==, 3);
  g_assert_cmpuint (code->n_named, ==, 2);
  const OdlParameter *parameter = code->filter.parameters;
  g_assert_cmpstr (parameter[2].key, ==, "dimensions");
  g_assert_cmpint (parameter[2].offset, ==, ODL_OWN_MOST_PARAMETERS);
  g_assert_cmpstr (parameter[0].key, ==, "half-width");
  g_assert_cmpstr (parameter[0].unit, ==, "px");
  g_assert_cmpstr (parameter[0].label, ==, "Half");
  g_assert_true (parameter[0].kind == ODL_PARAMETER_INTEGER);
  g_assert_true (parameter[1].kind == ODL_PARAMETER_NUMBER);
  g_assert_cmpfloat (parameter[1].default_value, ==, 0.1);
  for (size_t i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_autoptr (GError) error = NULL;
    if (odl_own_code_new ("x.py", refused[i][0], strlen (refused[i][0]), &error) != NULL)
      g_error ("accepted: %s", refused[i][0]);
    if (strstr (error->message, refused[i][1]) == NULL
        || strstr (error->message, refused[i][2]) == NULL)
      g_error ("“%s” lacks “%s” or “%s”", error->message, refused[i][1], refused[i][2]);
  }
}

// A parameter “other” is a second picture, whatever it is annotated with.
static void
test_second_of_python (void)
{
  static const char text[] = "def filter (picture, other: 'a, (b)', a: '0..1  A' = 0):\n";
  const OdlOwnCode *code = odl_own_code_new ("second.py", text, strlen (text), NULL);
  OdlRecipe recipe;

  g_assert_nonnull (code);
  g_assert_true (code->reads_other);
  g_assert_cmpuint (code->filter.n_parameters, ==, 3);
  g_assert_cmpstr (code->filter.parameters[0].key, ==, "with");
  g_assert_true (code->named == code->filter.parameters + 1);
  g_assert_cmpuint (code->n_named, ==, 1);
  g_assert_true (odl_filter_takes_volume (&code->filter));
  // Without the picture it does nothing.
  odl_recipe_init (&recipe);
  odl_recipe_append (&recipe, &code->filter);
  g_assert_false (odl_recipe_item_acts (&recipe.items[0]));
  odl_recipe_set_file (&recipe, 0, "x.png");
  g_assert_true (odl_recipe_item_acts (&recipe.items[0]));
  g_assert_cmpint (odl_recipe_item_dimensions (&recipe.items[0]), ==, 2);
  odl_recipe_set (&recipe, 0, "dimensions", 0, 1);
  g_assert_cmpint (odl_recipe_item_dimensions (&recipe.items[0]), ==, 3);
  // Its twins are others than the code, and each of them one.
  g_assert_true (odl_own_twin (code, ODL_OWN_TWIN_NUMBERS)->tells_none);
  g_assert_false (odl_own_twin (code, ODL_OWN_TWIN_AGAIN)->tells_none);
  g_assert_true (odl_own_twin (code, ODL_OWN_TWIN_AGAIN)
                 == odl_own_twin (code, ODL_OWN_TWIN_AGAIN));
}

// Whatever stands in a file, and wherever it ends, nothing is read beyond it.
static void
test_damaged_python (void)
{
  static const char bytes[] = "()[]{},:='\"\\#\n*/ a0.-def filter(picture, ";
  static const char whole[] = "def filter (picture, a: '0..1  A' = 0.5, out=[1, (2)]):\n";
  g_autoptr (GRand) random = g_rand_new_with_seed (40);

  for (size_t n = 0; n < sizeof whole; n++) {
    g_autofree char *text = g_strndup (whole, n);
    odl_own_code_new ("cut.py", text, n, NULL);
  }
  for (int i = 0; i < 2000; i++) {
    g_autoptr (GString) text = g_string_new ("def filter (");
    for (int n = g_rand_int_range (random, 0, 60); n > 0; n--)
      g_string_append_c (text,
                         bytes[g_rand_int_range (random, 0, (gint32) sizeof bytes - 1)]);
    g_autofree char *exact = g_memdup2 (text->str, text->len + 1);
    odl_own_code_new ("chance.py", exact, text->len, NULL);
  }
}

// The same bytes may be code of either language, and are allowed as one of them alone.
static void
test_languages (void)
{
  static const char text[] = "/*\ndef filter (picture):\n  pass\n*/\n" BODY;
  const OdlOwnCode *glsl = odl_own_code_new ("both.glsl", text, strlen (text), NULL);
  const OdlOwnCode *python = odl_own_code_new ("both.py", text, strlen (text), NULL);

  g_assert_true (glsl != NULL && python != NULL);
  g_assert_cmpstr (glsl->hash, ==, python->hash);
  g_assert_true (odl_own_code_find (NULL, glsl->hash) == glsl);
  odl_own_set_state (glsl, ODL_OWN_ALLOWED, NULL);
  odl_own_set_state (python, ODL_OWN_WAITS, NULL);
  g_assert_cmpint (odl_own_state (glsl), ==, ODL_OWN_ALLOWED);
  g_assert_cmpint (odl_own_state (python), ==, ODL_OWN_WAITS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/filter/own/words", test_words);
  g_test_add_func ("/filter/own/rewriting", test_rewriting);
  g_test_add_func ("/filter/own/bounds", test_bounds);
  g_test_add_func ("/filter/own/damaged", test_damaged);
  g_test_add_func ("/filter/own/parameters", test_parameters);
  g_test_add_func ("/filter/own/recipes", test_recipes);
  g_test_add_func ("/filter/own/python", test_python);
  g_test_add_func ("/filter/own/python-has-a-second-picture", test_second_of_python);
  g_test_add_func ("/filter/own/python-damaged", test_damaged_python);
  g_test_add_func ("/filter/own/languages-are-allowed-apart", test_languages);
  g_test_add_func ("/filter/own/what-compilers-say", test_explained);
  g_test_add_func ("/filter/own/what-a-user-was-not-asked-about-waits", test_asking);
  return g_test_run ();
}
