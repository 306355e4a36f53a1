// SPDX-License-Identifier: MIT
#include "config.h"

#include "base/helper.h"
#include "source/helper/process.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

#define MAX_FDS 8

// `copies`: duplicates of the descriptors, with numbers above the final ones.
static int
spawn (const OdlHelperFd *fds,
       const int *copies,
       size_t n_fds,
       char *const *argv,
       pid_t *pid)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;

  sigemptyset (&none);
  sigfillset (&all);
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setsigmask (&attributes, &none);
  posix_spawnattr_setsigdefault (&attributes, &all);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen (&actions, 1, "/dev/null", O_WRONLY, 0);
  if (g_getenv ("ODL_DEBUG") == NULL)
    posix_spawn_file_actions_addopen (&actions, 2, "/dev/null", O_WRONLY, 0);
  for (int fd = 3; fd <= ODL_HELPER_LIFE_FD; fd++)
    posix_spawn_file_actions_addclose (&actions, fd);
  for (size_t i = 0; i < n_fds; i++)
    posix_spawn_file_actions_adddup2 (&actions, copies[i], fds[i].number);
  posix_spawn_file_actions_addclosefrom_np (&actions, ODL_HELPER_LIFE_FD + 1);
  int result = posix_spawn (pid, argv[0], &actions, &attributes, argv, environ);
  posix_spawn_file_actions_destroy (&actions);
  posix_spawnattr_destroy (&attributes);
  return result;
}

// Starts argv[0] with duplicates of these descriptors and no others. Returns an errno,
// 0 for success.
static int
odl_helper_spawn (const OdlHelperFd *fds, size_t n_fds, char *const *argv, pid_t *pid)
{
  int copies[MAX_FDS] = { 0 };
  int result = 0;

  g_return_val_if_fail (n_fds <= MAX_FDS, EINVAL);
  for (size_t i = 0; i < n_fds; i++) {
    copies[i] = fcntl (fds[i].given_fd, F_DUPFD_CLOEXEC, ODL_HELPER_LIFE_FD + 1);
    result = copies[i] < 0 ? errno : result;
  }
  if (result == 0)
    result = spawn (fds, copies, n_fds, argv, pid);
  for (size_t i = 0; i < n_fds; i++)
    if (copies[i] >= 0)
      close (copies[i]);
  return result;
}

// How often a helper that does not answer is looked at, and for how many of these it may
// do nothing before that is told. A machine that is suspended does not look.
#define POLL_MS 50
#define LOOKS_UNTIL_TOLD 200
#define LOOKS_UNTIL_ENDED 600 // of one that only computes

struct _OdlHelperProcess {
  const OdlHelperKind *kind;
  pid_t pid; // 0: has ended
  int socket_fd;
  int life_fd; // a pipe whose closing ends the helper
  int64_t patience_ns;
  int64_t used_ns; // CPU time when the answer was asked for
  int64_t seen_ns; // CPU time at the last look
  int idle_looks; // in turn that saw no work; −1: it was told
  bool only_computes;
  void (*watch) (void *data); // see odl_helper_process_watch
  void *watch_data;
};

// ---- Starting ----

// Precedence: environment variable, build tree, installed program.
static char *
find_program (const OdlHelperKind *kind)
{
  const char *chosen = g_getenv (kind->variable);
  if (chosen != NULL && *chosen != '\0')
    return g_strdup (chosen);

  char *built
      = g_build_filename (ODL_BUILD_LIBEXEC_DIR, kind->folder, kind->program, NULL);
  if (g_file_test (built, G_FILE_TEST_IS_EXECUTABLE))
    return built;
  g_free (built);
  return g_build_filename (ODL_LIBEXEC_DIR, kind->program, NULL);
}

static bool
start_program (OdlHelperProcess *self,
               const OdlHelperStart *how,
               int socket_fd,
               int life_fd,
               GError **error)
{
  g_autofree char *program = find_program (self->kind);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GArray) fds = g_array_new (FALSE, FALSE, sizeof (OdlHelperFd));
  const OdlHelperFd own[]
      = { { socket_fd, ODL_HELPER_SOCKET_FD }, { life_fd, ODL_HELPER_LIFE_FD } };

  g_ptr_array_add (argv, program);
  for (const char *const *argument = how->arguments; *argument != NULL; argument++)
    g_ptr_array_add (argv, (char *) *argument);
  g_ptr_array_add (argv, NULL);
  g_array_append_vals (fds, own, G_N_ELEMENTS (own));
  if (how->n_fds > 0)
    g_array_append_vals (fds, how->fds, (guint) how->n_fds);
  const int result = odl_helper_spawn ((const OdlHelperFd *) (void *) fds->data, fds->len,
                                       (char **) argv->pdata, &self->pid);
  if (result != 0)
    g_set_error (error, ODL_ERROR, ODL_ERROR_INSTALLATION,
                 _ ("the decoder %s does not start (%s); install Ondelette again"),
                 program, g_strerror (result));
  return result == 0;
}

