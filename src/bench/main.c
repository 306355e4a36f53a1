// SPDX-License-Identifier: MIT
#include "bench/main.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "bench/report.h"
#include "bench/sets.h"

#define MOST_ITEMS 16
#define MOST_SIDE 32768
#define NOT_TYPED G_MININT
#define RANGE (-1)

enum { EXIT_DONE, EXIT_FAILED, EXIT_USAGE };

// Options as typed.
typedef struct {
  char *engines, *sizes, *channels, *precisions, *threads, *wavelet, *sets;
  char **filters;
  int levels, runs;
  char *csv, *json;
  gboolean explain;
} Options;

// Parsed options.
typedef struct {
  OdlBenchSize sizes[MOST_ITEMS];
  int channels[MOST_ITEMS], precisions[MOST_ITEMS], threads[MOST_ITEMS];
  char **engines;
  char *filter; // NULL: wavelet shrinkage
  const OdlBenchSet *sets[MOST_ITEMS];
  int n_sets;
  OdlBenchParams params;
} Request;

static bool
fail_list (const char *option, const char *text, const char *right, GError **error)
{
  return odl_error_set (error, ODL_ERROR_USAGE, _ ("--%s=%s: %s"), option, text, right);
}

// Splits a list; NULL with an error if it is empty or too long. `right` describes
// valid input. Transfer full.
static char **
split_list (const char *option, const char *text, const char *right, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);

  if (words[0] != NULL && g_strv_length (words) <= MOST_ITEMS)
    return g_steal_pointer (&words);
  fail_list (option, text, right, error);
  return NULL;
}

// Parses "1,3". `allowed` is a list that ends with 0, or the range from its first to
// its second entry if the third is RANGE. No text gives no numbers. `right` describes
// valid input.
static bool
parse_numbers (const char *option,
               const char *text,
               const int *allowed,
               const char *right,
               int numbers[MOST_ITEMS],
               int *n,
               GError **error)
{
  if (text == NULL)
    return true;

  g_auto (GStrv) words = split_list (option, text, right, error);

  for (char **word = words; word != NULL && *word != NULL; word++) {
    gint64 number = 0;
    bool found = g_ascii_string_to_signed (*word, 10, 1, G_MAXINT, &number, NULL);
    if (allowed[2] == RANGE) {
      found = found && number >= allowed[0] && number <= allowed[1];
    } else {
      const int *choice = allowed;
      while (*choice != 0 && *choice != number)
        choice++;
      found = found && *choice != 0;
    }
    if (!found)
      return fail_list (option, text, right, error);
    numbers[(*n)++] = (int) number;
  }
  return words != NULL;
}

// Parses "512,511x333".
static bool
parse_sizes (const char *text, Request *request, GError **error)
{
  const char *const right = _ ("write sizes such as 512,511x333");

  if (text == NULL)
    return true;
  g_auto (GStrv) words = split_list ("sizes", text, right, error);

  for (char **word = words; word != NULL && *word != NULL; word++) {
    g_auto (GStrv) sides = g_strsplit (*word, "x", 2);
    gint64 width = 0, height = 0;

    if (sides[0] == NULL
        || !g_ascii_string_to_signed (sides[0], 10, 1, MOST_SIDE, &width, NULL)
        || !g_ascii_string_to_signed (sides[1] != NULL ? sides[1] : sides[0], 10, 1,
                                      MOST_SIDE, &height, NULL))
      return fail_list ("sizes", text, right, error);
    request->sizes[request->params.n_sizes++]
        = (OdlBenchSize){ (int) width, (int) height, 0 };
  }
  return words != NULL;
}

// Parses "filter,video" or "all"; default: the first set.
static bool
parse_sets (const char *text, Request *request, GError **error)
{
  const char *const wanted = text != NULL ? text : odl_bench_set_at (0)->name;
  const bool all = g_str_equal (wanted, "all");
  g_auto (GStrv) words = g_strsplit (wanted, ",", -1);
  g_autoptr (GString) names = g_string_new (NULL);

  for (size_t i = 0; i < odl_bench_set_count (); i++) {
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", odl_bench_set_at (i)->name);
    if (all)
      request->sets[request->n_sets++] = odl_bench_set_at (i);
  }
  // Translators: the names of the sets of the benchmark.
  g_autofree char *right
      = g_strdup_printf (_ ("write all, or some of %s, with commas"), names->str);
  for (char **word = words; !all && *word != NULL && request->n_sets < MOST_ITEMS;
       word++) {
    const OdlBenchSet *set = odl_bench_set_find (*word);
    if (set == NULL)
      return fail_list ("set", wanted, right, error);
    request->sets[request->n_sets++] = set;
  }
  return request->n_sets > 0 || fail_list ("set", wanted, right, error);
}

