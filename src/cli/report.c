// SPDX-License-Identifier: MIT
#include "config.h"

#include <glib/gi18n-lib.h>
#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "cli/verb.h"

#define PROGRAM "ondelette-cli"

bool
odl_verb_parse (const OdlVerb *verb,
                const GOptionEntry *entries,
                const char *description,
                int *argc,
                char ***argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (verb->arguments);
  g_autofree char *program = g_strconcat (PROGRAM " ", verb->name, NULL);
  g_autoptr (GError) error = NULL;

  g_set_prgname (program);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  g_option_context_set_summary (context, _ (verb->summary));
  g_option_context_set_description (context, description);
  bool good = g_option_context_parse (context, argc, argv, &error);
  g_set_prgname (PROGRAM);
  if (!good)
    odl_report_usage (_ ("%s. “%s --help” lists the options."), error->message, program);
  return good;
}

void
odl_report_error (const char *file, const GError *error)
{
  g_autofree char *name = file != NULL ? g_filename_display_name (file) : NULL;

  if (name == NULL || g_str_has_prefix (error->message, name))
    g_printerr ("%s: %s\n", PROGRAM, error->message);
  else
    g_printerr ("%s: %s: %s\n", PROGRAM, name, error->message);
}

void
odl_report_usage (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_printerr ("%s: %s\n", PROGRAM, message);
}

void
odl_report_note (const char *file, const char *message)
{
  g_autofree char *name = g_filename_display_name (file);

  g_printerr ("%s: %s: %s\n", PROGRAM, name, message);
}

int
odl_report_status (const GError *error)
{
  return g_error_matches (error, ODL_ERROR, ODL_ERROR_USAGE) ? ODL_EXIT_USAGE
                                                             : ODL_EXIT_FAILED;
}
