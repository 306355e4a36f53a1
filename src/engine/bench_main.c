// SPDX-License-Identifier: MIT
#include "engine/bench_main.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "engine/bench_report.h"

#define MOST_ITEMS 16

enum { EXIT_DONE, EXIT_FAILED, EXIT_USAGE };

// The options as typed.
typedef struct {
  char *engines, *sizes, *channels, *precisions, *threads, *wavelet;
  int levels, runs;
  char *csv, *json;
} Options;

// The same as numbers.
typedef struct {
  OdlBenchSize sizes[MOST_ITEMS];
  int channels[MOST_ITEMS], precisions[MOST_ITEMS], threads[MOST_ITEMS];
  char **engines;
  OdlBenchParams params;
} Request;

static bool
fail_list (const char *option, const char *text, const char *right, GError **error)
{
  g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE, _ ("--%s=%s: %s"), option, text, right);
  return false;
}

// "1,3" to numbers between lowest and highest.
static bool
parse_numbers (const char *option,
               const char *text,
               int lowest,
               int highest,
               int numbers[MOST_ITEMS],
               int *n,
               GError **error)
{
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", ",", -1);
  g_autofree char *right
      = g_strdup_printf (_ ("write at most %d numbers from %d to %d, with commas"),
                         MOST_ITEMS, lowest, highest);

  for (*n = 0; words[*n] != NULL; (*n)++) {
    gint64 number;
    if (*n == MOST_ITEMS
        || !g_ascii_string_to_signed (words[*n], 10, lowest, highest, &number, NULL))
      return fail_list (option, text, right, error);
    numbers[*n] = (int) number;
  }
  return true;
}

// "512,511x333".
static bool
parse_sizes (const char *text, Request *request, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", ",", -1);
  int n = 0;

  for (; words[n] != NULL; n++) {
    g_auto (GStrv) sides = g_strsplit (words[n], "x", 2);
    gint64 width = 0, height = 0;

    if (n == MOST_ITEMS || sides[0] == NULL
        || !g_ascii_string_to_signed (sides[0], 10, 1, 32768, &width, NULL)
        || !g_ascii_string_to_signed (sides[1] != NULL ? sides[1] : sides[0], 10, 1,
                                      32768, &height, NULL))
      return fail_list ("sizes", text, _ ("write sizes such as 512,511x333"), error);
    request->sizes[n] = (OdlBenchSize){ (int) width, (int) height };
  }
  request->params.n_sizes = n;
  return true;
}

static bool
check_choices (const char *option,
               const char *text,
               const int numbers[],
               int n,
               int first,
               int second,
               int third,
               GError **error)
{
  for (int i = 0; i < n; i++)
    if (numbers[i] != first && numbers[i] != second && numbers[i] != third) {
      g_autofree char *right
          = third == second
                ? g_strdup_printf (_ ("write %d or %d"), first, second)
                : g_strdup_printf (_ ("write %d, %d or %d"), first, second, third);
      return fail_list (option, text, right, error);
    }
  return true;
}

static void
report_progress (const char *line, void *user_data)
{
  if (isatty (STDERR_FILENO))
    fprintf (stderr, "\r\033[K%s", line);
}

static bool
read_options (const Options *options, Request *request, GError **error)
{
  OdlBenchParams *params = &request->params;

  if (!parse_sizes (options->sizes, request, error)
      || !parse_numbers ("channels", options->channels, 1, 4, request->channels,
                         &params->n_channels, error)
      || !check_choices ("channels", options->channels, request->channels,
                         params->n_channels, 1, 3, 4, error)
      || !parse_numbers ("precision", options->precisions, 16, 32, request->precisions,
                         &params->n_precisions, error)
      || !check_choices ("precision", options->precisions, request->precisions,
                         params->n_precisions, 16, 32, 32, error)
      || !parse_numbers ("threads", options->threads, 1, 1024, request->threads,
                         &params->n_threads, error))
    return false;
  if (options->levels < 0 || options->levels > 16 || options->runs < 0) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_USAGE,
                         _ ("--levels goes from 1 to 16, --runs from 1"));
    return false;
  }

  request->engines
      = options->engines != NULL ? g_strsplit (options->engines, ",", -1) : NULL;
  params->engines = (const char *const *) request->engines;
  params->sizes = request->sizes;
  params->channels = request->channels;
  params->precisions = request->precisions;
  params->threads = request->threads;
  params->wavelet = options->wavelet;
  params->levels = options->levels;
  params->runs = options->runs;
  params->progress = report_progress;
  return true;
}

