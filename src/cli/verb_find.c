// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

#include "archive/find.h"
#include "base/error.h"
#include "cli/json.h"
#include "cli/node_options.h"
#include "cli/verb.h"
#include "source/helper/process.h"

// ---- Columns ----

typedef struct {
  OdlKey key;
  int width; // 0: the last one, as wide as it is
  const char *title;
} Column;

#define MAX_COLUMNS 8

static const Column columns[ODL_N_LEVELS][MAX_COLUMNS] = {
  [ODL_LEVEL_PATIENT] = { { ODL_KEY_BIRTH_DATE, 10, N_ ("Born") },
                          { ODL_KEY_SEX, 3, N_ ("Sex") },
                          { ODL_KEY_PATIENT_NAME, 32, N_ ("Patient") },
                          { ODL_KEY_PATIENT_ID, 0, N_ ("Patient ID") } },
  [ODL_LEVEL_STUDY] = { { ODL_KEY_DATE, 10, N_ ("Date") },
                        { ODL_KEY_MODALITIES, 8, N_ ("Kind") },
                        { ODL_KEY_PATIENT_NAME, 24, N_ ("Patient") },
                        { ODL_KEY_PATIENT_ID, 14, N_ ("Patient ID") },
                        { ODL_KEY_STUDY_DESCRIPTION, 28, N_ ("Description") },
                        { ODL_KEY_N_STUDY_INSTANCES, 8, N_ ("Pictures") },
                        { ODL_KEY_STUDY, 0, N_ ("Study") } },
  [ODL_LEVEL_SERIES] = { { ODL_KEY_DATE, 10, N_ ("Date") },
                         { ODL_KEY_PATIENT_NAME, 24, N_ ("Patient") },
                         { ODL_KEY_SERIES_NUMBER, 6, N_ ("Series") },
                         { ODL_KEY_MODALITY, 4, N_ ("Kind") },
                         { ODL_KEY_SERIES_DESCRIPTION, 28, N_ ("Description") },
                         { ODL_KEY_N_SERIES_INSTANCES, 8, N_ ("Pictures") },
                         { ODL_KEY_SERIES, 0, N_ ("Series") } },
  [ODL_LEVEL_IMAGE] = { { ODL_KEY_PATIENT_NAME, 24, N_ ("Patient") },
                        { ODL_KEY_MODALITY, 4, N_ ("Kind") },
                        { ODL_KEY_SERIES_NUMBER, 6, N_ ("Series") },
                        { ODL_KEY_INSTANCE_NUMBER, 7, N_ ("Picture") },
                        { ODL_KEY_INSTANCE, 0, N_ ("Picture") } },
};

typedef struct {
  OdlLevel level;
  gboolean as_json, as_csv;
  OdlJson json;
  bool begun;
} Output;

// ---- A table ----

// Columns of a terminal.
static int
width_of (gunichar c)
{
  return g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
}

// In so many columns; what is longer is cut.
static void
add_cell (GString *line, const char *text, int width)
{
  int n = 0;

  if (width == 0) {
    g_string_append (line, text);
    return;
  }
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at)) {
    const gunichar c = g_utf8_get_char (at);
    const bool is_last = *g_utf8_next_char (at) == '\0';
    if (n + width_of (c) > width - (is_last ? 0 : 1)) {
      g_string_append (line, "…");
      n++;
      break;
    }
    g_string_append_unichar (line, c);
    n += width_of (c);
  }
  g_string_append_printf (line, "%*s", width - n + 2, "");
}

// For people. Transfer full.
static char *
shown (OdlKey key, const char *value)
{
  if (value == NULL)
    return g_strdup ("");
  if ((key == ODL_KEY_DATE || key == ODL_KEY_BIRTH_DATE) && strlen (value) == 8
      && strspn (value, "0123456789") == 8)
    return g_strdup_printf ("%.4s-%.2s-%.2s", value, value + 4, value + 6);
  return g_strdelimit (g_strdup (value), "\\", ',');
}

static void
print_line (const Output *output, OdlValues values)
{
  const Column *column = columns[output->level];
  g_autoptr (GString) line = g_string_new (NULL);

  for (int i = 0; i < MAX_COLUMNS && column[i].title != NULL; i++) {
    g_autofree char *text = values != NULL ? shown (column[i].key, values[column[i].key])
                                           : g_strdup (_ (column[i].title));
    add_cell (line, text, column[i].width);
  }
  g_print ("%s\n", line->str);
}

// ---- For programs ----

