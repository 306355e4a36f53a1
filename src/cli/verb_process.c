// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/text.h"
#include "base/thread.h"
#include "cli/process/process.h"

#include "cli/process/dicom.h"
#include "cli/process/plane.h"
#include "cli/process/rendering.h"

#include "cli/process/still.h"
#include "cli/shard.h"
#include "cli/verb.h"
#include "source/dicom/derived.h"
#include "source/helper/fork_server.h"
#include "source/unpacking.h"

// Several inputs whose frames all go into a file each, such as DICOM, at the same time:
// each thread does one input from beginning to end, with an engine of its own. Results
// and messages, in the order of the inputs, are those of one after the other.

// Of the memory for pictures, in files as large as the largest one: what is read, worked
// on and written at the same time.
#define FILES_IN_MEMORY 2

typedef struct {
  GString *said; // its messages, until those before it are out
  bool failed, done;
  gint64 marked;
} Item;

typedef bool (*Run) (OdlProcess *task, const OdlJob *job, gint64 *marked, GError **error);

typedef struct {
  OdlProcess *task;
  Run run;
  GMutex mutex;
  Item *items;
  guint next; // to be begun
  guint told; // all before it are done, and their messages are out
} AtOnce;

typedef struct {
  AtOnce *all;
  OdlProcess task; // a copy with a runner of its own
  guint first; // input that it begins with
  int n_threads; // of its loops
} Worker;

// Whether that is so for the task: several files that become DICOM, and an engine on the
// processor. Not where standard output, or progress in lines, tells of one after the
// other.
static bool
odl_at_once_is_possible (const OdlProcess *task)
{
  if (!task->work.format->is_dicom || task->n_jobs == 1 || task->jobs->len < 2
      || task->progress || task->tell_what_remains || task->frame_references != NULL
      || odl_runner_needs_gl (task->run.runner))
    return false;
  for (guint i = 0; i < task->jobs->len; i++) {
    const OdlJob *job = g_ptr_array_index (task->jobs, i);
    if (!g_file_test (job->input, G_FILE_TEST_IS_REGULAR))
      return false;
  }
  return true;
}

static guint
count_workers (const OdlProcess *task)
{
  double largest = 1;

  for (guint i = 0; i < task->jobs->len; i++) {
    const OdlJob *job = g_ptr_array_index (task->jobs, i);
    GStatBuf status;
    if (g_stat (job->input, &status) == 0)
      largest = MAX (largest, (double) status.st_size);
  }
  const double each = FILES_IN_MEMORY * odl_still_cost_of_file (largest);
  const double most = MIN (task->n_jobs, (double) task->jobs->len);
  return (guint) CLAMP (task->budget / each, 1, most);
}

static void
run_one (Worker *worker, guint i)
{
  Item *item = &worker->all->items[i];
  const OdlJob *job = g_ptr_array_index (worker->task.jobs, i);
  g_autoptr (GError) error = NULL;

  odl_report_hold (item->said);
  odl_runner_expect (worker->task.run.runner, (int) (worker->task.jobs->len - i) - 1);
  item->failed = !worker->all->run (&worker->task, job, &item->marked, &error);
  if (item->failed)
    odl_process_report_failure (&worker->task, job, error);
  odl_report_hold (NULL);
}

// An input is done: what was said of it is printed, and goes into the log.
static void
tell_item (const OdlProcess *task,
           guint i,
           bool failed,
           gint64 marked,
           const GString *said)
{
  g_printerr ("%s", said->str);
  if (task->log != NULL)
    odl_log_add (task->log, g_ptr_array_index (task->jobs, i), failed, marked, said->str);
}

// What was said by all that are done, up to the first one that is not.
static void
tell (AtOnce *all, guint done)
{
  g_mutex_lock (&all->mutex);
  all->items[done].done = true;
  while (all->told < all->task->jobs->len && all->items[all->told].done) {
    odl_process_show_progress (all->task, all->told);
    tell_item (all->task, all->told, all->items[all->told].failed,
               all->items[all->told].marked, all->items[all->told].said);
    all->told++;
  }
  g_mutex_unlock (&all->mutex);
}

