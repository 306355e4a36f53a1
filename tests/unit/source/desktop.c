// SPDX-License-Identifier: MIT
// The desktop knows what the program opens: each kind of file that sources name is among
// the types of the desktop entry.
#include <gio/gio.h>

#include "source/source.h"

// The type of files of that name; NULL where the desktop's database knows none.
static char *
type_of (const char *pattern)
{
  g_autofree char *name = g_strconcat ("a", pattern + 1, NULL);
  gboolean uncertain;
  g_autofree char *type = g_content_type_guess (name, NULL, 0, &uncertain);

  return uncertain || g_content_type_is_unknown (type) ? NULL : g_steal_pointer (&type);
}

static bool
is_named (const char *const *types, const char *type)
{
  for (; *types != NULL; types++)
    if (g_content_type_is_a (type, *types))
      return true;
  return false;
}

// NIfTI's names are also those of other kinds of files, which the program does not open;
// it does not offer itself for them.
static const char *const others[] = { "application/gzip", "image/vnd.radiance", NULL };

static void
test_types (void)
{
  g_autoptr (GKeyFile) entry = g_key_file_new ();
  g_autoptr (GError) error = NULL;
  int n = 0;

  g_key_file_load_from_file (entry, g_getenv ("ODL_DESKTOP_ENTRY"), 0, &error);
  g_assert_no_error (error);
  g_auto (GStrv) types = g_key_file_get_string_list (
      entry, G_KEY_FILE_DESKTOP_GROUP, G_KEY_FILE_DESKTOP_KEY_MIME_TYPE, NULL, &error);
  g_assert_no_error (error);
  for (size_t i = 0; i < odl_source_count (); i++)
    for (const char *const *example = odl_source_at (i)->examples; *example; example++) {
      if (!g_str_has_prefix (*example, "*."))
        continue;
      g_autofree char *type = type_of (*example);
      g_test_message ("%s: %s", *example, type != NULL ? type : "unknown");
      if (type == NULL || is_named (others, type))
        continue;
      g_assert_true (is_named ((const char *const *) types, type));
      n++;
    }
  if (n == 0)
    g_test_skip ("shared-mime-info is not installed");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/desktop/every-kind-of-file-is-named", test_types);
  return g_test_run ();
}