static void
report_progress (const char *line, void *user_data)
{
  if (isatty (STDERR_FILENO))
    fprintf (stderr, "\r\033[K%s", line);
}

static void
clear_progress (void)
{
  if (isatty (STDERR_FILENO))
    fputs ("\r\033[K", stderr);
}

static bool
is_for_output (const char *path)
{
  return g_strcmp0 (path, "-") == 0;
}

// Whether a report replaces the tables on standard output.
static bool
takes_output (const Options *options)
{
  return is_for_output (options->csv) || is_for_output (options->json);
}

// Parses the recipes of --filter, which replace wavelet shrinkage.
static bool
read_filter (const Options *options, Request *request, GError **error)
{
  OdlRecipe recipe;

  if (options->filters == NULL)
    return true;
  odl_recipe_init (&recipe);
  request->filter = g_strjoinv (" ", options->filters);
  if (!odl_recipe_parse (&recipe, request->filter, error))
    return false;
  if (options->wavelet != NULL || options->levels != NOT_TYPED || options->sets != NULL)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--filter names all that is measured: leave "
                             "--wavelet, --levels and --set out"));
  // The recipe may set the precision.
  if (request->params.n_precisions == 0 && recipe.precision != 32)
    request->precisions[request->params.n_precisions++] = recipe.precision;
  request->params.filter = request->filter;
  return true;
}

static bool
read_options (const Options *options, Request *request, GError **error)
{
  static const int channels[] = { 1, 3, 4, 0 }, precisions[] = { 16, 32, 0 };
  static const int threads[] = { 1, 1024, RANGE };
  OdlBenchParams *params = &request->params;
  g_autofree char *how
      = g_strdup_printf (_ ("write at most %d numbers from %d to %d, with commas"),
                         MOST_ITEMS, threads[0], threads[1]);

  if (!parse_sizes (options->sizes, request, error)
      || !parse_numbers ("channels", options->channels, channels,
                         _ ("write 1, 3 or 4, with commas"), request->channels,
                         &params->n_channels, error)
      || !parse_numbers ("precision", options->precisions, precisions,
                         _ ("write 16, 32 or both, with a comma"), request->precisions,
                         &params->n_precisions, error)
      || !parse_numbers ("threads", options->threads, threads, how, request->threads,
                         &params->n_threads, error)
      || !parse_sets (options->sets, request, error)
      || !read_filter (options, request, error))
    return false;
  if ((options->levels != NOT_TYPED && (options->levels < 1 || options->levels > 16))
      || (options->runs != NOT_TYPED && options->runs < 1))
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--levels goes from 1 to 16, --runs from 1"));
  if (is_for_output (options->csv) && is_for_output (options->json))
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("only one of --csv and --json can go to standard output; "
                             "name a file for the other, as in --csv=FILE"));

  request->engines
      = options->engines != NULL ? g_strsplit (options->engines, ",", -1) : NULL;
  params->engines = (const char *const *) request->engines;
  params->sizes = request->sizes;
  params->channels = request->channels;
  params->precisions = request->precisions;
  params->threads = request->threads;
  params->wavelet = options->wavelet;
  params->levels = MAX (options->levels, 0);
  params->runs = MAX (options->runs, 0);
  params->progress = report_progress;
  return true;
}

static bool
fail_to_write (const char *path, int code, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path);

  return odl_error_set (error, ODL_ERROR_IO, _ ("cannot write “%s”: %s"), shown,
                        g_strerror (code));
}

// Resolves `path`. *whole: a regular file, replaced by renaming; devices and pipes
// must not be replaced. NULL with errno set.
static char *
target_of (const char *path, bool *whole)
{
  char resolved[PATH_MAX];
  GStatBuf status;

  *whole = true;
  if (g_stat (path, &status) != 0)
    return errno == ENOENT && g_lstat (path, &status) != 0 && *path != '\0'
               ? g_strdup (path)
               : NULL; // a dangling link
  if (S_ISDIR (status.st_mode)) {
    errno = EISDIR;
    return NULL;
  }
  *whole = S_ISREG (status.st_mode);
  // /proc links to pipes resolve to names that cannot be opened.
  return *whole && realpath (path, resolved) != NULL ? g_strdup (resolved)
                                                     : g_strdup (path);
}

// Tries it: permission bits do not tell, since root passes them on read-only file
// systems.
static bool
can_hold_files (const char *folder)
{
  g_autofree char *probe = g_build_filename (folder, ".odl-bench-XXXXXX", NULL);
  const int fd = g_mkstemp (probe);

  if (fd < 0)
    return false;
  close (fd);
  g_unlink (probe);
  return true;
}