static void *
work (void *data)
{
  Worker *worker = data;
  AtOnce *all = worker->all;

  odl_parallel_set_threads (worker->n_threads);
  for (guint i = worker->first; i < all->task->jobs->len;) {
    run_one (worker, i);
    tell (all, i);
    g_mutex_lock (&all->mutex);
    i = all->next++;
    g_mutex_unlock (&all->mutex);
  }
  return NULL;
}

// How many of them have an engine; there is one at least, the task's own.
static guint
prepare (AtOnce *all, Worker *workers, guint n)
{
  for (guint i = 0; i < n; i++) {
    workers[i] = (Worker){ .all = all, .task = *all->task, .first = i };
    workers[i].task.at_once = n > 1;
    if (i == 0)
      continue;
    workers[i].task.run.runner = odl_runner_new_like (all->task->run.runner, NULL);
    if (workers[i].task.run.runner == NULL)
      return i;
  }
  return n;
}

static guint
add_up (const AtOnce *all, gint64 *marked)
{
  guint failed = 0;

  for (guint i = 0; i < all->task->jobs->len; i++) {
    failed += all->items[i].failed ? 1 : 0;
    *marked += all->items[i].marked;
    g_string_free (all->items[i].said, TRUE);
  }
  return failed;
}

// Does all of them. `run` does one; `task` is then the thread's own. Returns how many
// failed; *marked as for odl_process_moving, of all.
static guint
odl_at_once_run (OdlProcess *task, Run run, gint64 *marked)
{
  const guint wanted = count_workers (task);
  g_autofree Item *items = g_new0 (Item, task->jobs->len);
  g_autofree Worker *workers = g_new0 (Worker, wanted);
  g_autofree GThread **threads = g_new0 (GThread *, wanted);
  AtOnce all = { .task = task, .run = run, .items = items };

  g_mutex_init (&all.mutex);
  for (guint i = 0; i < task->jobs->len; i++)
    items[i].said = g_string_new (NULL);
  const guint n = prepare (&all, workers, wanted);
  all.next = n;
  odl_fork_server_open ();
  for (guint i = 0; i < n; i++) {
    workers[i].n_threads = MAX (odl_parallel_threads () / (int) n, 1);
    threads[i] = odl_thread_or_here ("at-once", work, &workers[i]);
  }
  for (guint i = 0; i < n; i++)
    odl_thread_join (threads[i]);
  odl_fork_server_close ();
  for (guint i = 1; i < n; i++)
    odl_runner_free (workers[i].task.run.runner);
  g_mutex_clear (&all.mutex);
  return add_up (&all, marked);
}

// Processes many pictures at the same time: several threads decode and write them, the
// calling thread filters them in order.

// Threads per job: while one waits for its turn or for the disk, another one decodes.
#define THREADS_PER_JOB 2

typedef enum {
  WAITING,
  DECODED,
  FILTERED, // or failed
  DONE, // written, or failed
} State;

typedef struct {
  State state;
  OdlStill still;
  GString *said;
  bool failed;
  gint64 marked;
  double cost; // bytes of the budget that it holds, or will take
} BatchItem;

typedef struct {
  OdlProcess *task;
  GMutex mutex;
  GCond changed;
  BatchItem *items;
  guint n;
  guint next; // to be decoded
  guint oldest; // all before it are done and reported
  double used; // of the budget
  double largest; // cost of a picture so far
} Batch;

// Whether the jobs of a task can be done at the same time: one still picture each, from
// files, without filters over time.
static bool
odl_batch_is_parallel (const OdlProcess *task)
{
  if (task->n_jobs == 1 || task->jobs->len < 2 || odl_process_is_moving (task)
      || task->work.rendering != NULL || task->work.plane != NULL
      || odl_recipe_is_temporal (&task->run.recipe))
    return false;
  for (guint i = 0; i < task->jobs->len; i++) {
    const OdlJob *job = g_ptr_array_index (task->jobs, i);
    if (!g_file_test (job->input, G_FILE_TEST_IS_REGULAR))
      return false;
  }
  return true;
}