static void
close_fd (int fd)
{
  if (fd >= 0)
    close (fd);
}

OdlHelperProcess *
odl_helper_process_start (const OdlHelperKind *kind,
                          const OdlHelperStart *how,
                          GError **error)
{
  int sockets[2] = { -1, -1 }, life[2] = { -1, -1 };

  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) < 0
      || pipe2 (life, O_CLOEXEC) < 0) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_IO, _ ("no connection to the decoder: %s"),
                 g_strerror (errno));
    close_fd (sockets[0]);
    close_fd (sockets[1]);
    return NULL;
  }
  OdlHelperProcess *self = g_new0 (OdlHelperProcess, 1);
  self->kind = kind;
  self->socket_fd = sockets[0];
  self->life_fd = life[1];
  self->only_computes = how->only_computes;
  const bool started
      = (how->fork != NULL && how->fork (how->data, sockets[1], life[0], &self->pid))
        || start_program (self, how, sockets[1], life[0], error);
  close (sockets[1]);
  close (life[0]);
  if (started) {
    odl_helper_process_expect (self, how->patience_ns);
    return self;
  }
  self->pid = 0;
  odl_helper_process_end (self);
  return NULL;
}

// ---- Time limits ----

// CPU time used by all threads of the helper; −1: unknown, as when it has ended.
static int64_t
processor_time_ns (const OdlHelperProcess *self)
{
  struct timespec used;
  clockid_t clock;

  if (self->pid == 0 || clock_getcpuclockid (self->pid, &clock) != 0
      || clock_gettime (clock, &used) != 0)
    return -1;
  return used.tv_sec * 1000000000 + used.tv_nsec;
}

// The helper cannot change its own limits.
static void
renew_time (const OdlHelperProcess *self)
{
  const rlim_t seconds = (rlim_t) ((self->used_ns + self->patience_ns) / 1000000000) + 2;
  struct rlimit old;

  if (self->pid != 0 && prlimit (self->pid, RLIMIT_CPU, NULL, &old) == 0)
    prlimit (self->pid, RLIMIT_CPU,
             &(struct rlimit){ MIN (seconds, old.rlim_max), old.rlim_max }, NULL);
}

void
odl_helper_process_expect (OdlHelperProcess *self, int64_t patience_ns)
{
  self->patience_ns = patience_ns;
  self->used_ns = self->seen_ns = MAX (processor_time_ns (self), 0);
  self->idle_looks = 0;
  renew_time (self);
}

void
odl_helper_process_extend (OdlHelperProcess *self, int64_t patience_ns)
{
  self->patience_ns = MAX (self->patience_ns, patience_ns);
  renew_time (self);
}

// The function that is told of idle helpers.
static void (**idle_cb (void)) (void)
{
  static void (*cb) (void);

  return &cb;
}

void
odl_helper_process_tell_idle (void (*cb) (void))
{
  *idle_cb () = cb;
}

void
odl_helper_process_watch (OdlHelperProcess *self, void (*cb) (void *data), void *data)
{
  self->watch = cb;
  self->watch_data = data;
}

// Looks at a helper that does not answer: true if it has used up its time, or waits for
// what never comes. The time that passes does not count: the machine may be busy, a disk
// or network slow.
static bool
look (OdlHelperProcess *self)
{
  const int64_t now_ns = processor_time_ns (self);

  if (now_ns != self->seen_ns && self->idle_looks >= 0)
    self->idle_looks = 0;
  else if (self->idle_looks >= 0)
    self->idle_looks++;
  self->seen_ns = now_ns;
  if (self->watch != NULL)
    self->watch (self->watch_data);
  if (self->only_computes)
    return self->idle_looks >= LOOKS_UNTIL_ENDED
           || now_ns - self->used_ns >= self->patience_ns;
  if (self->idle_looks == LOOKS_UNTIL_TOLD) {
    self->idle_looks = -1;
    if (*idle_cb () != NULL)
      (*idle_cb ()) ();
  }
  return now_ns - self->used_ns >= self->patience_ns;
}

// ---- Ending ----

// Exit statuses of helpers that sent no answer.
static const struct {
  int signal;
  const char *message;
} deaths[] = {
  { SIGXCPU, N_ ("decoding it takes too long and was stopped") },
  { SIGKILL, N_ ("the decoder was killed; the machine may be short of memory") },
  { SIGTRAP, N_ ("decoding it needs more memory than it may take") },
};

