// SPDX-License-Identifier: MIT
// ondelette-video-decoder: decodes one untrusted video. See protocol.h.
#include <gst/base/gsttypefindhelper.h>
#include <libintl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/language.h"
#include "base/memory.h"
#include "decoder/sandbox.h"
#include "video_decoder/lent.h"
#include "video_decoder/pipeline.h"
#include "video_decoder/protocol.h"
#include "video_decoder/times.h"
#include "video_decoder/sandbox.h"

// Per thread; the default of 8 MB would count as writable memory.
#define STACK_BYTES (1 << 20)

typedef struct {
  OdlVideoPipeline *pipeline;
  OdlVideoLent *lent;
  OdlVideoFrame frame; // waits for a large enough block; else without image
  OdlVideoTimes times; // of all frames; NULL until they were asked for
  bool optional; // may run without sandbox
} Player;

// Also opens GStreamer's catalogues.
static void
set_up_language (void)
{
  static const char *const others[] = { "gstreamer-1.0", "gst-plugins-base-1.0" };

  odl_language_init_helper ();
  for (size_t i = 0; i < G_N_ELEMENTS (others); i++)
    dgettext (others[i], "cancelled");
}

// Hardware decoders need device files, which cannot be opened here.
static gboolean
is_of_hardware (GstPluginFeature *feature, gpointer data)
{
  return GST_IS_ELEMENT_FACTORY (feature)
         && gst_element_factory_list_is_type (GST_ELEMENT_FACTORY (feature),
                                              GST_ELEMENT_FACTORY_TYPE_HARDWARE);
}

static void
leave_hardware_alone (void)
{
  GList *features
      = gst_registry_feature_filter (gst_registry_get (), is_of_hardware, FALSE, NULL);

  for (GList *l = features; l != NULL; l = l->next)
    gst_plugin_feature_set_rank (l->data, GST_RANK_NONE);
  gst_plugin_feature_list_free (features);
}

// jpegdec halves colour differences that are stored whole, by leaving out samples;
// FFmpeg's decoder keeps them and is tried first where it is installed and takes what the
// demuxer sends, which it does of AVI and QuickTime files.
static void
prefer_whole_chroma (void)
{
  GstPluginFeature *whole
      = gst_registry_lookup_feature (gst_registry_get (), "avdec_mjpeg");

  if (whole == NULL)
    return;
  gst_plugin_feature_set_rank (whole, GST_RANK_PRIMARY + 1);
  gst_object_unref (whole);
}

// Texts of an answer, in protocol order; NULL is empty.
typedef struct {
  const char *texts[ODL_VIDEO_N_TEXTS];
} Texts;

// Waits for the next order. `*fd`: the attached descriptor, which the caller then
// owns; −1: none. False: the parent has gone, or the order is invalid.
static bool
take_order (OdlVideoOrder *order, int *fd)
{
  OdlMessage message = { .parts = { { order, sizeof *order } }, .n_fds = 1 };
  const size_t n = odl_message_receive (ODL_HELPER_SOCKET_FD, &message, 0);

  *fd = message.fds[0];
  if (n == sizeof *order && order->magic == ODL_VIDEO_MAGIC
      && order->version == ODL_VIDEO_VERSION && order->kind < ODL_VIDEO_N_ORDERS)
    return true;
  if (*fd >= 0)
    close (*fd);
  return false;
}

// Whether an order is queued or the parent has gone.
static bool
is_wanted (void)
{
  struct pollfd look = { .fd = ODL_HELPER_SOCKET_FD, .events = POLLIN };

  return poll (&look, 1, 0) > 0;
}

// Sends an answer and fills in its common fields. `texts` may be NULL. False: the
// parent has gone.
static bool
answer (OdlVideoReply *reply, const Texts *texts)
{
  char text[ODL_VIDEO_MAX_TEXT];
  size_t n = 0;

  for (int i = 0; i < ODL_VIDEO_N_TEXTS; i++) {
    const char *from = texts != NULL && texts->texts[i] != NULL ? texts->texts[i] : "";
    g_autofree char *valid = g_utf8_make_valid (from, -1);
    // Each text gets an equal share of the limit.
    char *cut = g_utf8_substring (
        valid, 0,
        MIN (g_utf8_strlen (valid, -1), (long) (sizeof text / ODL_VIDEO_N_TEXTS / 5)));
    const size_t bytes = strlen (cut) + 1;
    memcpy (text + n, cut, bytes);
    n += bytes;
    g_free (cut);
  }
  reply->magic = ODL_VIDEO_MAGIC;
  reply->version = ODL_VIDEO_VERSION;
  reply->text_bytes = (uint32_t) n;
  const OdlMessage message = { .parts = { { reply, sizeof *reply }, { text, n } } };
  return odl_message_send (ODL_HELPER_SOCKET_FD, &message, 0);
}

