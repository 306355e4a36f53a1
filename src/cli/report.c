// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/verb.h"
#include "source/dicom/series.h"
#include "source/source_file.h"
#include "source/unpacking.h"

#define PROGRAM "ondelette-cli"

// Puts streams in the place of “-”: among the inputs, and as --output.
static bool
replace_streams (const GOptionEntry *entries)
{
  for (const GOptionEntry *entry = entries; entry->long_name != NULL; entry++) {
    if (g_str_equal (entry->long_name, "output")) {
      char **name = entry->arg_data;
      if (*name != NULL && g_str_equal (*name, "-")) {
        g_free (*name);
        *name = g_strdup ("/dev/stdout");
      }
    }
    if (*entry->long_name != '\0' || entry->arg != G_OPTION_ARG_FILENAME_ARRAY)
      continue;
    char **inputs = *(char ***) entry->arg_data;
    for (gsize i = 0; inputs != NULL && inputs[i] != NULL; i++) {
      g_autoptr (GError) error = NULL;
      if (!g_str_equal (inputs[i], "-"))
        continue;
      const char *file = odl_source_file_standard_input (&error);
      if (file == NULL) {
        odl_report_error (NULL, error);
        return false;
      }
      g_free (inputs[i]);
      inputs[i] = g_strdup (file);
    }
  }
  return true;
}

// NULL: none.
static const GOptionEntry *
short_option (const GOptionEntry *entries, char name)
{
  while (entries->long_name != NULL && entries->short_name != name)
    entries++;
  return entries->long_name != NULL ? entries : NULL;
}

// Whether the next word is the value of `word`.
static bool
takes_next (const GOptionEntry *entries, const char *word)
{
  if (word[0] != '-' || word[1] == '\0')
    return false;
  if (word[1] != '-') {
    const GOptionEntry *entry = word[2] == '\0' ? short_option (entries, word[1]) : NULL;
    return entry != NULL && entry->arg != G_OPTION_ARG_NONE;
  }
  while (entries->long_name != NULL && !g_str_equal (entries->long_name, word + 2))
    entries++;
  return entries->long_name != NULL && entries->arg != G_OPTION_ARG_NONE;
}

// The words with “-j1” as “-j 1”, which GLib does not know.
static char **
separate_values (const GOptionEntry *entries, int argc, char **argv)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  bool is_value = true, are_options = true; // the program's name is none

  for (int i = 0; i < argc; i++) {
    const char *word = argv[i];
    const GOptionEntry *entry
        = word[0] == '-' && word[1] != '\0' && word[2] != '\0' && !is_value && are_options
              ? short_option (entries, word[1])
              : NULL;
    if (entry != NULL && entry->arg != G_OPTION_ARG_NONE) {
      g_autofree char *option = g_strndup (word, 2);
      g_strv_builder_add_many (words, option, word + 2, NULL);
      continue;
    }
    are_options = are_options && (is_value || !g_str_equal (word, "--"));
    g_strv_builder_add (words, word);
    is_value = !is_value && are_options && takes_next (entries, word);
  }
  return g_strv_builder_end (words);
}

bool
odl_verb_parse (const OdlVerb *verb,
                const GOptionEntry *entries,
                const char *description,
                int argc,
                char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (verb->arguments);
  g_autofree char *program = g_strconcat (PROGRAM " ", verb->name, NULL);
  g_auto (GStrv) words = separate_values (entries, argc, argv);
  g_autoptr (GError) error = NULL;

  g_set_prgname (program);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  g_option_context_set_summary (context, _ (verb->summary));
  g_option_context_set_description (context, description);
  bool good = g_option_context_parse_strv (context, &words, &error);
  g_set_prgname (PROGRAM);
  if (!good)
    odl_report_usage (_ ("%s. “%s --help” lists the options."), error->message, program);
  return good && replace_streams (entries);
}

// Collects the calling thread's lines; NULL: they go to standard error.
static GString **
held (void)
{
  static _Thread_local GString *text = NULL;

  return &text;
}

void
odl_report_hold (GString *text)
{
  *held () = text;
}

void
odl_report_text (const char *text)
{
  if (*held () != NULL)
    g_string_append (*held (), text);
  else
    g_printerr ("%s", text);
}

// One line on standard error. Names may contain anything; control characters are
// replaced. `file` may be NULL.
static void
print_line (const char *file, const char *message)
{
  g_autofree char *name = file != NULL ? odl_source_file_display_path (file) : NULL;
  g_autofree char *text
      = name == NULL ? g_strdup (message) : g_strconcat (name, ": ", message, NULL);
  g_autofree char *line = odl_text_in_one_line (text);

  g_autofree char *whole = g_strconcat (PROGRAM ": ", line, "\n", NULL);

  odl_report_text (whole);
}

// Messages contain the display name of the file; here the full path precedes them.
static const char *
without_name (const char *file, const char *message)
{
  // What opens a series names its folder.
  if (odl_series_path (file) != NULL)
    file = odl_series_path (file);
  g_autofree char *start = odl_source_file_error_start (file);
  g_autofree char *name = odl_source_file_display_name (file);
  const size_t length = strlen (name);

  if (g_str_has_prefix (message, start))
    return message + strlen (start);
  if (length > 0 && g_str_has_prefix (message, name)
      && (g_str_has_prefix (message + length, ", ")
          || g_str_has_prefix (message + length, ": ")))
    return message + length + 2;
  return message;
}

void
odl_report_error (const char *file, const GError *error)
{
  if (file == NULL) {
    print_line (NULL, error->message);
    return;
  }
  const char *message = without_name (file, error->message);
  g_autofree char *name = odl_source_file_display_path (file);
  g_autofree char *quoted = g_strdup_printf ("“%s”", name);

  if (*name != '\0'
      && (g_str_has_prefix (message, name) || g_str_has_prefix (message, quoted)))
    print_line (NULL, message);
  else
    print_line (file, message);
}

void
odl_report_usage (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  print_line (NULL, message);
}

void
odl_report_note (const char *file, const char *message)
{
  print_line (file, file != NULL ? without_name (file, message) : message);
}

static void
unpacking_line_cb (const OdlUnpacking *unpacking)
{
  g_printerr ("unpacking %" PRIu64 " %" PRIu64 "\n", unpacking->done, unpacking->total);
}

static void
unpacking_cb (const OdlUnpacking *unpacking)
{
  g_autofree char *name = odl_source_file_display_name (unpacking->location);

  g_printerr ("\r\033[K");
  if (!unpacking->ended && unpacking->total > 0)
    // Translators: “%s” is a file, “%d” a share in percent.
    g_printerr (_ ("%s: unpacking, %d %%"), name,
                (int) (100 * MIN (unpacking->done, unpacking->total) / unpacking->total));
}

void
odl_report_unpacking (bool for_programs)
{
  const bool on_terminal = isatty (STDERR_FILENO) != 0;

  odl_unpacking_tell (for_programs  ? unpacking_line_cb
                      : on_terminal ? unpacking_cb
                                    : NULL);
}

int
odl_report_status (const GError *error)
{
  return g_error_matches (error, ODL_ERROR, ODL_ERROR_USAGE) ? ODL_EXIT_USAGE
                                                             : ODL_EXIT_FAILED;
}
