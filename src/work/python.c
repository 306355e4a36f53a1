// SPDX-License-Identifier: MIT
#include "work/python.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "filter/own/python.h"
#include "filter/own/run.h"
#include "python/protocol.h"
#include "source/helper/process.h"

// Of processor time: for a file and the packages that it loads, and for a frame, with
// something for each of its samples.
#define SECOND_NS ((int64_t) 1000000000)
#define PATIENCE_NS (20 * SECOND_NS)
#define SAMPLE_NS 10000
#define MOST_IDLE 4 // processes that are kept for the next frame
#define TRIAL_SIDE 64
#define TRIAL_DEPTH 8
#define LEAST_FLOATS ((size_t) 1 << 16)

static const OdlHelperKind kind = { "ondelette-python", "python", "ODL_PYTHON" };

// A process with the memory that it shares.
typedef struct {
  const OdlOwnCode *code;
  OdlHelperProcess *process;
  size_t capacity; // floats of a frame
  size_t n_read; // frames that are read; one more is written
  float *samples;
  uint32_t serial;
} Worker;

typedef struct {
  GMutex lock;
  GPtrArray *idle; // Worker, the oldest first, until exit; NULL: none yet
} Workers;

static Workers *
workers (void)
{
  static Workers known;

  return &known;
}

static size_t
bytes_of (const Worker *worker)
{
  return (worker->n_read + 1) * worker->capacity * sizeof (float);
}

static void
free_worker (Worker *worker)
{
  odl_helper_process_end (worker->process);
  if (worker->samples != NULL)
    munmap (worker->samples, bytes_of (worker));
  g_free (worker);
}

// ---- what is said --------------------------------------------------------------------

static bool
say_too_long (const OdlOwnCode *code, GError **error)
{
  return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                        _ ("%s: it computed for more than %d seconds, or waited for what "
                           "never comes, and was stopped"),
                        code->name, (int) (PATIENCE_NS / SECOND_NS));
}

// What is said of helpers is about files.
static bool
say_dead (const OdlOwnCode *code, GError *cause, GError **error)
{
  if (g_error_matches (cause, ODL_ERROR, ODL_ERROR_INSTALLATION)
      || g_error_matches (cause, ODL_ERROR, ODL_ERROR_CANCELLED)) {
    g_propagate_error (error, g_error_copy (cause));
    return false;
  }
  if (g_error_matches (cause, ODL_ERROR, ODL_ERROR_TOO_LARGE))
    return say_too_long (code, error);
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("%s: its process ended without a result; what ends it, or "
                           "crashes a package, cannot be used here"),
                        code->name);
}

// Ends that need no more than the file's name, or name and reason.
static const char *const sentences[ODL_N_PYTHON_ENDS] = {
  [ODL_PYTHON_NO_SANDBOX]
  = N_ ("%s: it was not run, since this system refuses a part of the sandbox of Python "
        "(%s); it needs user and mount namespaces, Landlock and seccomp"),
  [ODL_PYTHON_NO_INTERPRETER]
  = N_ ("%s: it was not run, since there is no %s; install the package python3"),
  [ODL_PYTHON_NO_NUMPY]
  = N_ ("%s: it was not run, since Python finds no NumPy; install python3-numpy"),
  [ODL_PYTHON_NO_FUNCTION] = N_ ("%s: when it was run, there was no function “filter”"),
  [ODL_PYTHON_NO_MEMORY]
  = N_ ("%s: it wanted more memory than it may have, which is 2 GiB and some for each "
        "sample"),
  [ODL_PYTHON_EXITED] = N_ ("%s: it ended Python instead of making a picture"),
  [ODL_PYTHON_OTHER_SHAPE] = N_ (
      "%s: the function returned %s instead of real numbers in the shape of the picture"),
};

// A sentence that has no place for a reason goes without. Transfer full.
static char *
fill_in (const char *sentence, const char *name, const char *reason)
{
  g_auto (GStrv) parts = g_strsplit (sentence, "%s", 3);
  const bool has_reason = g_strv_length (parts) == 3;

  return g_strconcat (parts[0], name, parts[1], has_reason ? reason : NULL,
                      has_reason ? parts[2] : NULL, NULL);
}

// What a worker says is as little to be trusted as the code that it runs.
static bool
judge (const OdlOwnCode *code, OdlPythonAnswer *told, GError **error)
{
  told->reason[sizeof told->reason - 1] = '\0';
  g_autofree char *valid = g_utf8_make_valid (told->reason, -1);
  g_autofree char *reason = odl_text_in_one_line (valid);

  if (told->end == ODL_PYTHON_DONE)
    return true;
  if (told->end == ODL_PYTHON_RAISED && told->line > 0)
    // Translators: a file, the number of a line, and what Python says of it.
    return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("%s, line %u: %s"), code->name,
                          told->line, reason);
  if (told->end == ODL_PYTHON_RAISED)
    return odl_error_set (error, ODL_ERROR_CORRUPT, "%s: %s", code->name, reason);
  g_autofree char *text = fill_in (_ (sentences[told->end]), code->name, reason);
  return odl_error_set (
      error, told->end <= ODL_PYTHON_NO_NUMPY ? ODL_ERROR_UNSUPPORTED : ODL_ERROR_CORRUPT,
      "%s", text);
}

