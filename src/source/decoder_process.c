// SPDX-License-Identifier: MIT
#include "config.h"

#include "source/decoder_process.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "source/decoder_nursery.h"
#include "source/decoder_spawn.h"
#include "source/sandbox_wish.h"

// Address space: what any file may take, and what its size justifies.
#define BASE_MEMORY ((uint64_t) 448 << 20)
#define MEMORY_PER_BYTE 12
#define MAX_MEMORY ((uint64_t) 16 << 30)

// Time: a small file that takes longer than this is a trap.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BASE_TIME_NS 8000000000
#else
#define BASE_TIME_NS 1800000000
#endif
#define TIME_NS_PER_BYTE 500
// A helper that works, but gets no processor on a busy machine, may take so many times
// longer.
#define PATIENCE 8
// How often the parent looks. A machine that was paused meanwhile, as virtual ones are,
// has passed no more than two of these for either side.
#define LOOK_NS 50000000

struct _OdlDecoderProcess {
  pid_t pid; // 0: has ended
  int socket_fd;
  int life_fd; // a pipe; the kernel ends the helper when it is closed
  uint64_t memory; // that it may fill
  int64_t time_ns; // that it may take for a frame
  int64_t passed_ns; // for the frame
  int64_t waited_ns; // of these, when it did nothing
  int64_t looked_ns; // when that was counted
  int64_t used_ns; // processor time before the frame
};

typedef OdlDecoderProcess Helper;

static void
close_fd (int fd)
{
  if (fd >= 0)
    close (fd);
}

// A memory file for one frame. Pages that nobody writes to take no memory.
static int
make_picture_file (uint64_t bytes)
{
  int fd = memfd_create ("odl-picture", MFD_CLOEXEC | MFD_ALLOW_SEALING);

  if (fd >= 0
      && (ftruncate (fd, (off_t) bytes) != 0
          || fcntl (fd, F_ADD_SEALS, F_SEAL_GROW) != 0)) {
    close (fd);
    fd = -1;
  }
  return fd;
}

static int64_t
time_for (uint64_t file_size)
{
  return (int64_t) (BASE_TIME_NS + TIME_NS_PER_BYTE * MIN (file_size, MAX_MEMORY));
}

// Starts the program for one helper. `fds`: as a birth has them.
static gboolean
start_program (const OdlDecoderBirth *birth, const int *fds, pid_t *pid, GError **error)
{
  g_autofree char *program = odl_decoder_program ();
  g_autofree char *frame = g_strdup_printf ("%" PRIu32, birth->frame);
  g_autofree char *memory = g_strdup_printf ("%" PRIu64, birth->memory);
  g_autofree char *cpu = g_strdup_printf ("%" PRIu32, birth->cpu_seconds);
  const char *sandbox = birth->sandbox_is_optional ? ODL_DECODER_SANDBOX_OPTIONAL
                                                   : ODL_DECODER_SANDBOX_REQUIRED;
  char *argv[]
      = { program, (char *) birth->format, frame, memory, cpu, (char *) sandbox, NULL };
  const OdlDecoderGift gifts[ODL_DECODER_BIRTH_FDS] = {
    { fds[0], ODL_DECODER_FILE_FD },
    { fds[1], ODL_DECODER_SOCKET_FD },
    { fds[2], ODL_DECODER_PICTURE_FD },
    { fds[3], ODL_DECODER_LIFE_FD },
  };
  const int result = odl_decoder_spawn (gifts, ODL_DECODER_BIRTH_FDS, argv, pid);

  if (result != 0)
    g_set_error (error, ODL_ERROR, ODL_ERROR_IO,
                 _ ("the decoder %s does not start (%s); install Ondelette again"),
                 program, g_strerror (result));
  return result == 0;
}

// Forked from one that is warm, or a program of its own.
static gboolean
start_helper (Helper *helper,
              const OdlDecoderJob *job,
              int socket_fd,
              int life_fd,
              GError **error)
{
  OdlDecoderBirth birth = {
    .magic = ODL_DECODER_MAGIC,
    .version = ODL_DECODER_VERSION,
    .frame = job->frame,
    .cpu_seconds = (uint32_t) (helper->time_ns / 1000000000 + 1),
    .memory = helper->memory,
    .sandbox_is_optional = odl_sandbox_is_optional (),
  };
  const int fds[ODL_DECODER_BIRTH_FDS]
      = { job->file_fd, socket_fd, make_picture_file (helper->memory), life_fd };

  g_strlcpy (birth.format, job->format, sizeof birth.format);
  if (fds[2] < 0) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_IO, _ ("no connection to the decoder: %s"),
                 g_strerror (errno));
    return FALSE;
  }
  const gboolean started = odl_decoder_nursery_fork (&birth, fds, &helper->pid)
                           || start_program (&birth, fds, &helper->pid, error);
  close (fds[2]);
  return started;
}

