// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "archive/enhancer.h"
#include "archive/instances.h"
#include "archive/keep_file.h"
#include "archive/node.h"
#include "archive/outbox.h"
#include "archive/peer.h"
#include "base/error.h"
#include "base/text.h"

#include "cli/node_metrics.h"
#include "cli/verb.h"
#include "filter/library.h"
#include "source/helper/process.h"

// What a node does with what it received: derived objects by rules, and sending on.

typedef struct {
  const char *title; // the node's own
  const char *folder; // that instances are received into
  const char *rules; // file; NULL: nothing is derived
  const char *forward; // "TITLE@HOST:PORT"; NULL: derived objects stay in the folder
  bool originals; // are sent on, too
  const OdlPeerTls *tls; // of what is sent on; NULL: none
  const char *state; // folder; NULL: one of the user's, for that folder
  OdlNodeMetrics *const *metrics; // that count what is done; NULL there: none do
} OdlNodeWorkOptions;

typedef struct _OdlNodeWork OdlNodeWork;

#define STATE_DIGITS 16
#define STATE_MODE 0700
#define MOST_MEGABYTES 1e12 // no limit

struct _OdlNodeWork {
  OdlInstances *instances;
  OdlPeer *looker; // of the thread that enhances
  char *folder; // absolute
  char *state;
  int lock_fd; // of that folder; −1: none
  char *outbox_folder;
  char *program;
  bool originals;
  OdlNodeMetrics *const *metrics;
  OdlRules *rules;
  OdlNodeName to;
  OdlEnhancerParams enhancing;
  OdlOutboxParams sending;
  OdlEnhancer *enhancer;
  OdlOutbox *outbox;
};

// ---- What is said ----

static void
say (const char *word, const char *path)
{
  g_print ("%s %s\n", word, path);
  fflush (stdout);
}

static void
sent_cb (const OdlSendNews *news, void *data)
{
  const OdlNodeWork *self = data;
  g_autofree char *name = g_path_get_basename (news->path);

  if (news->not_noted != NULL)
    odl_report_note (NULL, news->not_noted);
  if (news->text != NULL)
    odl_report_note (name, news->text);
  if (!news->taken)
    return;
  say ("forwarded", name);
  odl_node_metrics_add (*self->metrics, ODL_METRIC_FORWARDED, 1);
}

static void
failed_cb (const char *name, const char *text, void *data)
{
  const OdlNodeWork *self = data;

  odl_node_metrics_add (*self->metrics, ODL_METRIC_NOT_DERIVED, 1);
  odl_report_note (name, text);
}

// ---- Derived objects ----

static bool
made_cb (const char *path, const char *name, void *data)
{
  OdlNodeWork *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *kept_path = NULL;
  g_autofree char *derived = g_strconcat ("derived-", name, NULL);
  OdlKept kept;

  const bool done = self->outbox != NULL
                        ? odl_outbox_move (self->outbox, path, derived, &error)
                        : odl_keep_file (self->instances, &self->looker, path, &kept,
                                         &kept_path, &error);
  odl_node_metrics_add (*self->metrics, ODL_METRIC_DERIVED, done);
  if (done)
    say ("derived", kept_path != NULL ? kept_path : name);
  else
    odl_report_error (name, error);
  return done;
}

// ---- What comes ----

#define NO_RULE "none"

// Where an instance that comes is noted.
static char *
expected_path (const OdlNodeWork *self, const OdlRule *rule, const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  return g_build_filename (self->state, "coming", rule != NULL ? rule->id : NO_RULE, name,
                           NULL);
}

static const OdlRule *
rule_for (const OdlNodeWork *self, const OdlNetworkFacts *facts)
{
  return self->rules != NULL ? odl_rules_find (self->rules, facts) : NULL;
}

// An instance comes, and is there, `path` below the folder, as the node tells it: what a
// kill leaves between both is done, too. Accept NULL. Any thread, one at a time.
static void
odl_node_work_expect (OdlNodeWork *self, const OdlNetworkFacts *facts, const char *path)
{
  const OdlRule *rule = self != NULL ? rule_for (self, facts) : NULL;

  if (rule == NULL && (self == NULL || !self->originals))
    return;
  g_autofree char *whole = g_build_filename (self->folder, path, NULL);
  g_autofree char *expected = expected_path (self, rule, path);
  if (symlink (whole, expected) != 0 && errno != EEXIST)
    odl_report_note (expected, g_strerror (errno));
}