// Checks that `path` is writable, before minutes of measuring. ODL_ERROR_IO. Leaves
// nothing behind.
static bool
check_file (const char *path, GError **error)
{
  bool whole;
  g_autofree char *target = target_of (path, &whole);

  if (target == NULL)
    return fail_to_write (path, errno, error);
  if (!whole)
    return access (target, W_OK) == 0 || fail_to_write (path, errno, error);
  g_autofree char *folder = g_path_get_dirname (target);
  return can_hold_files (folder) || fail_to_write (path, errno, error);
}

static bool
write_directly (const char *path, const char *text)
{
  FILE *file = g_fopen (path, "we");

  if (file == NULL)
    return false;
  const bool written = fputs (text, file) >= 0;
  return fclose (file) == 0 && written;
}

// Writes a file atomically, replacing an existing one and following symbolic links;
// devices and pipes are written directly. "-" is standard output. ODL_ERROR_IO.
static bool
write_file (const char *path, const char *text, GError **error)
{
  g_autoptr (GError) cause = NULL;
  bool whole;

  if (g_str_equal (path, "-")) {
    fputs (text, stdout); // main checks for errors at exit
    return true;
  }
  g_autofree char *target = target_of (path, &whole);
  if (target == NULL)
    return fail_to_write (path, errno, error);
  if (!whole)
    return write_directly (target, text) || fail_to_write (path, errno, error);
  if (g_file_set_contents (target, text, -1, &cause))
    return true;
  return odl_error_set (error, ODL_ERROR_IO, _ ("cannot write “%s”: %s"), path,
                        cause->message);
}

// Writes the results so far.
static bool
write_reports (const Options *options, const OdlBenchResult *result, GError **error)
{
  g_autofree char *csv = odl_bench_to_csv (result);
  g_autofree char *json = odl_bench_to_json (result);

  return (options->csv == NULL || write_file (options->csv, csv, error))
         && (options->json == NULL || write_file (options->json, json, error));
}

// --csv and --json: no file name, or "-", means standard output.
static gboolean
parse_file_cb (const char *name, const char *value, gpointer data, GError **error)
{
  Options *options = data;
  char **file = g_str_equal (name, "--csv") ? &options->csv : &options->json;

  g_free (*file);
  *file = g_strdup (value != NULL ? value : "-");
  return TRUE;
}

static GOptionContext *
make_context (Options *options)
{
  const GOptionEntry entries[] = {
    { "engine", 0, 0, G_OPTION_ARG_STRING, &options->engines,
      N_ ("engines to measure, as ENGINE or ENGINE:VARIANT (all that work here)"),
      N_ ("NAME,…") },
    { "set", 0, 0, G_OPTION_ARG_STRING, &options->sets,
      N_ ("what to measure: filter, video, start, load or all (filter)"), N_ ("SET,…") },
    { "sizes", 0, 0, G_OPTION_ARG_STRING, &options->sizes,
      N_ ("sizes such as 512,511x333 (those of the set that memory and time allow)"),
      N_ ("SIZE,…") },
    { "channels", 0, 0, G_OPTION_ARG_STRING, &options->channels,
      N_ ("channels: 1 grey, 3 colour (1,3)"), N_ ("N,…") },
    { "precision", 0, 0, G_OPTION_ARG_STRING, &options->precisions,
      N_ ("bits of the intermediate pictures on the GPU (32,16)"), N_ ("BITS,…") },
    { "filter", 'f', 0, G_OPTION_ARG_STRING_ARRAY, &options->filters,
      N_ ("measure this filter instead of wavelet shrinkage; several make a chain"),
      "NAME:KEY=VALUE,…" },
    { "wavelet", 0, 0, G_OPTION_ARG_STRING, &options->wavelet, N_ ("wavelet (cdf97)"),
      N_ ("NAME") },
    { "levels", 0, 0, G_OPTION_ARG_INT, &options->levels, N_ ("levels (3)"), N_ ("N") },
    { "threads", 0, 0, G_OPTION_ARG_STRING, &options->threads,
      N_ ("threads of the CPU engines (1, and all)"), N_ ("N,…") },
    { "runs", 0, 0, G_OPTION_ARG_INT, &options->runs,
      N_ ("runs of each measurement (as many as a third of a second allows)"), N_ ("N") },
    { "explain", 0, 0, G_OPTION_ARG_NONE, &options->explain,
      N_ ("print bytes, bound and share of each step of the largest picture"), NULL },
    { "csv", 0, G_OPTION_FLAG_OPTIONAL_ARG, G_OPTION_ARG_CALLBACK, parse_file_cb,
      N_ ("write the rows as CSV; alone on standard output"), N_ ("FILE") },
    { "json", 0, G_OPTION_FLAG_OPTIONAL_ARG, G_OPTION_ARG_CALLBACK, parse_file_cb,
      N_ ("write the rows as JSON; alone on standard output"), N_ ("FILE") },
    { NULL },
  };
  GOptionContext *context = g_option_context_new (NULL);
  GOptionGroup *group = g_option_group_new ("bench", NULL, NULL, options, NULL);

  g_option_context_set_summary (context,
                                _ ("Times analysis, wavelet shrinkage and synthesis in "
                                   "every engine, or any filters."));
  g_option_group_add_entries (group, entries);
  g_option_group_set_translation_domain (group, GETTEXT_PACKAGE);
  g_option_context_set_main_group (context, group);
  return context;
}