// ---- Memory ----

// The estimated cost, when only the file is known.
static double
expected_cost (const Batch *batch, guint i)
{
  const OdlJob *job = g_ptr_array_index (batch->task->jobs, i);
  GStatBuf status;

  return MAX (batch->largest, g_stat (job->input, &status) == 0
                                  ? odl_still_cost_of_file ((double) status.st_size)
                                  : 0);
}

// Waits until the budget has room for item `i`, or until all items before it are done.
static void
wait_for_room (Batch *batch, guint i, double cost)
{
  while (batch->used + cost > batch->task->budget && batch->oldest < i)
    g_cond_wait (&batch->changed, &batch->mutex);
  batch->used += cost;
  batch->items[i].cost = cost;
}

static void
give_back (Batch *batch, BatchItem *item)
{
  batch->used -= item->cost;
  item->cost = 0;
  g_cond_broadcast (&batch->changed);
}

// Corrects the estimate once the picture is decoded. False: there is no room for it.
static bool
settle (Batch *batch, guint i)
{
  BatchItem *item = &batch->items[i];
  const double cost = odl_still_cost (&item->still);

  give_back (batch, item);
  batch->largest = MAX (batch->largest, cost);
  if (batch->used + cost > batch->task->budget && batch->oldest < i) {
    item->cost = cost;
    return false;
  }
  batch->used += cost;
  item->cost = cost;
  return true;
}

// ---- One picture ----

static void
fail (Batch *batch, guint i, const GError *error)
{
  odl_process_report_failure (batch->task, g_ptr_array_index (batch->task->jobs, i),
                              error);
  batch->items[i].failed = true;
}

// A picture that turns out to be too large is dropped and decoded again when there is
// room; otherwise several threads could exceed the budget at the same time.
static void
decode (Batch *batch, guint i)
{
  BatchItem *item = &batch->items[i];
  const OdlJob *job = g_ptr_array_index (batch->task->jobs, i);
  double cost = -1;

  for (;;) {
    g_autoptr (GError) error = NULL;

    g_mutex_lock (&batch->mutex);
    wait_for_room (batch, i, cost < 0 ? expected_cost (batch, i) : cost);
    g_mutex_unlock (&batch->mutex);
    g_string_truncate (item->said, 0);
    odl_report_hold (item->said);
    if (!odl_process_check_output (batch->task, job->output, &error)
        || !odl_still_read (batch->task, job, &item->still, &error))
      fail (batch, i, error);
    odl_report_hold (NULL);

    g_mutex_lock (&batch->mutex);
    const bool settled = item->failed || settle (batch, i);
    cost = item->cost;
    if (!settled)
      item->cost = 0;
    g_mutex_unlock (&batch->mutex);
    if (settled)
      return;
    odl_still_clear (&item->still);
  }
}

static void
filter (Batch *batch, guint i)
{
  BatchItem *item = &batch->items[i];
  g_autoptr (GError) error = NULL;

  const OdlJob *job = g_ptr_array_index (batch->task->jobs, i);

  odl_report_hold (item->said);
  odl_process_begin (batch->task, job->input);
  odl_runner_begin (batch->task->run.runner);
  odl_runner_expect (batch->task->run.runner, (int) (batch->n - i) - 1);
  if (!odl_still_filter (batch->task, job, &item->still, true, &error))
    fail (batch, i, error);
  odl_report_hold (NULL);
}

static void
write_it (Batch *batch, guint i)
{
  BatchItem *item = &batch->items[i];
  g_autoptr (GError) error = NULL;

  odl_report_hold (item->said);
  if (!odl_still_write (batch->task, g_ptr_array_index (batch->task->jobs, i),
                        &item->still, &item->marked, &error))
    fail (batch, i, error);
  odl_report_hold (NULL);
}

// ---- All of them ----

static void
reach (Batch *batch, guint i, State state)
{
  g_mutex_lock (&batch->mutex);
  batch->items[i].state = state;
  g_cond_broadcast (&batch->changed);
  g_mutex_unlock (&batch->mutex);
}