OdlDecoderProcess *
odl_decoder_process_start (const OdlDecoderJob *job, GError **error)
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
  Helper *helper = g_new (Helper, 1);
  *helper = (Helper){
    .socket_fd = sockets[0],
    .life_fd = life[1],
    .memory
    = MIN (BASE_MEMORY + MEMORY_PER_BYTE * MIN (job->file_size, MAX_MEMORY), MAX_MEMORY),
    .time_ns = time_for (job->file_size),
  };
  const gboolean started = start_helper (helper, job, sockets[1], life[0], error);
  helper->looked_ns = odl_clock_now_ns ();
  close (sockets[1]);
  close (life[0]);
  if (!started) {
    odl_decoder_process_end (helper);
    return NULL;
  }
  return helper;
}

// Processor time that the helper has had; -1 when it cannot be told.
static int64_t
processor_time_ns (const Helper *helper)
{
  struct timespec used;
  clockid_t clock;

  if (clock_getcpuclockid (helper->pid, &clock) != 0 || clock_gettime (clock, &used) != 0)
    return -1;
  return used.tv_sec * 1000000000 + used.tv_nsec;
}

// True when the helper is running, reading from a disk or stopped, as opposed to waiting.
static gboolean
is_working (const Helper *helper)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", (int) helper->pid);
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;
  const char *after_name = strrchr (text, ')');
  return after_name != NULL && strlen (after_name) > 2
         && strchr ("RDT", after_name[2]) != NULL;
}

// It has waited for so long, or worked for so long, or got no processor for much longer.
static gboolean
is_late (Helper *helper)
{
  const int64_t now_ns = odl_clock_now_ns ();
  const int64_t step_ns = MIN (now_ns - helper->looked_ns, 2 * LOOK_NS);

  helper->looked_ns = now_ns;
  helper->passed_ns += step_ns;
  helper->waited_ns += is_working (helper) ? 0 : step_ns;
  return helper->waited_ns >= helper->time_ns
         || processor_time_ns (helper) - helper->used_ns >= helper->time_ns
         || helper->passed_ns / PATIENCE >= helper->time_ns;
}

// Waits until the helper has written or is gone. On a cancel or after the deadline FALSE.
static gboolean
wait_for_message (Helper *helper, GCancellable *cancellable, GError **error)
{
  GPollFD cancelled = { .fd = -1 };
  gboolean watched = g_cancellable_make_pollfd (cancellable, &cancelled);
  gboolean done = FALSE;

  while (!done) {
    struct pollfd fds[] = {
      { .fd = helper->socket_fd, .events = POLLIN },
      { .fd = cancelled.fd, .events = POLLIN },
    };

    if (g_cancellable_is_cancelled (cancellable)) {
      g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CANCELLED, _ ("cancelled"));
      break;
    }
    // What it has said in the meantime counts, however late it is looked at.
    done = poll (fds, watched ? 2 : 1, LOOK_NS / 1000000) > 0 && fds[0].revents != 0;
    if (!done && is_late (helper)) {
      g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                           _ ("decoding it takes too long and was stopped"));
      break;
    }
  }
  if (watched)
    g_cancellable_release_fd (cancellable);
  return done;
}

static void
receive (const Helper *helper, OdlDecoderAnswer *answer)
{
  struct iovec parts[] = {
    { &answer->header, sizeof answer->header },
    { answer->text, ODL_DECODER_MAX_TEXT },
  };
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE (sizeof (int) * 4)];
  } control;
  struct msghdr message = {
    .msg_iov = parts,
    .msg_iovlen = G_N_ELEMENTS (parts),
    .msg_control = &control,
    .msg_controllen = sizeof control,
  };
  ssize_t n = recvmsg (helper->socket_fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);

  if (n < 0)
    return;
  answer->n_bytes = (size_t) n;
  for (struct cmsghdr *part = CMSG_FIRSTHDR (&message); part != NULL;
       part = CMSG_NXTHDR (&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
      continue;
    size_t n_fds = (part->cmsg_len - CMSG_LEN (0)) / sizeof (int);
    for (size_t i = 0; i < n_fds; i++) {
      int fd;
      memcpy (&fd, CMSG_DATA (part) + i * sizeof fd, sizeof fd);
      if (answer->memfd < 0)
        answer->memfd = fd;
      else
        close (fd);
    }
  }
}

// How a helper ends that has said nothing.
static const struct {
  int signal;
  OdlErrorCode code;
  const char *message;
} deaths[] = {
  { SIGXCPU, ODL_ERROR_TOO_LARGE, N_ ("decoding it takes too long and was stopped") },
  { SIGKILL, ODL_ERROR_TOO_LARGE,
    N_ ("the decoder was stopped from outside; the machine may be short of memory") },
  { SIGTRAP, ODL_ERROR_TOO_LARGE, N_ ("decoding it needs more memory than it may take") },
};