static bool
send_error (uint32_t serial, const GError *error, int64_t length_ns)
{
  OdlVideoReply reply
      = { .serial = serial, .status = error->code, .length_ns = length_ns };
  const Texts texts = { { [ODL_VIDEO_TEXT_MESSAGE] = error->message } };

  return answer (&reply, &texts);
}

static bool
send_status (uint32_t serial, int status)
{
  OdlVideoReply reply = { .serial = serial, .status = status, .length_ns = -1 };

  return answer (&reply, NULL);
}

static bool
send_plain (uint32_t serial, bool yes)
{
  return send_status (serial, yes ? ODL_VIDEO_OK : ODL_VIDEO_NO);
}

// ---- Opening ----

static bool
describe (Player *player)
{
  const OdlVideoStream *stream = &player->pipeline->stream;
  const OdlGstFrameKind *kind = &stream->kind;
  OdlVideoReply reply = {
    .status = ODL_VIDEO_OK,
    .length_ns = odl_video_pipeline_duration_ns (player->pipeline),
    .needed_bytes = odl_video_lent_size (player->frame.image),
    .stream = { .rate = kind->rate,
                .full_range = kind->full_range,
                .interlaced = kind->interlaced,
                .turn = (uint32_t) stream->turn,
                .has_others = stream->has_others },
  };
  const Texts texts = { {
      [ODL_VIDEO_TEXT_CODEC] = stream->codec,
      [ODL_VIDEO_TEXT_CONTAINER] = stream->container,
      [ODL_VIDEO_TEXT_FORMAT] = kind->format,
      [ODL_VIDEO_TEXT_COLORIMETRY] = kind->colorimetry,
  } };

  return answer (&reply, &texts);
}

static bool
open_video (Player *player)
{
  g_autoptr (GError) error = NULL;

  player->pipeline = odl_video_local_open (ODL_HELPER_FILE_FD, NULL, &error);
  if (player->pipeline != NULL
      && odl_video_pipeline_next (player->pipeline, &player->frame, NULL, &error)) {
    g_autoptr (OdlImagePool) pool = odl_video_lent_pool (player->lent);
    odl_video_local_set_pool (player->pipeline, pool);
    odl_video_local_set_interrupt (player->pipeline, is_wanted);
    if (odl_video_sandbox_close () || player->optional)
      return describe (player);
    odl_helper_set_refused (&error);
  }
  send_error (0, error, -1);
  return false;
}

// ---- Orders ----

static void
forget_frame (Player *player)
{
  g_clear_pointer (&player->frame.image, odl_image_unref);
}

static bool
send_frame (Player *player, uint32_t serial)
{
  OdlVideoReply reply = { .serial = serial, .status = ODL_VIDEO_OK, .length_ns = -1 };

  if (odl_video_lent_put (player->lent, player->frame.image, &reply.shape)) {
    reply.shape.duration_ns = player->frame.duration_ns;
    reply.shape.after_loss = player->frame.after_loss;
    forget_frame (player);
  } else {
    reply.status = ODL_VIDEO_NEEDS_BYTES;
    reply.needed_bytes = odl_video_lent_size (player->frame.image);
  }
  return answer (&reply, NULL);
}

static bool
send_next (Player *player, uint32_t serial)
{
  g_autoptr (GError) error = NULL;

  if (player->frame.image != NULL
      || odl_video_pipeline_next (player->pipeline, &player->frame, NULL, &error))
    return send_frame (player, serial);
  const bool ended = g_error_matches (error, ODL_ERROR, ODL_ERROR_END);
  const int64_t length_ns
      = ended ? odl_video_pipeline_duration_ns (player->pipeline) : -1;
  return send_error (serial, error, length_ns)
         && !g_error_matches (error, ODL_ERROR, ODL_ERROR_TOO_LARGE);
}