static void
wait_for (Batch *batch, guint i, State state)
{
  g_mutex_lock (&batch->mutex);
  while (batch->items[i].state < state)
    g_cond_wait (&batch->changed, &batch->mutex);
  g_mutex_unlock (&batch->mutex);
}

// Prints the messages that were held back, up to the first item that is not done.
static void
finish (Batch *batch, guint i)
{
  BatchItem *item = &batch->items[i];

  odl_still_clear (&item->still);
  g_mutex_lock (&batch->mutex);
  item->state = DONE;
  while (batch->oldest < batch->n && batch->items[batch->oldest].state == DONE) {
    odl_process_show_progress (batch->task, batch->oldest);
    tell_item (batch->task, batch->oldest, batch->items[batch->oldest].failed,
               batch->items[batch->oldest].marked, batch->items[batch->oldest].said);
    batch->oldest++;
  }
  give_back (batch, item);
  g_mutex_unlock (&batch->mutex);
}

static void
put_away (Batch *batch, guint i)
{
  if (!batch->items[i].failed)
    write_it (batch, i);
  finish (batch, i);
}

static void *
batch_work (void *data)
{
  Batch *batch = data;

  for (;;) {
    g_mutex_lock (&batch->mutex);
    const guint i = batch->next;
    batch->next += i < batch->n ? 1 : 0;
    g_mutex_unlock (&batch->mutex);
    if (i == batch->n)
      return NULL;
    decode (batch, i);
    reach (batch, i, DECODED);
    wait_for (batch, i, FILTERED);
    put_away (batch, i);
  }
}

static guint
batch_add_up (Batch *batch, gint64 *marked)
{
  guint failed = 0;

  for (guint i = 0; i < batch->n; i++) {
    failed += batch->items[i].failed ? 1 : 0;
    *marked += batch->items[i].marked;
    g_string_free (batch->items[i].said, TRUE);
  }
  return failed;
}

// Does all jobs, task->n_jobs at a time. Between decoding and writing there are at most
// twice as many pictures, and at most task->budget bytes; a picture that needs more than
// that is processed alone. Messages come in the order of the jobs. Returns the number of
// jobs that failed; *marked: the sum of their marks.
static guint
odl_batch_run (OdlProcess *task, gint64 *marked)
{
  const guint n = task->jobs->len;
  const guint most_threads = MIN (n, (guint) task->n_jobs * THREADS_PER_JOB);
  g_autofree BatchItem *items = g_new0 (BatchItem, n);
  g_autofree GThread **threads = g_new0 (GThread *, most_threads);
  Batch batch = { .task = task, .items = items, .n = n };
  guint n_threads = 0;

  g_mutex_init (&batch.mutex);
  g_cond_init (&batch.changed);
  for (guint i = 0; i < n; i++)
    items[i].said = g_string_new (NULL);
  odl_fork_server_open ();
  while (n_threads < most_threads
         && (threads[n_threads] = odl_thread_new ("batch", batch_work, &batch, NULL)))
    n_threads++;
  for (guint i = 0; i < n; i++) {
    if (n_threads == 0)
      decode (&batch, i);
    else
      wait_for (&batch, i, DECODED);
    if (!items[i].failed)
      filter (&batch, i);
    reach (&batch, i, FILTERED);
    if (n_threads == 0)
      put_away (&batch, i);
  }
  for (guint i = 0; i < n_threads; i++)
    g_thread_join (threads[i]);
  odl_fork_server_close ();
  g_cond_clear (&batch.changed);
  g_mutex_clear (&batch.mutex);
  return batch_add_up (&batch, marked);
}

// Large batches: a share of the inputs for one of several machines, what an earlier run
// has done already, and the secret that makes files of several runs fit together.

#define MOST_SHARES 9999

// ---- The secret ----

