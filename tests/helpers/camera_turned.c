// SPDX-License-Identifier: MIT
// usage: camera-turned NAME DESCRIPTION TRANSFORM
// Simulates a rotated camera, as in tablets, in PipeWire: each buffer states its
// orientation (SPA_META_VideoTransform, 0 to 7). Pictures are 64 × 32, black except for
// the top left quarter, which is white. Runs until killed; prints "ready" once it has a
// node.
#include <pipewire/pipewire.h>
#include <spa/param/video/format-utils.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { WIDTH = 64, HEIGHT = 32, RATE = 25 };

typedef struct {
  struct pw_main_loop *loop;
  struct pw_stream *stream;
  struct spa_source *timer;
  unsigned transform;
  unsigned frame;
} Camera;

static void
process_cb (void *data)
{
  Camera *camera = data;
  struct pw_buffer *buffer = pw_stream_dequeue_buffer (camera->stream);

  if (buffer == NULL)
    return;
  struct spa_data *plane = &buffer->buffer->datas[0];
  struct spa_meta_videotransform *transform = spa_buffer_find_meta_data (
      buffer->buffer, SPA_META_VideoTransform, sizeof *transform);
  struct spa_meta_header *header
      = spa_buffer_find_meta_data (buffer->buffer, SPA_META_Header, sizeof *header);
  if (transform != NULL)
    transform->transform = camera->transform;
  if (header != NULL) {
    header->pts = -1;
    header->seq = camera->frame++;
  }
  if (plane->data != NULL) {
    memset (plane->data, 0, WIDTH * HEIGHT);
    for (int y = 0; y < HEIGHT / 2; y++)
      memset ((char *) plane->data + y * WIDTH, 255, WIDTH / 2);
    plane->chunk->offset = 0;
    plane->chunk->stride = WIDTH;
    plane->chunk->size = WIDTH * HEIGHT;
  }
  pw_stream_queue_buffer (camera->stream, buffer);
}

static void
timeout_cb (void *data, uint64_t expirations)
{
  pw_stream_trigger_process (((Camera *) data)->stream);
}

static void
state_cb (void *data,
          enum pw_stream_state old,
          enum pw_stream_state state,
          const char *error)
{
  Camera *camera = data;
  struct timespec first = { 0, 1 }, interval = { 0, SPA_NSEC_PER_SEC / RATE };
  struct pw_loop *loop = pw_main_loop_get_loop (camera->loop);

  if (state == PW_STREAM_STATE_PAUSED && old == PW_STREAM_STATE_CONNECTING) {
    puts ("ready");
    fflush (stdout);
  }
  if (state == PW_STREAM_STATE_ERROR)
    exit (EXIT_FAILURE);
  const bool streams = state == PW_STREAM_STATE_STREAMING;
  pw_loop_update_timer (loop, camera->timer, streams ? &first : NULL,
                        streams ? &interval : NULL, false);
}

static void
param_cb (void *data, uint32_t id, const struct spa_pod *format)
{
  Camera *camera = data;
  uint8_t room[1024];
  struct spa_pod_builder builder = SPA_POD_BUILDER_INIT (room, sizeof room);

  if (format == NULL || id != SPA_PARAM_Format)
    return;
  const struct spa_pod *params[] = {
    spa_pod_builder_add_object (
        &builder, SPA_TYPE_OBJECT_ParamBuffers, SPA_PARAM_Buffers,
        SPA_PARAM_BUFFERS_buffers, SPA_POD_CHOICE_RANGE_Int (8, 2, 16),
        SPA_PARAM_BUFFERS_blocks, SPA_POD_Int (1), SPA_PARAM_BUFFERS_size,
        SPA_POD_Int (WIDTH * HEIGHT), SPA_PARAM_BUFFERS_stride, SPA_POD_Int (WIDTH)),
    spa_pod_builder_add_object (&builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta,
                                SPA_PARAM_META_type, SPA_POD_Id (SPA_META_Header),
                                SPA_PARAM_META_size,
                                SPA_POD_Int (sizeof (struct spa_meta_header))),
    spa_pod_builder_add_object (&builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta,
                                SPA_PARAM_META_type, SPA_POD_Id (SPA_META_VideoTransform),
                                SPA_PARAM_META_size,
                                SPA_POD_Int (sizeof (struct spa_meta_videotransform))),
  };
  pw_stream_update_params (camera->stream, params, SPA_N_ELEMENTS (params));
}

static const struct pw_stream_events events = {
  PW_VERSION_STREAM_EVENTS,
  .state_changed = state_cb,
  .param_changed = param_cb,
  .process = process_cb,
};

static int
connect_stream (Camera *camera)
{
  uint8_t room[1024];
  struct spa_pod_builder builder = SPA_POD_BUILDER_INIT (room, sizeof room);
  const struct spa_pod *format = spa_pod_builder_add_object (
      &builder, SPA_TYPE_OBJECT_Format, SPA_PARAM_EnumFormat, SPA_FORMAT_mediaType,
      SPA_POD_Id (SPA_MEDIA_TYPE_video), SPA_FORMAT_mediaSubtype,
      SPA_POD_Id (SPA_MEDIA_SUBTYPE_raw), SPA_FORMAT_VIDEO_format,
      SPA_POD_Id (SPA_VIDEO_FORMAT_GRAY8), SPA_FORMAT_VIDEO_size,
      SPA_POD_Rectangle (&SPA_RECTANGLE (WIDTH, HEIGHT)), SPA_FORMAT_VIDEO_framerate,
      SPA_POD_Fraction (&SPA_FRACTION (RATE, 1)));

  return pw_stream_connect (camera->stream, PW_DIRECTION_OUTPUT, PW_ID_ANY,
                            PW_STREAM_FLAG_DRIVER | PW_STREAM_FLAG_MAP_BUFFERS, &format,
                            1);
}

int
main (int argc, char **argv)
{
  const pid_t parent = getppid ();
  Camera camera = { 0 };

  if (argc != 4) {
    fprintf (stderr, "usage: camera-turned NAME DESCRIPTION TRANSFORM\n");
    return EXIT_FAILURE;
  }
  // Cameras must not outlive a failed test.
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != parent)
    return EXIT_FAILURE;
  setpgid (0, 0);
  pw_init (NULL, NULL);
  camera.transform = (unsigned) atoi (argv[3]);
  camera.loop = pw_main_loop_new (NULL);
  struct pw_loop *loop = pw_main_loop_get_loop (camera.loop);
  camera.timer = pw_loop_add_timer (loop, timeout_cb, &camera);
  camera.stream = pw_stream_new_simple (
      loop, argv[1],
      pw_properties_new (PW_KEY_MEDIA_CLASS, "Video/Source", PW_KEY_NODE_NAME, argv[1],
                         PW_KEY_NODE_DESCRIPTION, argv[2], NULL),
      &events, &camera);
  if (camera.stream == NULL || connect_stream (&camera) < 0)
    return EXIT_FAILURE;
  pw_main_loop_run (camera.loop);
  return EXIT_SUCCESS;
}