static void
clear_options (Options *options, Request *request)
{
  g_free (options->engines);
  g_free (options->sizes);
  g_free (options->channels);
  g_free (options->precisions);
  g_free (options->threads);
  g_free (options->wavelet);
  g_free (options->sets);
  g_free (options->csv);
  g_free (options->json);
  g_strfreev (options->filters);
  g_free (request->filter);
  g_strfreev (request->engines);
}

// Prints each set when it is complete; the next may take minutes.
static void
print_set (const OdlBenchResult *result, const Options *options, bool first)
{
  clear_progress ();
  if (takes_output (options)) {
    // Notes are part of tables, which are not printed.
    for (guint i = 0; i < result->notes->len; i++)
      g_printerr (_ ("not measured: %s\n"), (char *) result->notes->pdata[i]);
    return;
  }
  g_autofree char *table = odl_bench_to_table (result);
  g_autofree char *bounds = options->explain ? odl_bench_explain (result) : g_strdup ("");
  printf ("%s%s%s", first ? "" : "\n", table, bounds);
  fflush (stdout);
}

// Appends the results to `all`; *all NULL: no results yet.
static bool
run_set (const Options *options,
         const Request *request,
         const OdlBenchSet *set,
         OdlBenchResult **all,
         GError **error)
{
  OdlBenchParams params = request->params;
  OdlBenchDefaults defaults;

  odl_bench_set_complete (set, &params, &defaults);
  g_autoptr (OdlBenchResult) result = odl_bench_run (&params, error);
  odl_bench_defaults_clear (&defaults);
  if (result == NULL)
    return false;
  print_set (result, options, *all == NULL);
  if (*all == NULL)
    *all = g_steal_pointer (&result);
  else
    odl_bench_result_append (*all, result);
  return true;
}

static bool
check_files (const Options *options, GError **error)
{
  const char *const paths[] = { options->csv, options->json };

  for (size_t i = 0; i < G_N_ELEMENTS (paths); i++)
    if (paths[i] != NULL && !is_for_output (paths[i]) && !check_file (paths[i], error))
      return false;
  return true;
}

static int
run_request (const Options *options, Request *request)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlBenchResult) all = NULL;
  bool done = check_files (options, &error);

  // A cold start must not use cached programs.
  for (int i = 0; i < request->n_sets; i++)
    if (g_str_equal (request->sets[i]->name, "start")) {
      g_setenv ("MESA_SHADER_CACHE_DISABLE", "true", TRUE);
      g_setenv ("__GL_SHADER_DISK_CACHE", "0", TRUE);
    }
  for (int i = 0; i < request->n_sets && done; i++)
    done = run_set (options, request, request->sets[i], &all, &error)
           && (takes_output (options) || write_reports (options, all, &error));
  clear_progress ();
  if (done && takes_output (options))
    done = write_reports (options, all, &error);
  if (done)
    return EXIT_DONE;
  g_printerr ("%s: %s\n", g_get_prgname (), error->message);
  return g_error_matches (error, ODL_ERROR, ODL_ERROR_USAGE) ? EXIT_USAGE : EXIT_FAILED;
}

int
odl_bench_main (int argc, char **argv, const OdlBenchHooks *hooks)
{
  Options options = { .levels = NOT_TYPED, .runs = NOT_TYPED };
  Request request = { 0 };
  g_autoptr (GError) error = NULL;
  GOptionContext *context = make_context (&options);
  int status = EXIT_USAGE;

  if (hooks != NULL) {
    request.params.decode = hooks->decode;
    request.params.decode_name = hooks->decode_name;
    request.params.user_data = hooks->user_data;
  }
  if (g_option_context_parse (context, &argc, &argv, &error)
      && read_options (&options, &request, &error)) {
    // "--json -" leaves a "-".
    while (argc > 1 && is_for_output (argv[argc - 1])
           && (options.csv != NULL || options.json != NULL))
      argc--;
    if (argc > 1)
      g_printerr (_ ("%s: “%s” is not an option of the benchmark\n"), g_get_prgname (),
                  argv[1]);
    else
      status = run_request (&options, &request);
  } else {
    g_printerr ("%s: %s\n", g_get_prgname (), error->message);
  }
  g_option_context_free (context);
  clear_options (&options, &request);
  return status;
}