// Written under another name first, so that of several runs that begin at the same time
// one makes the file, and the others read a whole one.
static bool
make_file (const char *path)
{
  guint8 secret[ODL_DERIVED_SECRET_BYTES];
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *name = g_strdup_printf ("%s.XXXXXX", path);
  const int fd = g_mkstemp_full (name, O_RDWR | O_CLOEXEC, 0600);

  if (fd < 0)
    return false;
  odl_derived_make_secret (secret);
  for (gsize i = 0; i < sizeof secret; i++)
    g_string_append_printf (text, "%02x", secret[i]);
  g_string_append_c (text, '\n');
  bool made = write (fd, text->str, text->len) == (gssize) text->len && fsync (fd) == 0
              && (link (name, path) == 0 || errno == EEXIST);
  const int cause = errno;
  close (fd);
  g_unlink (name);
  errno = cause;
  return made;
}

static bool
is_secret (char *text)
{
  g_strchomp (text);
  return strlen (text) == 2 * ODL_DERIVED_SECRET_BYTES
         && strspn (text, "0123456789abcdef") == strlen (text);
}

// Another recipe makes other pictures, which must not have the same identifiers: what is
// done goes into the secret.
static void
mix (OdlProcess *task, const OdlProcessOptions *options, const char *text)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *recipe = odl_recipe_to_text (&task->work.asked, "\n");
  g_autofree char *blanks
      = options->blanks != NULL ? g_strjoinv (" ", options->blanks) : g_strdup ("");
  const char *const parts[] = { text,
                                recipe,
                                options->deidentify ? "deidentify" : "",
                                options->shift_dates,
                                blanks,
                                options->frames,
                                options->noise,
                                options->window };
  gsize size = sizeof task->work.derived.secret;

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++) {
    const char *part = parts[i] != NULL ? parts[i] : "";
    g_checksum_update (sum, (const guchar *) part, (gssize) strlen (part) + 1);
  }
  g_checksum_get_digest (sum, task->work.derived.secret, &size);
}

static bool
read_secret (const OdlProcessOptions *options, OdlProcess *task, GError **error)
{
  const char *path = options->secret;
  g_autofree char *shown = g_filename_display_name (path);
  g_autofree char *text = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS) && !make_file (path))
    return odl_error_set (error, ODL_ERROR_IO,
                          _ ("%s: the secret cannot be written: %s. Name another file."),
                          shown, g_strerror (errno));
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR)
      || !g_file_get_contents (path, &text, NULL, NULL) || !is_secret (text))
    return odl_error_set (error, ODL_ERROR_IO,
                          _ ("%s: it holds no secret, which has 64 hexadecimal digits. "
                             "Name a file that does not exist yet, and it is made."),
                          shown);
  mix (task, options, text);
  return true;
}

static bool
parse_secret (const OdlProcessOptions *options, OdlProcess *task, GError **error)
{
  const bool several = options->shard != NULL || options->resume;

  if (options->secret != NULL && !task->work.format->is_dicom)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--secret is for DICOM files. Name one after -o, or "
                             "add --format dicom."));
  if (options->secret != NULL)
    return read_secret (options, task, error);
  if (several && task->work.format->is_dicom)
    return odl_usage_error (
        error, _ ("DICOM files of several runs fit together only with the same secret. "
                  "Add --secret FILE; the file is made if it does not exist."));
  return true;
}

// ---- Which jobs ----

static bool
parse_shard (const char *text, guint *share, guint *shares, GError **error)
{
  g_auto (GStrv) numbers = g_strsplit (text, "/", 3);
  guint64 first = 0, all = 0;

  if (g_strv_length (numbers) != 2
      || !g_ascii_string_to_unsigned (numbers[1], 10, 1, MOST_SHARES, &all, NULL)
      || !g_ascii_string_to_unsigned (numbers[0], 10, 1, all, &first, NULL))
    return odl_usage_error (
        error, _ ("--shard “%s” is no share. Write 1/4, 2/4, 3/4 and 4/4 for four runs."),
        text);
  *share = (guint) first;
  *shares = (guint) all;
  return true;
}

// Inputs are dealt out like cards: neighbours often take equally long.
static void
keep_share (OdlProcess *task, guint share, guint shares)
{
  for (guint i = task->jobs->len; i > 0; i--) {
    const OdlJob *job = g_ptr_array_index (task->jobs, i - 1);
    if (job->number % shares != share - 1)
      g_ptr_array_remove_index (task->jobs, i - 1);
  }
}