static void
note (OdlNodeWork *self, const OdlRule *rule, const char *whole)
{
  g_autofree char *name = g_path_get_basename (whole);
  g_autoptr (GError) error = NULL;

  if ((rule != NULL && !odl_enhancer_note (self->enhancer, rule, whole, &error))
      || (self->originals && !odl_outbox_refer (self->outbox, whole, name, &error)))
    odl_report_error (whole, error);
}

static void
odl_node_work_note (OdlNodeWork *self,
                    const OdlNetworkFacts *facts,
                    const char *path,
                    OdlKept kept)
{
  if (self == NULL)
    return;
  const OdlRule *rule = rule_for (self, facts);
  g_autofree char *whole = g_build_filename (self->folder, path, NULL);
  g_autofree char *usual = odl_instances_path (facts);
  g_autofree char *expected = expected_path (self, rule, usual);
  if (kept == ODL_KEPT_NEW || kept == ODL_KEPT_APART)
    note (self, rule, whole);
  g_unlink (expected);
}

// What came when the node was killed, if it is there.
static bool
recover (OdlNodeWork *self, const OdlRule *rule, GError **error)
{
  g_autofree char *folder
      = g_build_filename (self->state, "coming", rule != NULL ? rule->id : NO_RULE, NULL);

  if (g_mkdir_with_parents (folder, STATE_MODE) != 0)
    return odl_error_set (error, ODL_ERROR_IO, "%s: %s", folder, g_strerror (errno));
  g_autoptr (GDir) dir = g_dir_open (folder, 0, error);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *expected = g_build_filename (folder, name, NULL);
    g_autofree char *whole = g_file_read_link (expected, NULL);
    if (whole != NULL && g_file_test (whole, G_FILE_TEST_IS_REGULAR))
      note (self, rule, whole);
    g_unlink (expected);
  }
  return dir != NULL;
}

static bool
recover_all (OdlNodeWork *self, GError **error)
{
  for (guint i = 0; self->rules != NULL && i < odl_rules_count (self->rules); i++)
    if (!recover (self, odl_rules_at (self->rules, i), error))
      return false;
  return recover (self, NULL, error);
}

// ---- Beginning ----

static bool
check_presets (const OdlRules *rules, GError **error)
{
  for (guint i = 0; i < odl_rules_count (rules); i++) {
    OdlRecipe recipe;
    odl_recipe_init (&recipe);
    if (!odl_library_load (&recipe, odl_rules_at (rules, i)->preset, error))
      return false;
  }
  return true;
}

// One for each folder that instances are received into.
static char *
state_for (const char *folder)
{
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, folder, -1);
  g_autofree char *name = g_strndup (hash, STATE_DIGITS);

  return g_build_filename (g_get_user_state_dir (), "ondelette", "nodes", name, NULL);
}

static bool
prepare_outbox (OdlNodeWork *self, const OdlNodeWorkOptions *options, GError **error)
{
  if (options->forward == NULL)
    return true;
  if (!odl_node_name_parse (options->forward, &self->to, error))
    return false;
  self->outbox_folder = g_build_filename (self->state, "outbox", NULL);
  self->sending = (OdlOutboxParams){ .folder = self->outbox_folder,
                                     .to = &self->to,
                                     .calling = options->title,
                                     .tls = options->tls,
                                     .told = sent_cb,
                                     .data = self };
  return true;
}

static bool
prepare_enhancer (OdlNodeWork *self, const OdlNodeWorkOptions *options, GError **error)
{
  if (options->rules == NULL)
    return true;
  self->rules = odl_rules_load (options->rules, error);
  if (self->rules == NULL || !check_presets (self->rules, error))
    return false;
  self->program = g_file_read_link ("/proc/self/exe", error);
  if (self->program == NULL)
    return false;
  self->enhancing = (OdlEnhancerParams){ .program = self->program,
                                         .state = self->state,
                                         .rules = self->rules,
                                         .made = made_cb,
                                         .failed = failed_cb,
                                         .data = self };
  return true;
}

