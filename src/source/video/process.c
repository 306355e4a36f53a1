// SPDX-License-Identifier: MIT
#include "source/video/process.h"

#include <string.h>

#include "base/error.h"
#include "source/helper/sandbox.h"

// Limit of the helper's own memory: enough for the largest 10-bit frames.
#define MEMORY ((uint64_t) 2 << 30)

// CPU time of all its threads for one frame. The helper has its own, shorter limit.
#define PATIENCE_NS (ODL_VIDEO_PATIENCE_NS * 3 / 2)

OdlHelperProcess *
odl_video_process_start (const char *mode, int file_fd, GError **error)
{
  static const OdlHelperKind kind
      = { "ondelette-video-decoder", "video_decoder", "ODL_VIDEO_DECODER" };
  g_autofree char *memory = g_strdup_printf ("%" G_GUINT64_FORMAT, MEMORY);
  const char *sandbox = odl_sandbox_is_optional () ? ODL_HELPER_SANDBOX_OPTIONAL
                                                   : ODL_HELPER_SANDBOX_REQUIRED;
  const char *const arguments[] = { mode, memory, sandbox, NULL };
  const OdlHelperFd file = { file_fd, ODL_HELPER_FILE_FD };
  const OdlHelperStart how = {
    .arguments = arguments, .fds = &file, .n_fds = 1, .patience_ns = ODL_HELPER_NO_LIMIT
  };

  return odl_helper_process_start (&kind, &how, error);
}

bool
odl_video_process_order (OdlHelperProcess *process,
                         OdlVideoOrder *order,
                         int fd,
                         GError **error)
{
  const OdlMessage message = { .parts = { { order, sizeof *order } },
                               .fds = { fd },
                               .n_fds = fd >= 0 ? 1 : 0 };

  order->magic = ODL_VIDEO_MAGIC;
  order->version = ODL_VIDEO_VERSION;
  odl_helper_process_expect (process, PATIENCE_NS);
  return odl_helper_process_send (process, &message, error);
}

void
odl_video_process_extend (OdlHelperProcess *process, int64_t more_ns)
{
  odl_helper_process_extend (process, PATIENCE_NS + more_ns);
}

static bool
is_sane (OdlVideoAnswer *answer, size_t n_bytes)
{
  const OdlVideoReply *reply = &answer->reply;

  if (n_bytes < sizeof *reply || reply->magic != ODL_VIDEO_MAGIC
      || reply->version != ODL_VIDEO_VERSION
      || reply->text_bytes != n_bytes - sizeof *reply || reply->status < ODL_VIDEO_READY
      || reply->status > ODL_ERROR_END)
    return false;
  const char *at = answer->text;
  const char *end = at + reply->text_bytes;
  for (int i = 0; i < ODL_VIDEO_N_TEXTS; i++) {
    const char *stop = at < end ? memchr (at, '\0', (size_t) (end - at)) : NULL;
    if (stop == NULL || !g_utf8_validate (at, stop - at, NULL))
      return false;
    answer->texts[i] = at;
    at = stop + 1;
  }
  return at == end;
}

// One message.
static bool
receive (OdlHelperProcess *process,
         GCancellable *cancellable,
         OdlVideoAnswer *answer,
         GError **error)
{
  OdlMessage message = { .parts = { { &answer->reply, sizeof answer->reply },
                                    { answer->text, ODL_VIDEO_MAX_TEXT } } };
  const size_t n_bytes
      = odl_helper_process_receive (process, &message, cancellable, error);

  if (n_bytes == 0)
    return false;
  if (!is_sane (answer, n_bytes)) {
    odl_helper_set_invalid_answer (error);
    return false;
  }
  // Expect another answer: this one may belong to an order from before a cancellation.
  odl_helper_process_expect (process, PATIENCE_NS);
  return true;
}

bool
odl_video_process_receive (OdlHelperProcess *process,
                           GCancellable *cancellable,
                           OdlVideoAnswer *answer,
                           GError **error)
{
  // Until it is ready, GStreamer may look through all of its plugins.
  return receive (process, cancellable, answer, error)
         && (answer->reply.status != ODL_VIDEO_READY
             || receive (process, cancellable, answer, error));
}
