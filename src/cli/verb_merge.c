// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "cli/inputs.h"
#include "cli/process/log.h"
#include "cli/shard.h"
#include "cli/sweep/options.h"
#include "cli/sweep/outcome.h"
#include "cli/verb.h"
#include "source/source_files.h"

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

// ---- a sweep -------------------------------------------------------------------------

typedef struct {
  const char *out; // the table; NULL: none yet
  char **parts; // tables of shards
  const GPtrArray *notes; // OdlShardNote, that of each part; all fit together
  OdlOutcomeParams outcome;
  bool trust_code;
} SweepParts;

#define MOST_POINTS ((gint64) 1000000000)
// Commands that are named; a thousand would hide the first one.
#define MOST_NAMED 20

typedef struct {
  const SweepParts *params;
  OdlSweepOptions options; // as the notes have them
  OdlTrialParams asked;
  OdlTrial trial;
  OdlTable table;
  GHashTable *paths; // of the shards, by their numbers from 0
  gint64 lacking; // shards that are missing or not whole
} Join;

static const OdlShardNote *
note_of (const Join *join, guint part)
{
  return g_ptr_array_index (join->params->notes, part);
}

static bool
other_parts (const char *part, GError **error)
{
  g_autofree char *shown = g_filename_display_name (part);

  return odl_error_set (error, ODL_ERROR_IO,
                        _ ("%s: the note of this part does not fit what it asks for: a "
                           "file that it names has changed. Make the shards anew."),
                        shown);
}

// The trial without its pictures, which tables do without.
static bool
plan (Join *join, GError **error)
{
  GOptionEntry entries[ODL_SWEEP_N_OPTIONS + 2] = { 0 };
  const OdlShardNote *note = note_of (join, 0);
  gboolean yes = FALSE;

  odl_sweep_options_fill (&join->options, entries);
  entries[ODL_SWEEP_N_OPTIONS]
      = (GOptionEntry){ "yes", 0, 0, G_OPTION_ARG_NONE, &yes, NULL, NULL };
  if (!odl_shard_take_words (note->words, entries, error))
    return false;
  join->options.process.trust_code = join->params->trust_code;
  if (!odl_sweep_options_read (&join->options, 0, &join->asked, error)
      || !odl_trial_plan (&join->trial, &join->asked, error))
    return false;
  if (note->points > MOST_POINTS
      || (double) note->points != odl_axes_points (join->trial.axes))
    return other_parts (join->params->parts[0], error);
  join->trial.pictures.range = g_strdup (note->frames);
  return true;
}

static bool
check_outputs (const Join *join, GError **error)
{
  const SweepParts *params = join->params;
  g_autoptr (GHashTable) inputs = odl_sweep_options_files (&join->options, &join->trial);

  for (char **part = params->parts; *part != NULL; part++) {
    g_autofree char *note = g_strconcat (*part, ODL_SHARD_ENDING, NULL);
    odl_source_files_add_path (inputs, *part);
    odl_source_files_add_path (inputs, note);
  }
  return odl_output_check (inputs, params->out, params->outcome.replace, error)
         && odl_outcome_check (&params->outcome, &join->trial, inputs, error);
}

static bool
read_parts (Join *join, GError **error)
{
  char *const *parts = join->params->parts;

  join->paths = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  for (guint i = 0; parts[i] != NULL; i++) {
    const OdlShardNote *note = note_of (join, i);
    const gint64 shard = note->shard - 1;
    if (!odl_shard_claim (join->paths, shard, note, parts[i], error)
        || !odl_table_read_part (&join->table, parts[i], shard, note->shards, error))
      return false;
  }
  return true;
}

// ---- what is missing -----------------------------------------------------------------

static void
name_command (Join *join, guint part, gint64 shard, const char *path, const char *why)
{
  g_autofree char *command
      = odl_shard_command (note_of (join, part), shard, "--csv", path);
  g_autofree char *shown = g_filename_display_name (command);

  if (join->lacking++ < MOST_NAMED)
    odl_report_usage ("%s %s", why, shown);
}

static gint64
points_of (const Join *join, gint64 shard)
{
  const gint64 shards = note_of (join, 0)->shards, points = join->table.points;

  return points / shards + (shard < points % shards ? 1 : 0);
}