// First tells their size, as with frames.
static bool
send_times (Player *player, uint32_t serial)
{
  OdlVideoReply reply = { .serial = serial, .status = ODL_VIDEO_NO, .length_ns = -1 };
  GArray *frames = player->times.frames;

  if (frames == NULL
      && odl_video_times_read (ODL_HELPER_FILE_FD, is_wanted, &player->times))
    frames = player->times.frames;
  if (frames != NULL) {
    const size_t bytes = frames->len * sizeof (int64_t);
    reply.status = odl_video_lent_write (player->lent, frames->data, bytes)
                       ? ODL_VIDEO_OK
                       : ODL_VIDEO_NEEDS_BYTES;
    reply.needed_bytes = bytes;
    reply.length_ns = player->times.end_ns;
    reply.of_decoding = player->times.of_decoding;
  }
  return answer (&reply, NULL);
}

static bool
carry_out (Player *player, const OdlVideoOrder *order)
{
  switch ((OdlVideoOrderKind) order->kind) {
  case ODL_VIDEO_ORDER_NEXT:
    return send_next (player, order->serial);
  case ODL_VIDEO_ORDER_SEEK:
    forget_frame (player);
    return send_plain (order->serial,
                       odl_video_pipeline_seek (player->pipeline, order->time_ns, NULL));
  case ODL_VIDEO_ORDER_TIMES:
    return send_times (player, order->serial);
  default:
    forget_frame (player);
    return send_plain (order->serial,
                       odl_video_pipeline_restart (player->pipeline, NULL));
  }
}

static void
play (bool optional)
{
  Player player = { .lent = odl_video_lent_new (), .optional = optional };
  OdlVideoOrder order;
  int fd = -1;
  bool going = open_video (&player);

  while (going && take_order (&order, &fd))
    going = odl_video_lent_take_order (player.lent, &order, fd)
            && carry_out (&player, &order);
}

// Bytes that GStreamer examines. An MXF file may start with this much other data.
#define GUESS_BYTES (64 << 10)

// Percentage. Other files reach 50 (H.264 in a DICOM file); the least certain video
// (raw MPEG-4) has 79.
#define SURE_ENOUGH 75

// Containers not named video/…. Playlists (application/x-hls, dash+xml) and sdp are
// excluded: GStreamer would open other locations, including the network.
static const char *const containers[]
    = { "application/mxf", "application/ogg", "application/vnd.rn-realmedia" };

// Names are less reliable than flags: image/jpeg has the flag of a video, video/x-ivf
// has none.
static bool
is_video (const GstCaps *caps)
{
  const char *name = gst_structure_get_name (gst_caps_get_structure (caps, 0));

  for (size_t i = 0; i < G_N_ELEMENTS (containers); i++)
    if (g_str_equal (name, containers[i]))
      return true;
  return g_str_has_prefix (name, "video/");
}

// Examines the first 64 KiB of an open file.
static bool
recognise_type (int fd)
{
  g_autofree guint8 *head = g_malloc (GUESS_BYTES);
  GstTypeFindProbability probability = GST_TYPE_FIND_NONE;
  const ssize_t n = pread (fd, head, GUESS_BYTES, 0);

  if (n <= 0)
    return false;
  g_autoptr (GstCaps) caps
      = gst_type_find_helper_for_data (NULL, head, (gsize) n, &probability);
  return caps != NULL && probability >= SURE_ENOUGH && is_video (caps);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  pthread_attr_t attributes;

  if (argc != 4) {
    g_printerr (
        "ondelette-video-decoder is started by Ondelette; it is of no use alone.\n");
    return 2;
  }
  if (!odl_sandbox_die_with_parent (ODL_HELPER_LIFE_FD))
    return 2;
  set_up_language ();
  // No JIT: it would need writable and executable memory.
  g_setenv ("ORC_CODE", "backup", TRUE);
  odl_memory_share_heaps ();
  pthread_attr_init (&attributes);
  pthread_attr_setstacksize (&attributes, STACK_BYTES);
  pthread_setattr_default_np (&attributes);
  if (!odl_gst_start (&error)) {
    send_error (0, error, -1);
    return 1;
  }
  leave_hardware_alone ();
  prefer_whole_chroma ();
  const bool optional = strcmp (argv[3], ODL_HELPER_SANDBOX_OPTIONAL) == 0;
  if (!odl_video_sandbox_enter ((size_t) g_ascii_strtoull (argv[2], NULL, 10))
      && !optional) {
    odl_helper_set_refused (&error);
    send_error (0, error, -1);
    return 1;
  }
  if (!send_status (0, ODL_VIDEO_READY))
    return 1;
  if (strcmp (argv[1], "look") == 0)
    send_plain (0, recognise_type (ODL_HELPER_FILE_FD));
  else
    play (optional);
  // Nothing needs an orderly shutdown.
  _exit (0);
}
