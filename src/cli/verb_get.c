// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

#include "archive/callers.h"
#include "archive/get.h"
#include "base/error.h"
#include "cli/node_options.h"
#include "cli/verb.h"
#include "source/helper/process.h"

typedef struct {
  OdlNodeOptions node;
  char *study, *series, *image;
  char *output;
  char *move_to, *listen, *callers;
  gboolean durable;
  int most, seconds;
} Options;

// Lines for programs on standard output, at once; sentences on standard error.
static void
told_cb (const OdlGetNews *news, void *data)
{
  static const char *const words[] = {
    [ODL_KEPT_NEW] = "stored",
    [ODL_KEPT_AGAIN] = "again",
    [ODL_KEPT_ALIKE] = "again",
    [ODL_KEPT_APART] = "apart",
  };
  const Options *options = data;

  if (news->event == ODL_GET_SAID) {
    odl_report_note (options->node.node, news->text);
    return;
  }
  g_print ("%s %s\n", news->event == ODL_GET_MISSING ? "missing" : words[news->kept],
           news->path);
  fflush (stdout);
}

static bool
parse_query (const Options *options, OdlQuery *query, OdlLevel *level, GError **error)
{
  if (options->study == NULL)
    return odl_usage_error (error,
                            _ ("Say what to get: --study UID, as “find” lists it."));
  if (options->image != NULL && options->series == NULL)
    return odl_usage_error (error, _ ("--image needs the --series that it is of."));
  *level = options->image != NULL    ? ODL_LEVEL_IMAGE
           : options->series != NULL ? ODL_LEVEL_SERIES
                                     : ODL_LEVEL_STUDY;
  return odl_query_set (query, ODL_KEY_STUDY, "--study", options->study, error)
         && odl_query_set (query, ODL_KEY_SERIES, "--series", options->series, error)
         && odl_query_set (query, ODL_KEY_INSTANCE, "--image", options->image, error);
}

// "TITLE[:PORT]". `title` is transfer full.
static bool
parse_move (const Options *options, OdlMoveParams *move, char **title, GError **error)
{
  const char *colon = options->move_to != NULL ? strrchr (options->move_to, ':') : NULL;
  guint64 port = 0;

  move->address = options->listen;
  move->callers = options->callers;
  if (options->move_to == NULL)
    return true;
  if (colon != NULL
      && !g_ascii_string_to_unsigned (colon + 1, 10, 1, G_MAXUINT16, &port, NULL))
    return odl_usage_error (error, _ ("--move-to takes TITLE or TITLE:PORT"));
  *title = colon != NULL
               ? g_strndup (options->move_to, (gsize) (colon - options->move_to))
               : g_strdup (options->move_to);
  move->only = true;
  move->title = *title;
  move->port = (guint) port;
  return odl_title_is_valid (*title)
         || odl_usage_error (error, _ ("--move-to takes TITLE or TITLE:PORT"));
}

// What is to be said at the end; the exit status.
static int
conclude (const Options *options, const OdlGot *got)
{
  const guint n = got->n_kept + got->n_again + got->n_apart - got->n_more;
  g_autofree char *text = NULL;

  odl_node_options_tell (&options->node, &got->found, false);
  if (got->n_apart > 0) {
    text
        = g_strdup_printf (_ ("kept apart, since there are others with their UIDs, which "
                              "stay: %u"),
                           got->n_apart);
    odl_report_note (options->node.node, text);
  }
  if (got->n_missing + got->found.n_invalid > 0) {
    g_autofree char *lacks
        = g_strdup_printf (_ ("%u of %u pictures arrived; the others are missing"), n,
                           n + got->n_missing + got->found.n_invalid);
    odl_report_note (options->node.node, lacks);
    return ODL_EXIT_FAILED;
  }
  return got->n_others > 0 ? ODL_EXIT_DAMAGED : ODL_EXIT_DONE;
}

