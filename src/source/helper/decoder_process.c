// SPDX-License-Identifier: MIT
#include "source/helper/decoder_process.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "source/helper/fork_server.h"
#include "source/helper/sandbox.h"

// Address space limit: a constant plus an amount that depends on the file size.
#define BASE_MEMORY ((uint64_t) 448 << 20)
#define MEMORY_PER_BYTE 12
#define MAX_MEMORY ((uint64_t) 16 << 30)

// Limit of CPU time: a small file that takes longer is malicious. Twice and more of what
// the largest pictures of so small files take, which is what a busy machine may make of
// the same work.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BASE_TIME_NS 20000000000
#else
#define BASE_TIME_NS 5000000000
#endif
#define TIME_NS_PER_BYTE 500

struct _OdlDecoderProcess {
  OdlHelperProcess *helper;
  uint64_t memory; // limit
  int64_t time_ns; // limit per frame
};

// Creates a memory file for one frame. Untouched pages take no memory.
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

// ---- Starting ----

typedef struct {
  OdlDecoderStart request;
  int file_fd;
  int picture_fd;
} Start;

static bool
fork_cb (const void *data, int socket_fd, int life_fd, pid_t *pid)
{
  const Start *start = data;
  const int fds[ODL_DECODER_START_FDS]
      = { start->file_fd, socket_fd, start->picture_fd, life_fd };

  return odl_fork_server_fork (&start->request, fds, pid);
}

// Forks from the fork server, or starts the program.
static OdlHelperProcess *
start_helper (const Start *start, int64_t time_ns, GError **error)
{
  const OdlDecoderStart *request = &start->request;
  g_autofree char *frame = g_strdup_printf ("%" PRIu32, request->frame);
  g_autofree char *memory = g_strdup_printf ("%" PRIu64, request->memory);
  g_autofree char *cpu = g_strdup_printf ("%" PRIu32, request->cpu_seconds);
  const char *sandbox = request->sandbox_is_optional ? ODL_HELPER_SANDBOX_OPTIONAL
                                                     : ODL_HELPER_SANDBOX_REQUIRED;
  const char *const arguments[] = { request->format, frame, memory, cpu, sandbox, NULL };
  const OdlHelperFd fds[] = {
    { start->file_fd, ODL_HELPER_FILE_FD },
    { start->picture_fd, ODL_DECODER_PICTURE_FD },
  };
  const OdlHelperStart how = {
    .arguments = arguments,
    .fds = fds,
    .n_fds = G_N_ELEMENTS (fds),
    .patience_ns = time_ns,
    .fork = fork_cb,
    .data = start,
  };

  return odl_helper_process_start (&odl_decoder_kind, &how, error);
}

OdlDecoderProcess *
odl_decoder_process_start (const OdlDecoderJob *job, GError **error)
{
  const OdlDecoderProcess wanted = {
    .memory
    = MIN (BASE_MEMORY + MEMORY_PER_BYTE * MIN (job->file_size, MAX_MEMORY), MAX_MEMORY),
    .time_ns = time_for (job->file_size),
  };
  Start start = {
    .request = {
      .magic = ODL_DECODER_MAGIC,
      .version = ODL_DECODER_VERSION,
      .frame = job->frame,
      .cpu_seconds = (uint32_t) (wanted.time_ns / 1000000000 + 1),
      .memory = wanted.memory,
      .sandbox_is_optional = odl_sandbox_is_optional (),
    },
    .file_fd = job->file_fd,
    .picture_fd = make_picture_file (wanted.memory),
  };

  g_strlcpy (start.request.format, job->format, sizeof start.request.format);
  if (start.picture_fd < 0)
    return odl_error_null (error, ODL_ERROR_IO, _ ("no connection to the decoder: %s"),
                           g_strerror (errno));
  OdlHelperProcess *helper = start_helper (&start, wanted.time_ns, error);
  close (start.picture_fd);
  if (helper == NULL)
    return NULL;
  OdlDecoderProcess *self = g_new (OdlDecoderProcess, 1);
  *self = wanted;
  self->helper = helper;
  return self;
}

void
odl_decoder_process_end (OdlDecoderProcess *self)
{
  if (self != NULL)
    odl_helper_process_end (self->helper);
  g_free (self);
}

// ---- Orders and answers ----

// `picture_fd` and `fd`: −1 for none.
static bool
send_order (OdlDecoderProcess *self,
            uint32_t frame,
            int picture_fd,
            int fd,
            GError **error)
{
  OdlDecoderOrder order = {
    .magic = ODL_DECODER_MAGIC,
    .version = ODL_DECODER_VERSION,
    .frame = frame,
    .files = (picture_fd >= 0 ? ODL_DECODER_BRINGS_PICTURE : 0)
             | (fd >= 0 ? ODL_DECODER_BRINGS_FILE : 0),
  };
  OdlMessage message = { .parts = { { &order, sizeof order } } };

  if (picture_fd >= 0)
    message.fds[message.n_fds++] = picture_fd;
  if (fd >= 0)
    message.fds[message.n_fds++] = fd;
  return odl_helper_process_send (self->helper, &message, error);
}

static bool
order_frame (OdlDecoderProcess *self, uint32_t frame, int fd, GError **error)
{
  const int picture_fd = make_picture_file (self->memory);

  odl_helper_process_expect (self->helper, self->time_ns);
  const bool sent = send_order (self, frame, picture_fd, fd, error);
  if (picture_fd >= 0)
    close (picture_fd);
  return sent;
}

bool
odl_decoder_process_order (OdlDecoderProcess *self, uint32_t frame, GError **error)
{
  return order_frame (self, frame, -1, error);
}

bool
odl_decoder_process_order_file (OdlDecoderProcess *self,
                                int fd,
                                uint64_t size,
                                GError **error)
{
  self->time_ns = time_for (size);
  return order_frame (self, 0, fd, error);
}

bool
odl_decoder_process_send_file (OdlDecoderProcess *self,
                               int fd,
                               uint64_t size,
                               GError **error)
{
  self->time_ns = MAX (self->time_ns, time_for (size));
  odl_helper_process_extend (self->helper, self->time_ns);
  return send_order (self, 0, -1, fd, error);
}

void
odl_decoder_process_watch (OdlDecoderProcess *self, void (*cb) (void *data), void *data)
{
  odl_helper_process_watch (self->helper, cb, data);
}

bool
odl_decoder_process_receive (OdlDecoderProcess *self,
                             GCancellable *cancellable,
                             OdlDecoderAnswer *answer,
                             GError **error)
{
  OdlMessage message = {
    .parts = { { &answer->header, sizeof answer->header },
               { answer->text, ODL_DECODER_MAX_TEXT } },
    .n_fds = 1,
  };

  answer->n_bytes
      = odl_helper_process_receive (self->helper, &message, cancellable, error);
  answer->memfd = answer->n_bytes > 0 ? message.fds[0] : -1;
  return answer->n_bytes > 0;
}