// Outputs are whole or absent.
static void
leave_out_done (OdlProcess *task)
{
  const guint all = task->jobs->len;

  for (guint i = all; i > 0; i--) {
    const OdlJob *job = g_ptr_array_index (task->jobs, i - 1);
    if (g_file_test (job->output, G_FILE_TEST_EXISTS)
        && (task->log == NULL || odl_log_has (task->log, job)))
      g_ptr_array_remove_index (task->jobs, i - 1);
  }
  const guint done = all - task->jobs->len;
  if (done > 0)
    odl_report_usage (g_dngettext (GETTEXT_PACKAGE,
                                   "%u of %u pictures was there already.",
                                   "%u of %u pictures were there already.", done),
                      done, all);
}

// The log, and of a shard the note for `merge`. `inputs` are those of all shards.
static bool
open_log (const OdlProcessOptions *options,
          OdlProcess *task,
          guint share,
          guint shares,
          guint inputs,
          GError **error)
{
  if (options->log == NULL)
    return true;
  if (!odl_output_check (task->input_files, options->log, true, error))
    return false;
  task->log = odl_log_open (options->log, options->resume, options->force, error);
  if (task->log == NULL || options->shard == NULL)
    return task->log != NULL;
  g_auto (GStrv) words = odl_process_options_words ((OdlProcessOptions *) options);
  const OdlShardNote note
      = { (char *) odl_verb_process.name, share, shares, inputs, (char *) "", words };
  return odl_shard_note_write (&note, options->log, task->guard, error);
}

static bool
make_folders (const OdlProcess *task, GError **error)
{
  for (guint i = 0; i < task->jobs->len; i++) {
    const OdlJob *job = g_ptr_array_index (task->jobs, i);
    g_autofree char *folder = g_path_get_dirname (job->output);
    if (!odl_jobs_make_folder (folder, error))
      return false;
  }
  return true;
}

// Takes --shard, --resume and --secret from `options` into `task`, whose jobs and recipe
// are there, and whose outputs have their names: removes the jobs that are not to be
// done, and makes the folders of the others. ODL_ERROR_USAGE; ODL_ERROR_IO.
static bool
odl_process_parse_share (const OdlProcessOptions *options,
                         OdlProcess *task,
                         GError **error)
{
  const bool folder
      = odl_jobs_want_folder ((const char *const *) options->inputs, options->out);
  guint share = 1, shares = 1;

  const guint inputs = task->jobs->len;

  if (!folder
      && (options->shard != NULL || options->resume || options->recursive
          || options->log != NULL))
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--shard, --resume, --log and --recursive are for several "
                             "pictures, or a folder."));
  if ((options->shard != NULL && !parse_shard (options->shard, &share, &shares, error))
      || !parse_secret (options, task, error)
      || !open_log (options, task, share, shares, inputs, error))
    return false;
  keep_share (task, share, shares);
  if (options->resume)
    leave_out_done (task);
  return !options->recursive || make_folders (task, error);
}

static bool
run_job (OdlProcess *task, const OdlJob *job, gint64 *marked, GError **error)
{
  OdlStill still = { 0 };

  odl_process_begin (task, job->input);
  if (!odl_process_check_output (task, job->output, error))
    return false;
  if (task->work.rendering != NULL || task->work.plane != NULL)
    return odl_process_render (task, job, marked, error);
  if (odl_process_is_moving (task))
    return odl_process_moving (task, job, marked, error);
  odl_runner_begin (task->run.runner);
  bool done = odl_still_read (task, job, &still, error)
              && odl_still_filter (task, job, &still, false, error)
              && odl_still_write (task, job, &still, marked, error);
  odl_still_clear (&still);
  return done;
}