static int
run (Options *options, OdlQuery *query, GError **error)
{
  OdlLevel level = ODL_LEVEL_STUDY;
  OdlGot got = { 0 };
  OdlMoveParams move = { 0 };
  g_autofree char *title = NULL;

  if (!odl_node_options_check (&options->node,
                               _ ("Say which node: --from TITLE@HOST:PORT."), error)
      || !parse_query (options, query, &level, error)
      || !parse_move (options, &move, &title, error))
    return ODL_EXIT_USAGE;
  if (options->output == NULL)
    odl_usage_error (error, _ ("Say where instances go: -o FOLDER."));
  else if (options->most < 0 || options->seconds < 0)
    odl_usage_error (error, _ ("Limits are positive numbers."));
  OdlInstances *instances
      = *error == NULL ? odl_instances_open (options->output, options->durable, error)
                       : NULL;
  if (instances == NULL)
    return ODL_EXIT_FAILED;
  odl_instances_learn (instances);
  odl_helper_process_tell_idle (NULL);
  const OdlGetParams params = { .link = options->node.link,
                                .move = move,
                                .level = level,
                                .query = query,
                                .instances = instances,
                                .most = (guint) options->most,
                                .seconds = (guint) options->seconds,
                                .told = told_cb,
                                .data = options };
  odl_get (&params, &got, NULL, error);
  const int status = conclude (options, &got);
  odl_instances_close (instances);
  return status;
}

static int
get (int argc, char **argv)
{
  Options options = { 0 };
  OdlQuery query = { { NULL } };
  g_autoptr (GError) error = NULL;
  const GOptionEntry entries[] = {
    ODL_NODE_ENTRIES (&options.node, "from", N_ ("The node that has them")),
    { "study", 0, 0, G_OPTION_ARG_STRING, &options.study, N_ ("All of that study"),
      "UID" },
    { "series", 0, 0, G_OPTION_ARG_STRING, &options.series, N_ ("That series of it"),
      "UID" },
    { "image", 0, 0, G_OPTION_ARG_STRING, &options.image, N_ ("That picture of it"),
      "UID" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      N_ ("Where instances go, by study and series"), "FOLDER" },
    { "move-to", 0, 0, G_OPTION_ARG_STRING, &options.move_to,
      N_ ("Have them moved here (C-MOVE): our title and port as the node knows them; "
          "without it where the node has no C-GET; default: our own title, 11112"),
      "TITLE[:PORT]" },
    { "listen", 0, 0, G_OPTION_ARG_STRING, &options.listen,
      N_ ("With C-MOVE, at which address of this machine, in numbers; default: the one "
          "on the way to the node"),
      "ADDRESS" },
    { "callers", 0, 0, G_OPTION_ARG_STRING, &options.callers,
      N_ ("With C-MOVE, who may call; default: the node, by its title and address"),
      "TITLE[@ADDRESS],…" },
    { "durable", 0, 0, G_OPTION_ARG_NONE, &options.durable,
      N_ ("Answer only when an instance survives a loss of power"), NULL },
    { "most", 0, 0, G_OPTION_ARG_INT, &options.most,
      N_ ("Pictures above which it is given up; default: 100000"), "N" },
    { "most-seconds", 0, 0, G_OPTION_ARG_INT, &options.seconds,
      N_ ("For all of it; default: 14400"), "N" },
    { NULL },
  };
  int status = ODL_EXIT_USAGE;

  if (odl_verb_parse (&odl_verb_get, entries, NULL, argc, argv))
    status = run (&options, &query, &error);
  if (error != NULL) {
    odl_report_error (error->code == ODL_ERROR_USAGE ? NULL : options.node.node, error);
    status = odl_report_status (error);
  }
  odl_query_clear (&query);
  odl_node_options_clear (&options.node);
  g_free (options.study);
  g_free (options.series);
  g_free (options.image);
  g_free (options.output);
  g_free (options.move_to);
  g_free (options.listen);
  g_free (options.callers);
  return status;
}

const OdlVerb odl_verb_get = {
  .name = "get",
  .arguments = "--from TITLE@HOST:PORT --study UID -o FOLDER",
  .summary = N_ ("Get a study, series or picture from a DICOM node (C-GET, C-MOVE)."),
  .run = get,
};
