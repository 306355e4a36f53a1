// SPDX-License-Identifier: MIT
// Misspelled environment variables are said, those that mean something are taken.
#include "engine/environment.h"

#include <string.h>

#include "base/error.h"
#include "engine/cpu/kernels/variant.h"
#include "engine/engine.h"

static void
assert_right (const char *variable, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_test_message ("%s=%s", variable, text);
  g_setenv (variable, text, TRUE);
  odl_environment_check (&error);
  g_assert_no_error (error);
  g_unsetenv (variable);
}

// The sentence names the variable, the `word`, and `other`, which would do.
static void
assert_wrong (const char *variable, const char *text, const char *word, const char *other)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *quoted = g_strdup_printf ("“%s”", word);

  g_test_message ("%s=%s", variable, text);
  g_setenv (variable, text, TRUE);
  g_assert_false (odl_environment_check (&error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
  g_assert_true (g_str_has_prefix (error->message, variable));
  g_assert_nonnull (strstr (error->message, quoted));
  g_assert_nonnull (strstr (error->message, other));
  g_unsetenv (variable);
}

static void
test_right (void)
{
  assert_right ("ODL_CPU", "");
  assert_right ("ODL_CPU", "neon");
  assert_right ("ODL_CPU", "avx2,small-pages,per-level");
  assert_right ("ODL_CPU", "filtering");
  assert_right ("ODL_TUNE", "off");
  assert_right ("ODL_TUNE", "again");
  assert_right ("ODL_PRICES", "shipped");
  assert_right ("ODL_PRICES", "again");
  assert_right ("ODL_SANDBOX", "optional");
  assert_right ("ODL_SANDBOX", "required");
  assert_right ("ODL_DEBUG", "plan,shaders,frames,timing");
  assert_right ("ODL_DEBUG", "PLAN: sandbox");
  assert_right ("ODL_DEBUG", "all");
  assert_right ("ODL_FAULT", "canvas/draw,canvas/upload");
  assert_right ("ODL_FAULT", "gl-fragment/run,cpu/prepare=too-large");
  assert_right ("ODL_FAULT", "cpu/open=unsupported,cpu/run=gpu");
}

static void
test_wrong (void)
{
  assert_wrong ("ODL_CPU", "avx3", "avx3", "avx512");
  assert_wrong ("ODL_SANDBOX", "off", "off", "optional");
  assert_wrong ("ODL_CPU", "avx2, small-pages", " small-pages", "small-pages");
  assert_wrong ("ODL_CPU", "avx2,perlevel", "perlevel", "per-level");
  assert_wrong ("ODL_TUNE", "on", "on", "off, again");
  assert_wrong ("ODL_PRICES", "0.5", "0.5", "shipped, again");
  assert_wrong ("ODL_TUNE", "off,again", "off,again", "off, again");
  assert_wrong ("ODL_DEBUG", "plan,timming", "timming", "timing");
  assert_wrong ("ODL_FAULT", "gl-fragmnt/run", "gl-fragmnt/run", "gl-fragment/run");
  assert_wrong ("ODL_FAULT", "cpu/run,canvas/run", "canvas/run", "canvas/draw");
  assert_wrong ("ODL_FAULT", "cpu", "cpu", "cpu/open");
  assert_wrong ("ODL_FAULT", "cpu/run=big", "big", "gpu, too-large, unsupported");
}

static void
test_tables (void)
{
  for (size_t i = 0; i < odl_cpu_variant_count (); i++)
    assert_right ("ODL_CPU", odl_cpu_variant_at (i)->name);
  for (size_t i = 0; i < odl_engine_count (); i++) {
    g_autofree char *fault = g_strconcat (odl_engine_at (i)->name, "/open", NULL);
    assert_right ("ODL_FAULT", fault);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/environment/words-that-mean-something-are-taken", test_right);
  g_test_add_func ("/environment/others-are-named-beside-those-that-there-are",
                   test_wrong);
  g_test_add_func ("/environment/instruction-sets-and-engines-are-known", test_tables);
  return g_test_run ();
}