// Writes to a file, or to standard output for "-".
static bool
write_report (const char *path, const char *text, GError **error)
{
  if (g_str_equal (path, "-")) {
    fputs (text, stdout);
    return true;
  }
  if (g_file_set_contents (path, text, -1, error))
    return true;
  g_prefix_error (error, _ ("cannot write “%s”: "), path);
  return false;
}

static bool
write_reports (const Options *options, const OdlBenchResult *result, GError **error)
{
  bool silent = g_strcmp0 (options->csv, "-") == 0 || g_strcmp0 (options->json, "-") == 0;
  g_autofree char *table = odl_bench_to_table (result);
  g_autofree char *csv = odl_bench_to_csv (result);
  g_autofree char *json = odl_bench_to_json (result);

  if (!silent)
    fputs (table, stdout);
  return (options->csv == NULL || write_report (options->csv, csv, error))
         && (options->json == NULL || write_report (options->json, json, error));
}

static GOptionContext *
make_context (Options *options)
{
  const GOptionEntry entries[] = {
    { "engine", 0, 0, G_OPTION_ARG_STRING, &options->engines,
      N_ ("engines to measure (all that work here)"), N_ ("NAME,…") },
    { "sizes", 0, 0, G_OPTION_ARG_STRING, &options->sizes,
      N_ ("sizes (128,256,512,1024,2048)"), N_ ("SIZE,…") },
    { "channels", 0, 0, G_OPTION_ARG_STRING, &options->channels,
      N_ ("channels: 1 grey, 3 colour (1,3)"), N_ ("N,…") },
    { "precision", 0, 0, G_OPTION_ARG_STRING, &options->precisions,
      N_ ("bits of the intermediate pictures on the GPU (32,16)"), N_ ("BITS,…") },
    { "wavelet", 0, 0, G_OPTION_ARG_STRING, &options->wavelet, N_ ("wavelet (cdf97)"),
      N_ ("NAME") },
    { "levels", 0, 0, G_OPTION_ARG_INT, &options->levels, N_ ("levels (3)"), N_ ("N") },
    { "threads", 0, 0, G_OPTION_ARG_STRING, &options->threads,
      N_ ("threads of the CPU engines (all)"), N_ ("N,…") },
    { "runs", 0, 0, G_OPTION_ARG_INT, &options->runs,
      N_ ("runs of each measurement (as many as half a second allows)"), N_ ("N") },
    { "csv", 0, 0, G_OPTION_ARG_FILENAME, &options->csv,
      N_ ("write the rows as CSV; - for standard output"), N_ ("FILE") },
    { "json", 0, 0, G_OPTION_ARG_FILENAME, &options->json,
      N_ ("write the rows as JSON; - for standard output"), N_ ("FILE") },
    { NULL },
  };
  GOptionContext *context = g_option_context_new (NULL);

  g_option_context_set_summary (
      context, _ ("Times analysis, wavelet shrinkage and synthesis in every engine."));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
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
  g_free (options->csv);
  g_free (options->json);
  g_strfreev (request->engines);
}

static int
run_request (const Options *options, Request *request)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlBenchResult) result = odl_bench_run (&request->params, &error);

  if (isatty (STDERR_FILENO))
    fputs ("\r\033[K", stderr);
  if (result != NULL && write_reports (options, result, &error))
    return EXIT_DONE;
  g_printerr ("%s: %s\n", g_get_prgname (), error->message);
  return g_error_matches (error, ODL_ERROR, ODL_ERROR_USAGE) ? EXIT_USAGE : EXIT_FAILED;
}

int
odl_bench_main (int argc, char **argv, const OdlBenchHooks *hooks)
{
  Options options = { 0 };
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
    if (argc > 1)
      g_printerr (_ ("“%s” is no option of the benchmark\n"), argv[1]);
    else
      status = run_request (&options, &request);
  } else {
    g_printerr ("%s: %s\n", g_get_prgname (), error->message);
  }
  g_option_context_free (context);
  clear_options (&options, &request);
  return status;
}