static void
explain_end (int status, GError **error)
{
  if (status >= 0 && WIFSIGNALED (status)) {
    for (size_t i = 0; i < G_N_ELEMENTS (deaths); i++)
      if (deaths[i].signal == WTERMSIG (status)) {
        g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                             _ (deaths[i].message));
        return;
      }
    g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                 _ ("the decoder crashed on it (%s); the file is damaged, or of a kind "
                    "that this decoder cannot handle"),
                 g_strsignal (WTERMSIG (status)));
    return;
  }
  g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
               _ ("the decoder gave up without an answer (status %d)"),
               status >= 0 && WIFEXITED (status) ? WEXITSTATUS (status) : -1);
}

// Waits briefly for a helper that closed its socket. Returns the status of waitpid; −1
// if it had to be killed.
static int
reap (OdlHelperProcess *self, bool at_once)
{
  const pid_t pid = self->pid;
  int status = 0;

  self->pid = 0;
  for (int tries = 0; !at_once && tries < 40; tries++) {
    const pid_t result = waitpid (pid, &status, WNOHANG);
    if (result == pid || (result < 0 && errno != EINTR))
      return status;
    g_usleep (tries < 10 ? 500 : 5000);
  }
  kill (pid, SIGKILL);
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL ? -1 : status;
}

static void
explain (OdlHelperProcess *self, GError **error)
{
  if (self->pid != 0)
    explain_end (reap (self, false), error);
  else
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_IO, _ ("the decoder has ended"));
}

void
odl_helper_process_end (OdlHelperProcess *self)
{
  if (self == NULL)
    return;
  close (self->socket_fd);
  close (self->life_fd);
  // Its result is complete; ignore what it does now.
  if (self->pid != 0)
    reap (self, true);
  g_free (self);
}

// ---- Messages ----

// A helper that has to refuse says so and ends, and may be gone before it is asked.
static bool
has_said_something (const OdlHelperProcess *self)
{
  char byte;

  return recv (self->socket_fd, &byte, sizeof byte, MSG_PEEK | MSG_DONTWAIT) > 0;
}

bool
odl_helper_process_send (OdlHelperProcess *self,
                         const OdlMessage *message,
                         GError **error)
{
  if (self->pid != 0
      && (odl_message_send (self->socket_fd, message, MSG_DONTWAIT)
          || has_said_something (self)))
    return true;
  explain (self, error);
  return false;
}

// Waits for a message or the helper's end. False on cancellation or if its time is up.
static bool
wait_for_message (OdlHelperProcess *self,
                  GCancellable *cancellable,
                  const OdlProgress *progress,
                  GError **error)
{
  GPollFD cancelled = { .fd = -1 };
  const bool watched = g_cancellable_make_pollfd (cancellable, &cancelled);
  bool done = false;

  while (!done) {
    struct pollfd fds[] = {
      { .fd = self->socket_fd, .events = POLLIN },
      { .fd = cancelled.fd, .events = POLLIN },
    };

    if (g_cancellable_is_cancelled (cancellable) || odl_progress_stopped (progress)) {
      g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CANCELLED, _ ("cancelled"));
      break;
    }
    // A message that arrived meanwhile counts, even after the limit.
    done = poll (fds, watched ? 2 : 1, POLL_MS) > 0 && fds[0].revents != 0;
    if (!done && look (self)) {
      reap (self, true);
      g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                           _ ("decoding it takes too long and was stopped"));
      break;
    }
  }
  if (watched)
    g_cancellable_release_fd (cancellable);
  return done;
}

static size_t
receive (OdlHelperProcess *self,
         OdlMessage *message,
         GCancellable *cancellable,
         const OdlProgress *progress,
         GError **error)
{
  if (self->pid != 0 && !wait_for_message (self, cancellable, progress, error))
    return 0;
  const size_t n_bytes
      = self->pid != 0 ? odl_message_receive (self->socket_fd, message, MSG_DONTWAIT) : 0;
  if (n_bytes == 0)
    explain (self, error);
  return n_bytes;
}

size_t
odl_helper_process_receive (OdlHelperProcess *self,
                            OdlMessage *message,
                            GCancellable *cancellable,
                            GError **error)
{
  return receive (self, message, cancellable, NULL, error);
}

size_t
odl_helper_process_receive_telling (OdlHelperProcess *self,
                                    OdlMessage *message,
                                    const OdlProgress *progress,
                                    GError **error)
{
  return receive (self, message, NULL, progress, error);
}

void
odl_helper_set_invalid_answer (GError **error)
{
  g_set_error_literal (
      error, ODL_ERROR, ODL_ERROR_CORRUPT,
      _ ("the decoder gave an invalid answer; the file is probably damaged"));
}