// The answer of `serial`. False: the worker is of no use any more, or what it says.
static bool
receive (Worker *worker, OdlProgress *progress, bool *ended, GError **error)
{
  OdlPythonAnswer told = { 0 };
  OdlMessage received = { .parts = { { &told, sizeof told } } };
  g_autoptr (GError) cause = NULL;
  const size_t n
      = odl_helper_process_receive_telling (worker->process, &received, progress, &cause);

  *ended = true;
  if (cause != NULL)
    return say_dead (worker->code, cause, error);
  if (n != sizeof told || told.magic != ODL_PYTHON_MAGIC || told.serial != worker->serial
      || told.end >= ODL_N_PYTHON_ENDS) {
    const GError invalid = { ODL_ERROR, ODL_ERROR_CORRUPT, (char *) "" };
    return say_dead (worker->code, (GError *) &invalid, error);
  }
  *ended = worker->serial == 0 && told.end != ODL_PYTHON_DONE;
  return judge (worker->code, &told, error);
}

// ---- workers -------------------------------------------------------------------------

// Memory of that size, which nobody can change; −1: there is none.
static int
make_memory (Worker *worker)
{
  const size_t bytes = bytes_of (worker);
  const int fd = memfd_create ("ondelette-python", MFD_CLOEXEC | MFD_ALLOW_SEALING);

  if (fd < 0 || ftruncate (fd, (off_t) bytes) != 0
      || fcntl (fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    if (fd >= 0)
      close (fd);
    return -1;
  }
  void *samples = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  worker->samples = samples != MAP_FAILED ? samples : NULL;
  if (worker->samples != NULL)
    return fd;
  close (fd);
  return -1;
}

static bool
send_code (Worker *worker, GError **error)
{
  const OdlOwnCode *code = worker->code;
  const uint32_t takes = (code->takes_out ? ODL_PYTHON_TAKES_OUT : 0)
                         | (code->reads_other ? ODL_PYTHON_TAKES_OTHER : 0)
                         | (code->tells_none ? ODL_PYTHON_TELLS_NONE : 0);
  OdlPythonCode head = { .magic = ODL_PYTHON_MAGIC,
                         .n_bytes = (uint32_t) code->length,
                         .capacity = worker->capacity,
                         .n_keys = (uint32_t) code->n_named,
                         .takes = takes };
  const OdlMessage message
      = { .parts = { { &head, sizeof head }, { code->bytes, code->length } } };

  g_strlcpy (head.name, code->name, sizeof head.name);
  for (size_t p = 0; p < code->n_named; p++) {
    g_autofree char *key = odl_own_python_key (&code->named[p]);
    g_strlcpy (head.keys[p], key, sizeof head.keys[p]);
  }
  return odl_helper_process_send (worker->process, &message, error);
}

// A process that has read the code.
static Worker *
start (const OdlOwnCode *code, size_t capacity, OdlProgress *progress, GError **error)
{
  Worker *worker = g_new0 (Worker, 1);
  g_autoptr (GError) cause = NULL;
  bool ended;

  worker->code = code;
  worker->capacity = MAX (capacity, LEAST_FLOATS);
  worker->n_read = code->reads_other ? 2 : 1;
  const uint64_t memory
      = ODL_PYTHON_MEMORY
        + ODL_PYTHON_FRAMES * (uint64_t) worker->capacity * sizeof (float);
  g_autofree char *limit = g_strdup_printf ("%" G_GUINT64_FORMAT, memory);
  const char *const arguments[] = { limit, NULL };
  const int fd = make_memory (worker);
  const OdlHelperFd shared = { fd, ODL_HELPER_FILE_FD };
  const OdlHelperStart how = { .arguments = arguments,
                               .fds = &shared,
                               .n_fds = 1,
                               .patience_ns = PATIENCE_NS,
                               .only_computes = true };
  if (fd < 0) {
    free_worker (worker);
    return odl_error_null (error, ODL_ERROR_TOO_LARGE,
                           _ ("%s: there is not enough memory for its pictures"),
                           code->name);
  }
  worker->process = odl_helper_process_start (&kind, &how, &cause);
  close (fd);
  const bool done = worker->process != NULL && send_code (worker, &cause)
                    && receive (worker, progress, &ended, error);
  if (cause != NULL)
    say_dead (code, cause, error);
  if (!done)
    g_clear_pointer (&worker, free_worker);
  return worker;
}

// An idle one for that code whose memory is large enough; NULL: none.
static Worker *
take_idle (const OdlOwnCode *code, size_t capacity)
{
  Workers *all = workers ();
  Worker *found = NULL;

  g_mutex_lock (&all->lock);
  for (guint i = 0; all->idle != NULL && i < all->idle->len && found == NULL; i++) {
    Worker *worker = g_ptr_array_index (all->idle, i);
    if (worker->code == code && worker->capacity >= capacity)
      found = g_ptr_array_steal_index (all->idle, i);
  }
  g_mutex_unlock (&all->lock);
  return found;
}

static void
give_back (Worker *worker)
{
  Workers *all = workers ();
  Worker *oldest = NULL;

  g_mutex_lock (&all->lock);
  if (all->idle == NULL)
    all->idle = g_ptr_array_new ();
  g_ptr_array_add (all->idle, worker);
  if (all->idle->len > MOST_IDLE)
    oldest = g_ptr_array_steal_index (all->idle, 0);
  g_mutex_unlock (&all->lock);
  g_clear_pointer (&oldest, free_worker);
}

// ---- frames --------------------------------------------------------------------------

static bool
send_order (Worker *worker, const OdlOwnRun *run, GError **error)
{
  OdlPythonOrder order = { .magic = ODL_PYTHON_MAGIC,
                           .serial = ++worker->serial,
                           .width = (uint32_t) run->width,
                           .height = (uint32_t) run->height,
                           .depth = (uint32_t) run->depth,
                           .channels = (uint32_t) run->channels,
                           .other_channels = (uint32_t) run->other_channels };
  const OdlMessage message = { .parts = { { &order, sizeof order } } };

  for (size_t p = 0; p < run->code->n_named; p++) {
    const OdlParameter *parameter = &run->code->named[p];
    order.values[p] = run->values[parameter->offset];
    order.whole |= parameter->kind == ODL_PARAMETER_INTEGER ? 1U << p : 0;
  }
  return odl_helper_process_send (worker->process, &message, error);
}

static bool
run_frame (Worker *worker, const OdlOwnRun *run, size_t n, bool *ended, GError **error)
{
  g_autoptr (GError) cause = NULL;

  for (int i = 0; i < (run->other_channels > 0 ? 2 : 1); i++)
    run->put (run->data, i, worker->samples + (size_t) i * worker->capacity);
  odl_helper_process_expect (worker->process, PATIENCE_NS + SAMPLE_NS * (int64_t) n);
  *ended = !send_order (worker, run, &cause);
  if (*ended)
    return say_dead (run->code, cause, error);
  if (!receive (worker, run->progress, ended, error))
    return false;
  run->take (run->data, worker->samples + worker->n_read * worker->capacity);
  return true;
}

static size_t
floats_of (const OdlOwnRun *run)
{
  return (size_t) run->width * (size_t) run->height * (size_t) MAX (run->depth, 1)
         * (size_t) run->channels;
}

static bool
run_python (const OdlOwnRun *run, GError **error)
{
  const size_t n = floats_of (run);
  Worker *worker = take_idle (run->code, n);
  bool ended = true;

  if (worker == NULL)
    worker = start (run->code, n, run->progress, error);
  if (worker == NULL)
    return false;
  const bool done = run_frame (worker, run, n, &ended, error);
  if (ended)
    free_worker (worker);
  else
    give_back (worker);
  return done;
}

static void
put_rising (const void *data, int which, float *samples)
{
  const size_t n = floats_of (data); // the second one has as many channels

  (void) which;
  for (size_t i = 0; i < n; i++)
    samples[i] = (float) i / (float) n;
}

static void
take_nothing (const void *data, const float *samples)
{
  (void) data, (void) samples;
}

bool
odl_python_rehearse (const OdlOwnCode *code,
                     const double *values,
                     bool of_volume,
                     GError **error)
{
  OdlOwnRun run = { .code = code,
                    .values = values,
                    .width = TRIAL_SIDE,
                    .height = TRIAL_SIDE,
                    .depth = of_volume ? TRIAL_DEPTH : 0,
                    .channels = 1,
                    .other_channels = code->reads_other ? 1 : 0,
                    .put = put_rising,
                    .take = take_nothing,
                    .data = &run };

  g_return_val_if_fail (code != NULL && values != NULL, false);
  if (run_python (&run, NULL))
    return true;
  run.channels = 3;
  run.other_channels = code->reads_other ? 3 : 0;
  return run_python (&run, error);
}

void
odl_python_offer (void)
{
  odl_own_offer (run_python);
}
