// SPDX-License-Identifier: MIT
// The language of the messages, in processes of their own: the locale is set only once.
#include "base/language.h"

#include "config.h"

#include <glib/gi18n-lib.h>

typedef struct {
  const char *path;
  const char *variables[3]; // NAME=value
  const char *threshold; // what the message "Threshold" must become
} Case;

static const Case cases[] = {
  { "/language/is-french-when-asked-for", { "LC_ALL=C.UTF-8", "LANGUAGE=fr" }, "Seuil" },
  { "/language/is-french-without-any-locale", { "LANGUAGE=fr" }, "Seuil" },
  { "/language/is-french-when-the-locale-is-not-installed",
    { "LANG=fr_XX.UTF-8" },
    "Seuil" },
  { "/language/is-english-in-the-c-locale", { "LC_ALL=C", "LANGUAGE=fr" }, "Threshold" },
  { "/language/is-english-without-a-translation", { "LANGUAGE=tlh" }, "Threshold" },
};

static const char *const all_variables[]
    = { "LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE" };

static void
speak (const Case *expected)
{
  for (size_t i = 0; i < G_N_ELEMENTS (all_variables); i++)
    g_unsetenv (all_variables[i]);
  for (size_t i = 0; i < G_N_ELEMENTS (expected->variables); i++) {
    if (expected->variables[i] == NULL)
      break;
    g_auto (GStrv) pair = g_strsplit (expected->variables[i], "=", 2);
    g_setenv (pair[0], pair[1], TRUE);
  }
  odl_language_init ();
  g_assert_cmpstr (g_dgettext (GETTEXT_PACKAGE, "Threshold"), ==, expected->threshold);
}

static void
test_language (gconstpointer data)
{
  if (g_test_subprocess ()) {
    speak (data);
    return;
  }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].path, &cases[i], test_language);
  return g_test_run ();
}