static void
explain_end (int status, GError **error)
{
  if (status >= 0 && WIFSIGNALED (status)) {
    for (size_t i = 0; i < G_N_ELEMENTS (deaths); i++)
      if (deaths[i].signal == WTERMSIG (status)) {
        g_set_error_literal (error, ODL_ERROR, deaths[i].code, _ (deaths[i].message));
        return;
      }
    g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                 _ ("the decoder crashed on it (%s); the file is probably damaged"),
                 g_strsignal (WTERMSIG (status)));
    return;
  }
  g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
               _ ("the decoder gave up without an answer (status %d)"),
               status >= 0 && WIFEXITED (status) ? WEXITSTATUS (status) : -1);
}

// Waits for the end of a helper that closed its socket; gives it little time. The status,
// as of waitpid; -1 for one that had to be ended.
static int
reap (pid_t pid, gboolean at_once)
{
  int status = 0;

  for (int tries = 0; !at_once && tries < 40; tries++) {
    pid_t result = waitpid (pid, &status, WNOHANG);
    if (result == pid || (result < 0 && errno != EINTR))
      return status;
    g_usleep (tries < 10 ? 500 : 5000);
  }
  kill (pid, SIGKILL);
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL ? -1 : status;
}

static int
finish (Helper *helper, gboolean at_once)
{
  int status = reap (helper->pid, at_once);

  helper->pid = 0;
  return status;
}

// `picture_fd` and `fd`: −1 for none.
static gboolean
send_order (Helper *helper, uint32_t frame, int picture_fd, int fd, GError **error)
{
  OdlDecoderOrder order = {
    .magic = ODL_DECODER_MAGIC,
    .version = ODL_DECODER_VERSION,
    .frame = frame,
    .files = (picture_fd >= 0 ? ODL_DECODER_BRINGS_PICTURE : 0)
             | (fd >= 0 ? ODL_DECODER_BRINGS_FILE : 0),
  };
  int brought[ODL_DECODER_MAX_BROUGHT];
  size_t n = 0;
  struct iovec part = { &order, sizeof order };
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE (sizeof brought)];
  } control = { 0 };
  struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

  if (picture_fd >= 0)
    brought[n++] = picture_fd;
  if (fd >= 0)
    brought[n++] = fd;
  if (n > 0) {
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE (n * sizeof (int));
    control.header
        = (struct cmsghdr){ CMSG_LEN (n * sizeof (int)), SOL_SOCKET, SCM_RIGHTS };
    memcpy (CMSG_DATA (&control.header), brought, n * sizeof (int));
  }
  if (helper->pid != 0
      && sendmsg (helper->socket_fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT)
             == sizeof order)
    return TRUE;
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_IO,
                       _ ("the decoder is gone; it is started again"));
  return FALSE;
}

// Its own limits are out of its reach.
static void
renew_time (const Helper *helper)
{
  const rlim_t seconds = (rlim_t) ((helper->used_ns + helper->time_ns) / 1000000000) + 2;
  struct rlimit old;

  if (helper->pid != 0 && prlimit (helper->pid, RLIMIT_CPU, NULL, &old) == 0)
    prlimit (helper->pid, RLIMIT_CPU,
             &(struct rlimit){ MIN (seconds, old.rlim_max), old.rlim_max }, NULL);
}

static gboolean
order_frame (Helper *helper, uint32_t frame, int fd, GError **error)
{
  int picture_fd = make_picture_file (helper->memory);

  helper->used_ns = MAX (processor_time_ns (helper), 0);
  renew_time (helper);
  gboolean sent = send_order (helper, frame, picture_fd, fd, error);
  close_fd (picture_fd);
  if (!sent)
    return FALSE;
  helper->passed_ns = helper->waited_ns = 0;
  helper->looked_ns = odl_clock_now_ns ();
  return TRUE;
}

gboolean
odl_decoder_process_order (OdlDecoderProcess *helper, uint32_t frame, GError **error)
{
  return order_frame (helper, frame, -1, error);
}

gboolean
odl_decoder_process_turn_to (OdlDecoderProcess *helper,
                             int fd,
                             uint64_t size,
                             GError **error)
{
  helper->time_ns = time_for (size);
  return order_frame (helper, 0, fd, error);
}

gboolean
odl_decoder_process_hand_file (OdlDecoderProcess *helper,
                               int fd,
                               uint64_t size,
                               GError **error)
{
  helper->time_ns = MAX (helper->time_ns, time_for (size));
  return send_order (helper, 0, -1, fd, error);
}

gboolean
odl_decoder_process_receive (OdlDecoderProcess *helper,
                             GCancellable *cancellable,
                             OdlDecoderAnswer *answer,
                             GError **error)
{
  answer->n_bytes = 0;
  answer->memfd = -1;
  gboolean waited = wait_for_message (helper, cancellable, error);
  if (waited)
    receive (helper, answer);
  if (answer->n_bytes > 0)
    return TRUE;
  int status = finish (helper, !waited);
  if (waited)
    explain_end (status, error);
  return FALSE;
}

void
odl_decoder_process_end (OdlDecoderProcess *helper)
{
  if (helper == NULL)
    return;
  close (helper->socket_fd);
  close (helper->life_fd);
  // Whatever it does now, its work is done.
  if (helper->pid != 0)
    finish (helper, TRUE);
  g_free (helper);
}