// Two nodes would derive and send the same.
static bool
take_state (OdlNodeWork *self, GError **error)
{
  if (g_mkdir_with_parents (self->state, STATE_MODE) == 0)
    self->lock_fd = open (self->state, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (self->lock_fd < 0)
    return odl_error_set (error, ODL_ERROR_IO, "%s: %s", self->state, g_strerror (errno));
  return flock (self->lock_fd, LOCK_EX | LOCK_NB) == 0
         || odl_error_set (error, ODL_ERROR_BUSY,
                           _ ("%s: another node works with this state; end it, or choose "
                              "another --state"),
                           self->state);
}

// Accepts NULL. What was not done is done when it is opened again.
static void odl_node_work_close (OdlNodeWork *self);

// NULL, without an error: there is nothing to do. ODL_ERROR_USAGE, ODL_ERROR_IO. Nothing
// is done before it begins.
static OdlNodeWork *
odl_node_work_open (const OdlNodeWorkOptions *options,
                    OdlInstances *instances,
                    GError **error)
{
  if (options->originals && options->forward == NULL)
    return odl_error_null (error, ODL_ERROR_USAGE,
                           _ ("--forward-originals needs --forward TITLE@HOST:PORT."));
  if (options->forward != NULL && !options->originals && options->rules == NULL)
    return odl_error_null (error, ODL_ERROR_USAGE,
                           _ ("Say what to forward: --preset-rules FILE for derived "
                              "objects, --forward-originals for what is received."));
  if (options->rules == NULL && options->forward == NULL)
    return NULL;
  OdlNodeWork *self = g_new0 (OdlNodeWork, 1);
  self->lock_fd = -1;
  self->instances = instances;
  self->originals = options->originals;
  self->metrics = options->metrics;
  self->folder = g_canonicalize_filename (options->folder, NULL);
  self->state = options->state != NULL ? g_canonicalize_filename (options->state, NULL)
                                       : state_for (self->folder);
  if (prepare_outbox (self, options, error) && prepare_enhancer (self, options, error)
      && take_state (self, error))
    return self;
  odl_node_work_close (self);
  return NULL;
}

// Goes on with what waits since the node ran before. Accepts NULL.
static bool
odl_node_work_begin (OdlNodeWork *self, GError **error)
{
  if (self == NULL)
    return true;
  // Derived objects need a place to go to.
  if (self->outbox_folder != NULL)
    self->outbox = odl_outbox_open (&self->sending, error);
  if (self->rules != NULL && *error == NULL)
    self->enhancer = odl_enhancer_open (&self->enhancing, error);
  return *error == NULL && recover_all (self, error);
}

static void
odl_node_work_close (OdlNodeWork *self)
{
  if (self == NULL)
    return;
  odl_enhancer_close (self->enhancer);
  odl_peer_end (self->looker);
  odl_outbox_close (self->outbox);
  odl_rules_free (self->rules);
  odl_node_name_clear (&self->to);
  if (self->lock_fd >= 0)
    close (self->lock_fd);
  g_free (self->folder);
  g_free (self->state);
  g_free (self->outbox_folder);
  g_free (self->program);
  g_free (self);
}

typedef struct {
  char *title;
  int port;
  char *listen;
  char *callers;
  char *output;
  gboolean durable;
  int associations;
  int seconds;
  int idle;
  double megabytes;
  char *rules;
  char *forward;
  gboolean originals;
  char *state;
  OdlPeerTls tls;
  gboolean forward_plainly;
  int metrics; // seconds between two lines; 0: none
  OdlNodeWork *work; // NULL: none
  OdlNodeMetrics *counting; // NULL: nobody asked for it
  GError *error; // why it cannot begin
} Options;

// ---- Lines ----

static void
tell_kept (const OdlNodeNews *news)
{
  static const char *const words[] = {
    [ODL_KEPT_NEW] = "stored",
    [ODL_KEPT_AGAIN] = "again",
    [ODL_KEPT_ALIKE] = "again",
    [ODL_KEPT_APART] = "apart",
  };
  g_autofree char *note = NULL;

  say (words[news->kept], news->path);
  if (news->kept == ODL_KEPT_ALIKE)
    note = g_strdup_printf (_ ("%s sent it again in another transfer syntax, the same "
                               "without compression; the first one stays"),
                            news->caller);
  else if (news->kept == ODL_KEPT_APART)
    note = g_strdup_printf (
        _ ("%s sent another instance with a UID that is there already; "
           "the first one stays, this one is kept apart"),
        news->caller);
  else
    return;
  odl_report_note (news->path, note);
}

static void
tell_ended (const Options *options, const OdlNodeNews *news)
{
  g_autofree char *text = g_strdup_printf (
      _ ("%s; stored: %u, there already: %u, kept apart: %u, not kept: %u"), news->text,
      news->n_kept, news->n_again, news->n_apart, news->n_failed);

  odl_report_note (news->caller, text);
  odl_node_metrics_add (options->counting, ODL_METRIC_OPEN, -1);
}

static void
count_kept (const Options *options, const OdlNodeNews *news)
{
  static const OdlMetric metrics[] = {
    [ODL_KEPT_NEW] = ODL_METRIC_STORED,
    [ODL_KEPT_AGAIN] = ODL_METRIC_AGAIN,
    [ODL_KEPT_ALIKE] = ODL_METRIC_AGAIN,
    [ODL_KEPT_APART] = ODL_METRIC_APART,
  };

  odl_node_metrics_add (options->counting, metrics[news->kept], 1);
  odl_node_metrics_add (options->counting, ODL_METRIC_BYTES, (gint64) news->bytes);
}

// So that scripts find that line first.
static void
begin (Options *options)
{
  const char *state = options->work != NULL ? options->work->state : NULL;

  if (options->metrics > 0)
    options->counting
        = odl_node_metrics_new ((guint) options->metrics, state, &options->error);
  if (options->error != NULL || !odl_node_work_begin (options->work, &options->error))
    kill (getpid (), SIGTERM);
}

static void
told_cb (const OdlNodeNews *news, void *data)
{
  Options *options = data;
  g_autofree char *port = NULL;
  g_autofree char *what = NULL;

  switch (news->event) {
  case ODL_NODE_LISTENS:
    port = g_strdup_printf ("%s port %u", options->listen, news->port);
    say ("listening", port);
    begin (options);
    return;
  case ODL_NODE_COMES:
    odl_node_work_expect (options->work, news->facts, news->path);
    return;
  case ODL_NODE_KEPT:
    odl_node_work_note (options->work, news->facts, news->path, news->kept);
    tell_kept (news);
    count_kept (options, news);
    return;
  case ODL_NODE_NOT_KEPT:
    what = odl_text_in_one_line (news->facts->instance);
    port = g_strdup_printf (_ ("instance %s was not kept: %s"), what, news->text);
    odl_report_note (news->caller, port);
    odl_node_metrics_add (options->counting, ODL_METRIC_NOT_KEPT, 1);
    return;
  case ODL_NODE_ENDED:
    tell_ended (options, news);
    return;
  case ODL_NODE_TURNED_AWAY:
    odl_report_note (news->caller, news->text);
    odl_node_metrics_add (options->counting, ODL_METRIC_TURNED_AWAY, 1);
    return;
  case ODL_NODE_BEGAN:
    odl_node_metrics_add (options->counting, ODL_METRIC_ASSOCIATIONS, 1);
    odl_node_metrics_add (options->counting, ODL_METRIC_OPEN, 1);
    return;
  }
}

// ---- The node ----

static bool
is_encrypted (const Options *options)
{
  return options->tls.key != NULL || options->tls.certificate != NULL
         || options->tls.authorities != NULL;
}

// What would do nothing is a mistake of whoever typed it.
static bool
check_forward (const Options *options, GError **error)
{
  if (options->forward_plainly && (options->forward == NULL || !is_encrypted (options)))
    return odl_usage_error (error,
                            _ ("--forward-plainly is of use with --forward and the "
                               "files of TLS alone."));
  if (options->tls.any_host
      && (options->forward == NULL || !is_encrypted (options)
          || options->forward_plainly))
    return odl_usage_error (error, _ ("--tls-any-host is of use with --forward and the "
                                      "files of TLS alone."));
  return true;
}

static bool
check (const Options *options, GError **error)
{
  if (options->title == NULL || !odl_title_is_valid (options->title))
    return odl_usage_error (error,
                            _ ("Name the node: --aet TITLE, of 1 to 16 letters and "
                               "digits."));
  if (options->port < 0 || options->port > G_MAXUINT16)
    return odl_usage_error (error, _ ("Say where to listen: --port NUMBER, 1 to 65535."));
  if (options->callers == NULL)
    return odl_usage_error (error,
                            _ ("Say who may call: --callers TITLE[@ADDRESS],…, or “any” "
                               "for everybody who reaches that port."));
  if (options->output == NULL)
    return odl_usage_error (error, _ ("Say where instances go: -o FOLDER."));
  if (options->associations < 0 || options->seconds < 0 || options->idle < 0
      || !(options->megabytes >= 0) || options->metrics < 0)
    return odl_usage_error (error, _ ("Limits are positive numbers."));
  return check_forward (options, error);
}

// Readable when the program is to end. Before any other thread starts.
static int
watch_signals (void)
{
  sigset_t signals;

  sigemptyset (&signals);
  sigaddset (&signals, SIGINT);
  sigaddset (&signals, SIGTERM);
  sigprocmask (SIG_BLOCK, &signals, NULL);
  return signalfd (-1, &signals, SFD_CLOEXEC);
}

static bool
run (Options *options, GError **error)
{
  const bool encrypted = is_encrypted (options);
  const OdlPeerTls *tls = encrypted ? &options->tls : NULL;

  if (!check (options, error) || (encrypted && !odl_peer_tls_check (tls, true, error)))
    return false;
  g_autoptr (OdlCallers) callers = odl_callers_parse (options->callers, error);
  OdlInstances *instances
      = callers != NULL ? odl_instances_open (options->output, options->durable, error)
                        : NULL;
  if (instances == NULL)
    return false;
  odl_instances_learn (instances);
  const int stop_fd = watch_signals ();
  const OdlNodeWorkOptions work = { .title = options->title,
                                    .folder = options->output,
                                    .rules = options->rules,
                                    .forward = options->forward,
                                    .originals = options->originals,
                                    .tls = options->forward_plainly ? NULL : tls,
                                    .state = options->state,
                                    .metrics = &options->counting };
  options->work = odl_node_work_open (&work, instances, error);
  const OdlNodeParams params = {
    .title = options->title,
    .address = options->listen,
    .port = (guint) options->port,
    .callers = callers,
    .instances = instances,
    .tls = tls,
    .limits = { .associations = (guint) options->associations,
                .seconds = (guint) options->seconds,
                .idle_seconds = (guint) options->idle,
                .bytes = (guint64) (MIN (options->megabytes, MOST_MEGABYTES) * 1e6) },
    .stop_fd = stop_fd,
    .told = told_cb,
    .data = options,
  };
  // Peers are silent for as long as they like.
  odl_helper_process_tell_idle (NULL);
  const bool done
      = *error == NULL && odl_node_run (&params, error) && options->error == NULL;
  if (options->error != NULL)
    g_propagate_error (error, g_steal_pointer (&options->error));
  odl_node_work_close (options->work);
  odl_node_metrics_free (options->counting);
  close (stop_fd);
  odl_instances_close (instances);
  return done;
}

static int
node (int argc, char **argv)
{
  Options options = { .port = -1 };
  g_autoptr (GError) error = NULL;
  const GOptionEntry entries[] = {
    { "aet", 0, 0, G_OPTION_ARG_STRING, &options.title,
      N_ ("The node's own title (application entity)"), "TITLE" },
    { "port", 0, 0, G_OPTION_ARG_INT, &options.port,
      N_ ("Where to listen; 0: a free port, which is said"), "NUMBER" },
    { "listen", 0, 0, G_OPTION_ARG_STRING, &options.listen,
      N_ ("At which address of this machine, in numbers; default: 127.0.0.1, which only "
          "this machine reaches; 0.0.0.0: all"),
      "ADDRESS" },
    { "callers", 0, 0, G_OPTION_ARG_STRING, &options.callers,
      N_ ("Who may call, such as CT1@192.168.4.7,MR@192.168.4.0/24; “any”: everybody"),
      "TITLE[@ADDRESS],…" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      N_ ("Where instances go, by study and series"), "FOLDER" },
    { "durable", 0, 0, G_OPTION_ARG_NONE, &options.durable,
      N_ ("Answer only when an instance survives a loss of power"), NULL },
    { "most-associations", 0, 0, G_OPTION_ARG_INT, &options.associations,
      N_ ("Of one address at once; default: 10"), "N" },
    { "most-seconds", 0, 0, G_OPTION_ARG_INT, &options.seconds,
      N_ ("Of one association; default: 3600"), "N" },
    { "most-idle", 0, 0, G_OPTION_ARG_INT, &options.idle,
      N_ ("Seconds for which a caller may be silent; default: 60"), "N" },
    { "most-megabytes", 0, 0, G_OPTION_ARG_DOUBLE, &options.megabytes,
      N_ ("Of one association; default: no limit"), "N" },
    { "preset-rules", 0, 0, G_OPTION_ARG_FILENAME, &options.rules,
      N_ ("Make derived objects by these rules, see “help archive”"), "FILE" },
    { "forward", 0, 0, G_OPTION_ARG_STRING, &options.forward,
      N_ ("Send derived objects on to that node, rather than keep them in the folder"),
      "TITLE@HOST:PORT" },
    { "forward-originals", 0, 0, G_OPTION_ARG_NONE, &options.originals,
      N_ ("Send on what is received, too"), NULL },
    { "forward-plainly", 0, 0, G_OPTION_ARG_NONE, &options.forward_plainly,
      N_ ("Send on without TLS, although the node has it"), NULL },
    { "tls-key", 0, 0, G_OPTION_ARG_FILENAME, &options.tls.key,
      N_ ("Encrypt (TLS); the node's key, in PEM"), "FILE" },
    { "tls-cert", 0, 0, G_OPTION_ARG_FILENAME, &options.tls.certificate,
      N_ ("The certificate of that key, in PEM"), "FILE" },
    { "tls-ca", 0, 0, G_OPTION_ARG_FILENAME, &options.tls.authorities,
      N_ ("Certificates of those who vouch for the other side, in PEM"), "FILE" },
    { "tls-any-host", 0, 0, G_OPTION_ARG_NONE, &options.tls.any_host,
      N_ ("Send on to a node whose certificate is not of the host that is called, too"),
      NULL },
    { "state", 0, 0, G_OPTION_ARG_FILENAME, &options.state,
      N_ ("Where lies what is still to be done; default: a folder of the user's state"),
      "FOLDER" },
    { "metrics", 0, 0, G_OPTION_ARG_INT, &options.metrics,
      N_ ("Write a line of counts every N seconds, and at the end; default: none"), "N" },
    { NULL },
  };
  const bool parsed = odl_verb_parse (&odl_verb_node, entries, NULL, argc, argv);

  if (options.listen == NULL)
    options.listen = g_strdup ("127.0.0.1");
  if (parsed)
    run (&options, &error);
  if (error != NULL)
    odl_report_error (NULL, error);
  g_free (options.title);
  g_free (options.listen);
  g_free (options.callers);
  g_free (options.output);
  g_free (options.rules);
  g_free (options.forward);
  g_free (options.state);
  g_free (options.tls.key);
  g_free (options.tls.certificate);
  g_free (options.tls.authorities);
  return !parsed         ? ODL_EXIT_USAGE
         : error != NULL ? odl_report_status (error)
                         : ODL_EXIT_DONE;
}

const OdlVerb odl_verb_node = {
  .name = "node",
  .arguments = "--aet TITLE --port NUMBER --callers TITLE[@ADDRESS],… -o FOLDER",
  .summary = N_ ("Receive DICOM objects from others (C-STORE) into a folder."),
  .run = node,
};