// Shards that have points, and no part.
static void
name_missing (Join *join)
{
  const OdlShardNote *note = note_of (join, 0);
  const gint64 with_points = MIN (note->shards, join->table.points);

  for (gint64 shard = 0; shard < with_points; shard++) {
    if (g_hash_table_contains (join->paths, &shard))
      continue;
    g_autofree char *path = odl_shard_path (note, join->params->parts[0], shard + 1);
    g_autofree char *why = g_strdup_printf (
        // Translators: a command follows.
        _ ("shard %" PRId64 " of %" PRId64 " is missing. This makes it:"), shard + 1,
        note->shards);
    name_command (join, 0, shard + 1, path, why);
  }
}

static void
name_torn (Join *join)
{
  char *const *parts = join->params->parts;

  for (guint i = 0; parts[i] != NULL; i++) {
    const OdlShardNote *note = note_of (join, i);
    gint64 there = 0;
    for (gint64 point = note->shard - 1; point < join->table.points;
         point += note->shards)
      there += join->table.done[point] ? 1 : 0;
    const gint64 all = points_of (join, note->shard - 1);
    if (there == all)
      continue;
    g_autofree char *shown = g_filename_display_name (parts[i]);
    g_autofree char *why = g_strdup_printf (
        // Translators: a command follows.
        _ ("%s: shard %" PRId64 " of %" PRId64 " was stopped after %" PRId64
           " of %" PRId64 " points. This goes on:"),
        shown, note->shard, note->shards, there, all);
    name_command (join, i, note->shard, parts[i], why);
  }
}

static bool
check_whole (Join *join, GError **error)
{
  if (join->table.n_done == join->table.points)
    return true;
  name_missing (join);
  name_torn (join);
  return odl_error_set (error, ODL_ERROR_IO,
                        g_dngettext (GETTEXT_PACKAGE,
                                     "Nothing was written, since %" PRId64
                                     " shard of %" PRId64 " is not whole.",
                                     "Nothing was written, since %" PRId64
                                     " shards of %" PRId64 " are not whole.",
                                     (gulong) join->lacking),
                        join->lacking, note_of (join, 0)->shards);
}

// ---- the whole sweep -----------------------------------------------------------------

static bool
write_table (Join *join, GError **error)
{
  const SweepParts *params = join->params;
  OdlOutput output;

  if (!(params->outcome.replace
            ? odl_output_open (params->outcome.guard, params->out, &output, error)
            : odl_output_open_new (params->outcome.guard, params->out, &output, error)))
    return false;
  return odl_output_end (
      &output, odl_table_write (&join->table, join->paths, &output, error), error);
}

static bool
write_all (Join *join, GError **error)
{
  const SweepParts *params = join->params;

  if (!write_table (join, error))
    return false;
  odl_outcome_print_best (&join->table, g_str_equal (params->out, "/dev/stdout"));
  // Only sheets show pictures.
  return (params->outcome.sheet == NULL || odl_trial_read (&join->trial, error))
         && odl_outcome_write (&params->outcome, &join->table, error);
}

// Writes what one process would have written, and says the best point. Shards that are
// missing or not whole are named on standard error, with the commands that make them, and
// nothing is written. ODL_ERROR_IO, ODL_ERROR_USAGE and those of reading pictures.
static bool
join_sweep (const SweepParts *params, GError **error)
{
  Join join = { .params = params, .table = { .fd = -1 } };
  const bool done = plan (&join, error) && check_outputs (&join, error)
                    && odl_table_begin (&join.table, &join.trial, error)
                    && read_parts (&join, error) && check_whole (&join, error)
                    && write_all (&join, error);

  g_clear_pointer (&join.paths, g_hash_table_unref);
  odl_table_clear (&join.table);
  odl_trial_clear (&join.trial);
  odl_sweep_options_clear (&join.options);
  return done;
}

// ---- any call ------------------------------------------------------------------------

static bool
join (const Options *options, OdlOutputGuard *guard, GError **error)
{
  char **parts = options->names + 1;
  g_autoptr (GPtrArray) notes = read_notes (parts, error);

  if (notes == NULL)
    return false;
  const OdlShardNote *note = notes->pdata[0];
  const SweepParts params = {
    .out = options->names[0],
    .parts = parts,
    .notes = notes,
    .outcome = { guard, options->plot, options->sheet, options->force },
    .trust_code = options->trust_code,
  };
  if (g_str_equal (note->verb, odl_verb_sweep.name))
    return join_sweep (&params, error);
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