// One after the other. Returns how many failed.
static guint
run_in_turn (OdlProcess *task, gint64 *marked)
{
  guint failed = 0;

  for (guint i = 0; i < task->jobs->len; i++) {
    const OdlJob *job = g_ptr_array_index (task->jobs, i);
    g_autoptr (GError) error = NULL;
    g_autoptr (GString) said = g_string_new (NULL);
    gint64 here = 0;

    odl_runner_expect (task->run.runner, (int) (task->jobs->len - i) - 1);
    odl_process_show_progress (task, i);
    // Without a log, what is said is seen at once.
    odl_report_hold (task->log != NULL ? said : NULL);
    const bool done = run_job (task, job, &here, &error);
    if (!done)
      odl_process_report_failure (task, job, error);
    odl_report_hold (NULL);
    tell_item (task, i, !done, here, said);
    failed += done ? 0 : 1;
    *marked += here;
  }
  return failed;
}

static int
run_jobs (OdlProcess *task)
{
  gint64 marked = 0;
  const bool batch = odl_batch_is_parallel (task);
  const bool at_once = !batch && odl_at_once_is_possible (task);

  // Lines of several files would mix.
  if (batch || at_once)
    odl_unpacking_tell (NULL);
  else
    odl_report_unpacking (task->progress);
  const guint failed = batch     ? odl_batch_run (task, &marked)
                       : at_once ? odl_at_once_run (task, run_job, &marked)
                                 : run_in_turn (task, &marked);

  if (odl_process_on_terminal () && task->jobs->len > 1)
    g_printerr ("\r\033[K");
  if (task->jobs->len == 0)
    return ODL_EXIT_DONE;
  if (failed == task->jobs->len && task->new_folder != NULL)
    g_rmdir (task->new_folder);
  if (failed == task->jobs->len && failed > 1)
    odl_report_usage (_ ("None of the %u pictures could be processed."), failed);
  else if (failed > 0 && task->jobs->len > 1)
    odl_report_usage (g_dngettext (GETTEXT_PACKAGE,
                                   "%u of %u pictures could not be processed.",
                                   "%u of %u pictures could not be processed.", failed),
                      failed, task->jobs->len);
  if (failed > 0)
    return ODL_EXIT_FAILED;
  return marked > 0 ? ODL_EXIT_DAMAGED : ODL_EXIT_DONE;
}

static int
process (int argc, char **argv)
{
  // Before any thread of OpenMP, OpenGL or GLib.
  g_autofree char *farewell
      = g_strdup_printf ("%s: %s", g_get_prgname (),
                         _ ("Stopped. What was finished stays; of the rest nothing was "
                            "written, and nothing was written over."));
  g_autoptr (OdlOutputGuard) guard = odl_output_guard_new (farewell);
  g_autoptr (GError) error = NULL;
  OdlProcessOptions options = { 0 };
  OdlProcess task = { .guard = guard };
  int status = ODL_EXIT_USAGE;

  if (odl_process_options_parse (&options, &odl_verb_process, argc, argv)) {
    if (odl_process_task_init (&task, &options, &error)
        && odl_process_parse_dicom (&options, &task, &error)
        && odl_process_parse_contours (&options, &task, &error)
        && odl_process_parse_mesh (&options, &task, &error)
        && odl_process_parse_plane (&options, &task, &error)
        && odl_process_parse_rendering (&options, &task, &error)
        && odl_process_parse_share (&options, &task, &error)) {
      status = run_jobs (&task);
      if (task.log != NULL && !odl_log_close (g_steal_pointer (&task.log), &error)) {
        odl_report_error (NULL, error);
        status = ODL_EXIT_FAILED;
      }
    } else {
      odl_report_error (NULL, error);
      status = odl_report_status (error);
    }
  }
  odl_process_task_clear (&task);
  odl_process_options_clear (&options);
  return status;
}

const OdlVerb odl_verb_process = {
  .name = "process",
  .arguments = N_ ("INPUT… -o OUT"),
  .summary = N_ ("Filter pictures and videos; write PNG, float TIFF, JPEG 2000, Matroska "
                 "or MP4. volume:INPUT takes frames for the slices of a volume, which "
                 "filters with dimensions=3 see along time."),
  .run = process,
};
