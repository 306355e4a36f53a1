// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <unistd.h>

#include "archive/queue.h"
#include "archive/send.h"
#include "archive/sent_log.h"
#include "archive/waiting.h"
#include "base/error.h"
#include "cli/node_options.h"
#include "cli/verb.h"
#include "source/helper/process.h"

// Between two tries of what waits in a queue.
#define FIRST_WAIT_SECONDS 2
#define LAST_WAIT_SECONDS 60

static void
told_cb (const OdlSendNews *news, void *data)
{
  if (news->not_noted != NULL)
    odl_report_note (NULL, news->not_noted);
  if (news->text != NULL)
    odl_report_note (news->path, news->text);
  if (!news->taken)
    return;
  g_print ("sent %s\n", news->path);
  fflush (stdout);
}

// ---- A queue ----

typedef struct {
  const char *folder;
  double retry_seconds;
  guint n_lost; // that cannot be sent to anybody
  char *why; // the last one was not sent; NULL: none was tried in vain
} Queue;

static void
queue_told_cb (const OdlSendNews *news, void *data)
{
  Queue *queue = data;

  told_cb (news, NULL);
  queue->n_lost += news->hopeless;
  if (news->taken || news->hopeless) {
    g_unlink (news->path);
  } else {
    g_free (queue->why);
    queue->why = g_strdup (news->text);
  }
}

// Sends what waits, and tries again for as long as was said.
static int
send_queue (Queue *queue, OdlSendParams params)
{
  const double end
      = (double) g_get_monotonic_time () / G_USEC_PER_SEC + queue->retry_seconds;
  guint wait = FIRST_WAIT_SECONDS;

  params.told = queue_told_cb;
  params.data = queue;
  for (;;) {
    g_auto (GStrv) paths = odl_queue_list (queue->folder, NULL, 0);
    params.paths = (const char *const *) paths;
    if (paths[0] == NULL)
      return queue->n_lost == 0 ? ODL_EXIT_DONE : ODL_EXIT_FAILED;
    if (odl_send (&params, NULL) == 0)
      continue;
    if ((double) g_get_monotonic_time () / G_USEC_PER_SEC + wait > end) {
      g_auto (GStrv) left = odl_queue_list (queue->folder, NULL, 0);
      if (left[0] == NULL)
        continue;
      odl_report_note (queue->folder,
                       _ ("what the node did not take waits there; the same "
                          "command without files sends it"));
      return ODL_EXIT_QUEUED;
    }
    g_usleep (wait * G_USEC_PER_SEC);
    wait = MIN (2 * wait, LAST_WAIT_SECONDS);
  }
}

// Whether all are in the queue; those that are not were reported.
static bool
put_all (const Queue *queue, char **inputs)
{
  bool all = true;

  for (guint i = 0; inputs != NULL && inputs[i] != NULL; i++) {
    g_autoptr (GError) error = NULL;
    if (odl_queue_put (queue->folder, inputs[i], &error))
      continue;
    odl_report_error (inputs[i], error);
    all = false;
  }
  return all;
}

// ---- What windows could not send ----

static void
list_waiting (void)
{
  g_autoptr (GPtrArray) all = odl_waiting_list ();

  for (guint i = 0; i < all->len; i++) {
    const OdlWaiting *one = all->pdata[i];
    g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (one->tried_s);
    g_autofree char *tried = time != NULL && one->tried_s > 0
                                 ? g_date_time_format (time, "%Y-%m-%dT%H:%M:%SZ")
                                 : g_strdup ("-");
    g_print ("%s\t%u\t%u\t%s\t%s\n", *one->node != '\0' ? one->node : "-", one->n_files,
             one->n_tries, tried, *one->why != '\0' ? one->why : "-");
  }
}

// What waits for that node, and for nobody else to send it meanwhile.
static int
send_waiting (Queue *queue, const OdlSendParams *params, GError **error)
{
  g_autofree char *node = odl_node_name_to_text (params->link.to);
  g_autoptr (OdlWaiting) waiting = odl_waiting_of (node);
  const int lock = odl_waiting_lock (waiting, error);

  if (lock < 0)
    return ODL_EXIT_FAILED;
  queue->folder = waiting->folder;
  const int status = send_queue (queue, *params);
  waiting->n_tries = queue->why != NULL ? waiting->n_tries + 1 : 0;
  waiting->tried_s = g_get_real_time () / G_USEC_PER_SEC;
  odl_waiting_note (waiting, queue->why, error);
  close (lock);
  return status;
}