static bool
is_told (const Output *output, OdlKey key)
{
  return odl_keys[key].level <= output->level;
}

static void
write_json (Output *output, OdlValues values)
{
  OdlJson *json = &output->json;

  odl_json_begin_object (json, NULL);
  for (int i = 0; i < ODL_N_KEYS; i++) {
    if (!is_told (output, i))
      continue;
    if (i == ODL_KEY_MODALITIES && values[i] != NULL) {
      g_auto (GStrv) all = g_strsplit (values[i], "\\", -1);
      odl_json_strings (json, odl_keys[i].name, (const char *const *) all, -1);
    } else {
      odl_json_string (json, odl_keys[i].name, values[i]);
    }
  }
  odl_json_end_object (json);
  odl_json_flush (json);
}

// RFC 4180.
static void
write_csv (const Output *output, OdlValues values)
{
  g_autoptr (GString) line = g_string_new (NULL);

  for (int i = 0; i < ODL_N_KEYS; i++) {
    const char *text = values == NULL      ? odl_keys[i].name
                       : values[i] != NULL ? values[i]
                                           : "";
    if (!is_told (output, i))
      continue;
    if (line->len > 0)
      g_string_append_c (line, ',');
    if (strpbrk (text, "\",\n") == NULL) {
      g_string_append (line, text);
      continue;
    }
    g_auto (GStrv) parts = g_strsplit (text, "\"", -1);
    g_autofree char *doubled = g_strjoinv ("\"\"", parts);
    g_string_append_printf (line, "\"%s\"", doubled);
  }
  fprintf (stdout, "%s\n", line->str);
}

static void
begin (Output *output)
{
  if (output->as_json) {
    odl_json_init (&output->json);
    odl_json_begin_array (&output->json, NULL);
  } else if (output->as_csv) {
    write_csv (output, NULL);
  }
}

static void
told_cb (OdlValues values, void *data)
{
  Output *output = data;

  if (output->as_json) {
    write_json (output, values);
  } else if (output->as_csv) {
    write_csv (output, values);
  } else {
    if (!output->begun)
      print_line (output, NULL);
    print_line (output, values);
  }
  output->begun = true;
  fflush (stdout);
}

static void
end (Output *output)
{
  if (!output->as_json)
    return;
  odl_json_end_array (&output->json);
  odl_json_print (&output->json);
}

// ---- The verb ----

typedef struct {
  OdlNodeOptions node;
  char *level;
  char *name, *id, *dates, *accession, *modality, *description, *study, *series;
  int most, seconds;
  Output output;
} Options;

static bool
parse_level (const char *text, OdlLevel *level, GError **error)
{
  static const char *const names[ODL_N_LEVELS]
      = { "patient", "study", "series", "image" };

  *level = ODL_LEVEL_STUDY;
  for (int i = 0; text != NULL && i < ODL_N_LEVELS; i++)
    if (g_str_equal (text, names[i])) {
      *level = i;
      return true;
    }
  return text == NULL
         || odl_usage_error (error,
                             _ ("--level takes patient, study, series or image; “%s” is "
                                "none of them"),
                             text);
}

// Criteria that a level does not have are an error, rather than passed over.
static bool
parse_query (const Options *options, OdlQuery *query, GError **error)
{
  const OdlLevel level = options->output.level;
  const struct {
    const char *option, *text;
    OdlKey key;
    OdlLevel from;
  } all[] = {
    { "--patient-name", options->name, ODL_KEY_PATIENT_NAME, ODL_LEVEL_PATIENT },
    { "--patient-id", options->id, ODL_KEY_PATIENT_ID, ODL_LEVEL_PATIENT },
    { "--date", options->dates, ODL_KEY_DATE, ODL_LEVEL_STUDY },
    { "--accession", options->accession, ODL_KEY_ACCESSION, ODL_LEVEL_STUDY },
    { "--modality", options->modality, ODL_KEY_MODALITIES, ODL_LEVEL_STUDY },
    { "--modality", level > ODL_LEVEL_STUDY ? options->modality : NULL, ODL_KEY_MODALITY,
      ODL_LEVEL_SERIES },
    { "--description", options->description,
      level > ODL_LEVEL_STUDY ? ODL_KEY_SERIES_DESCRIPTION : ODL_KEY_STUDY_DESCRIPTION,
      ODL_LEVEL_STUDY },
    { "--study", options->study, ODL_KEY_STUDY, ODL_LEVEL_STUDY },
    { "--series", options->series, ODL_KEY_SERIES, ODL_LEVEL_SERIES },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (all); i++) {
    if (all[i].text != NULL && level < all[i].from)
      return odl_usage_error (error, _ ("%s is of no use at that --level"),
                              all[i].option);
    if (!odl_query_set (query, all[i].key, all[i].option, all[i].text, error))
      return false;
  }
  return true;
}

