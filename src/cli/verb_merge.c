// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "cli/process/log.h"
#include "cli/shard.h"
#include "cli/sweep/join.h"
#include "cli/verb.h"

// Joins what the shards of a call made.

typedef struct {
  char *plot, *sheet;
  char **names; // the result, then the parts
  gboolean trust_code, force;
} Options;

static void
clear_options (Options *options)
{
  g_free (options->plot);
  g_free (options->sheet);
  g_strfreev (options->names);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, clear_options)

static bool
parse (Options *options, int argc, char **argv)
{
  const GOptionEntry entries[] = {
    { "plot", 0, 0, G_OPTION_ARG_FILENAME, &options->plot,
      N_ ("Draw the metric over the first parameter, with a line for each value of the "
          "second, or for each filter: SVG, PNG or PDF"),
      N_ ("FILE") },
    { "sheet", 0, 0, G_OPTION_ARG_FILENAME, &options->sheet,
      N_ ("Show the results side by side, with their values, at most 12 × 12"),
      "FILE.png" },
    { "trust-code", 0, 0, G_OPTION_ARG_NONE, &options->trust_code,
      N_ ("Run code of your own, which “glsl” or a recipe names; look at the file first"),
      NULL },
    { "force", 0, 0, G_OPTION_ARG_NONE, &options->force,
      N_ ("Replace files that are there already; parts are never replaced"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->names, NULL,
      NULL },
    { NULL },
  };
  const char *description = _ (
      "Each PART is the table of a shard of “sweep”, or the log of one of “process”, "
      "with "
      "the note PART.shard beside it. The result is what one process would have written, "
      "to the "
      "byte. Shards that are missing or were stopped are named with the commands that "
      "make them.");

  if (!odl_verb_parse (&odl_verb_merge, entries, description, argc, argv))
    return false;
  const OdlOutcomeParams outcome = { NULL, options->plot, options->sheet, false };
  if (options->names != NULL && g_strv_length (options->names) >= 2)
    return odl_outcome_check_names (&outcome);
  odl_report_usage (_ ("Name the result, then its parts, such as “merge out.csv "
                       "part-*.csv”."));
  return false;
}

// OdlShardNote, of each part. NULL: they do not fit together.
static GPtrArray *
read_notes (char *const *parts, GError **error)
{
  g_autoptr (GPtrArray) notes
      = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_shard_note_free);

  for (guint i = 0; parts[i] != NULL; i++) {
    OdlShardNote *note = odl_shard_note_read (parts[i], error);
    if (note == NULL)
      return NULL;
    g_ptr_array_add (notes, note);
    if (odl_shard_note_fits (notes->pdata[0], note))
      continue;
    g_autofree char *first = g_filename_display_name (parts[0]);
    g_autofree char *other = g_filename_display_name (parts[i]);
    return odl_error_null (error, ODL_ERROR_IO,
                           _ ("%s and %s are parts of different calls. Name those of one "
                              "alone."),
                           first, other);
  }
  return g_steal_pointer (&notes);
}

static bool
join (const Options *options, OdlOutputGuard *guard, GError **error)
{
  char **parts = options->names + 1;
  g_autoptr (GPtrArray) notes = read_notes (parts, error);

  if (notes == NULL)
    return false;
  const OdlShardNote *note = notes->pdata[0];
  const OdlJoinParams params = {
    .out = options->names[0],
    .parts = parts,
    .notes = notes,
    .outcome = { guard, options->plot, options->sheet, options->force },
    .trust_code = options->trust_code,
  };
  if (g_str_equal (note->verb, odl_verb_sweep.name))
    return odl_sweep_join (&params, error);
  if (g_str_equal (note->verb, odl_verb_process.name)
      && (options->plot != NULL || options->sheet != NULL))
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--plot and --sheet are of sweeps; these are logs of "
                             "“process”."));
  if (g_str_equal (note->verb, odl_verb_process.name))
    return odl_log_join (params.out, parts, notes, options->force, error);
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("These are parts of “%s”, which this program does not join."),
                        note->verb);
}

static int
merge (int argc, char **argv)
{
  // Before any thread of OpenMP, OpenGL or GLib.
  g_autofree char *farewell
      = g_strdup_printf ("%s: %s", g_get_prgname (),
                         _ ("Stopped. What was finished stays; of the rest nothing was "
                            "written, and nothing was written over."));
  g_autoptr (OdlOutputGuard) guard = odl_output_guard_new (farewell);
  g_auto (Options) options = { 0 };
  g_autoptr (GError) error = NULL;

  if (!parse (&options, argc, argv))
    return ODL_EXIT_USAGE;
  if (join (&options, guard, &error))
    return ODL_EXIT_DONE;
  odl_report_error (NULL, error);
  return odl_report_status (error);
}

const OdlVerb odl_verb_merge = {
  .name = "merge",
  .arguments = N_ ("OUT PART…"),
  .summary
  = N_ ("Join what the shards of a sweep or of a batch made; say which are missing, "
        "and how to make them."),
  .run = merge,
};