// ---- The log ----

static void
line_cb (const char *line, void *data)
{
  g_print ("%s\n", line);
}

// ---- The verb ----

static bool
check_retry (const Queue *queue, bool waiting, GError **error)
{
  if (!(queue->retry_seconds >= 0))
    return odl_usage_error (error, _ ("Limits are positive numbers."));
  return queue->retry_seconds == 0 || queue->folder != NULL || waiting
         || odl_usage_error (error, _ ("--retry is of use with --queue or --waiting."));
}

static bool
check (OdlNodeOptions *options,
       const Queue *queue,
       bool waiting,
       char **inputs,
       GError **error)
{
  const bool none = inputs == NULL || inputs[0] == NULL;

  if (!check_retry (queue, waiting, error))
    return false;
  if (waiting && (queue->folder != NULL || !none))
    return odl_usage_error (error, _ ("--waiting is what windows could not send; leave "
                                      "out --queue, and the files."));
  if (!waiting && queue->folder == NULL && none)
    return odl_usage_error (error, _ ("Name the files to send."));
  return odl_node_options_check (options, _ ("Say where to: --to TITLE@HOST:PORT."),
                                 error);
}

static int
run (const OdlNodeOptions *options,
     Queue *queue,
     bool waiting,
     char **inputs,
     GError **error)
{
  const OdlSendParams params
      = { .link = options->link, .paths = (const char *const *) inputs, .told = told_cb };

  // The other side may be as slow as it likes.
  odl_helper_process_tell_idle (NULL);
  if (waiting)
    return send_waiting (queue, &params, error);
  if (queue->folder == NULL)
    return odl_send (&params, NULL) == 0 ? ODL_EXIT_DONE : ODL_EXIT_FAILED;
  const bool all = put_all (queue, inputs);
  const int status = send_queue (queue, params);
  return status == ODL_EXIT_DONE && !all ? ODL_EXIT_FAILED : status;
}

static int
send_files (int argc, char **argv)
{
  OdlNodeOptions options = { 0 };
  g_auto (GStrv) inputs = NULL;
  g_autofree char *folder = NULL;
  gboolean log = FALSE, waiting = FALSE;
  Queue queue = { 0 };
  g_autoptr (GError) error = NULL;
  const GOptionEntry entries[] = {
    ODL_NODE_ENTRIES (&options, "to", N_ ("The node that gets them")),
    { "queue", 0, 0, G_OPTION_ARG_FILENAME, &folder,
      N_ ("Put copies of the files there first, and send what waits there, also from "
          "before"),
      "FOLDER" },
    { "retry", 0, 0, G_OPTION_ARG_DOUBLE, &queue.retry_seconds,
      N_ ("For how many seconds to try again what waits; default: 0"), "N" },
    { "waiting", 0, 0, G_OPTION_ARG_NONE, &waiting,
      N_ ("Send what windows could not send to that node; without --to: send nothing, "
          "list what waits"),
      NULL },
    { "log", 0, 0, G_OPTION_ARG_NONE, &log,
      N_ ("Send nothing; list what was sent where before, also by “node”"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &inputs, NULL, NULL },
    { NULL },
  };

  const bool parsed = odl_verb_parse (&odl_verb_send, entries, NULL, argc, argv);
  int status = ODL_EXIT_USAGE;

  queue.folder = folder;
  if (parsed && log
      && (waiting || inputs != NULL || folder != NULL || options.node != NULL)) {
    odl_usage_error (&error, _ ("--log sends nothing; leave out all else."));
  } else if (parsed && log) {
    status = odl_sent_log_read (line_cb, NULL, &error) ? ODL_EXIT_DONE : status;
  } else if (parsed && waiting && options.node == NULL && queue.folder == NULL
             && inputs == NULL) {
    list_waiting ();
    status = ODL_EXIT_DONE;
  } else if (parsed && check (&options, &queue, waiting, inputs, &error)) {
    status = run (&options, &queue, waiting, inputs, &error);
  }
  if (error != NULL) {
    odl_report_error (NULL, error);
    status = odl_report_status (error);
  }
  odl_node_options_clear (&options);
  g_free (queue.why);
  return status;
}

const OdlVerb odl_verb_send = {
  .name = "send",
  .arguments = "FILE… --to TITLE@HOST:PORT",
  .summary = N_ ("Send DICOM files to a node (C-STORE)."),
  .run = send_files,
};