static bool
run (Options *options, OdlQuery *query, GError **error)
{
  Output *output = &options->output;
  OdlFound found;

  if (output->as_json && output->as_csv)
    return odl_usage_error (error, _ ("Choose one of --json and --csv."));
  if (options->most < 0 || options->seconds < 0)
    return odl_usage_error (error, _ ("Limits are positive numbers."));
  if (!odl_node_options_check (&options->node,
                               _ ("Say which node: --from TITLE@HOST:PORT."), error)
      || !parse_level (options->level, &output->level, error)
      || !parse_query (options, query, error))
    return false;
  const OdlFindParams params = { .link = options->node.link,
                                 .level = output->level,
                                 .query = query,
                                 .most = (guint) options->most,
                                 .seconds = (guint) options->seconds,
                                 .told = told_cb,
                                 .data = output };
  odl_helper_process_tell_idle (NULL);
  begin (output);
  const bool done = odl_find (&params, &found, NULL, error);
  end (output);
  odl_node_options_tell (&options->node, &found, done);
  return done;
}

static int
find (int argc, char **argv)
{
  Options options = { 0 };
  OdlQuery query = { { NULL } };
  g_autoptr (GError) error = NULL;
  const GOptionEntry entries[] = {
    ODL_NODE_ENTRIES (&options.node, "from", N_ ("The node that is asked")),
    { "level", 0, 0, G_OPTION_ARG_STRING, &options.level,
      N_ ("What is listed: patient, study (the default), series or image"), "LEVEL" },
    { "patient-name", 0, 0, G_OPTION_ARG_STRING, &options.name,
      N_ ("How the name begins, the family name first; with * and ?, all of it"),
      "NAME" },
    { "patient-id", 0, 0, G_OPTION_ARG_STRING, &options.id, N_ ("The patient's number"),
      "ID" },
    { "date", 0, 0, G_OPTION_ARG_STRING, &options.dates,
      N_ ("When it was made: a day, month or year, or from one to the other; one of both "
          "may be left out"),
      "FROM-TO" },
    { "accession", 0, 0, G_OPTION_ARG_STRING, &options.accession,
      N_ ("The number of the order"), "NUMBER" },
    { "modality", 0, 0, G_OPTION_ARG_STRING, &options.modality,
      N_ ("With pictures of that kind, such as CT or US"), "WORD" },
    { "description", 0, 0, G_OPTION_ARG_STRING, &options.description,
      N_ ("Of the study, or of the series where these or pictures are listed"), "TEXT" },
    { "study", 0, 0, G_OPTION_ARG_STRING, &options.study, N_ ("That study alone"),
      "UID" },
    { "series", 0, 0, G_OPTION_ARG_STRING, &options.series, N_ ("That series alone"),
      "UID" },
    { "most", 0, 0, G_OPTION_ARG_INT, &options.most,
      N_ ("Answers above which it is given up; default: 10000"), "N" },
    { "most-seconds", 0, 0, G_OPTION_ARG_INT, &options.seconds,
      N_ ("For all of it; default: 3600"), "N" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.output.as_json, N_ ("Write JSON"), NULL },
    { "csv", 0, 0, G_OPTION_ARG_NONE, &options.output.as_csv, N_ ("Write CSV"), NULL },
    { NULL },
  };
  int status = ODL_EXIT_USAGE;

  if (odl_verb_parse (&odl_verb_find, entries, NULL, argc, argv))
    status = run (&options, &query, &error) ? ODL_EXIT_DONE : odl_report_status (error);
  if (error != NULL)
    odl_report_error (error->code == ODL_ERROR_USAGE ? NULL : options.node.node, error);
  odl_query_clear (&query);
  odl_node_options_clear (&options.node);
  char *const texts[] = { options.level,       options.name,      options.id,
                          options.dates,       options.accession, options.modality,
                          options.description, options.study,     options.series };
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  return status;
}

const OdlVerb odl_verb_find = {
  .name = "find",
  .arguments = "--from TITLE@HOST:PORT",
  .summary = N_ ("List what a DICOM node has (C-FIND)."),
  .run = find,
};
