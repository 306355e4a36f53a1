// SPDX-License-Identifier: MIT
// Frame k is the same picture whichever way it is reached: played through, sought from
// anywhere, stepped to backwards; with B-frames, open groups of pictures, containers
// without an index and rates that vary.
#include <gst/gst.h>
#include <string.h>

#include "base/error.h"
#include "source/gst_frame.h"
#include "support.h"
#include "video_maker.h"

#define FRAMES 100

static char *folder;

#define X264 "x264enc speed-preset=veryfast bframes=3 key-int-max=24 "
#define BYTES "video/x-h264,stream-format=byte-stream"
#define GROUPS "b-per-refframe=2 min-gop-size=6 max-gop-size=12 ! "
#define MPEG1 "mpeg2enc format=0 bitrate=1152 " GROUPS
#define MPEG2 "mpeg2enc format=3 bitrate=3000 " GROUPS

static const struct {
  const char *name;
  const char *codec;
  const char *cut_at; // the file ends before the last of these four characters
} kinds[] = {
  { "mjpeg.avi", "jpegenc ! avimux" },
  { "no-index.avi", "jpegenc ! avimux", "idx1" },
  { "mpeg4.avi", "avenc_mpeg4 gop-size=20 ! avimux" },
  { "h264-b.avi", X264 "! h264parse ! avimux" },
  { "h264-b.mp4", X264 "! h264parse ! mp4mux" },
  { "fragmented.mp4", X264 "! h264parse ! mp4mux fragment-duration=500" },
  { "open-gop.mp4", X264 "option-string=open-gop=1 ! h264parse ! mp4mux" },
  { "open-gop.mkv", X264 "option-string=open-gop=1 ! h264parse ! matroskamux" },
  { "open-gop.ts", X264 "option-string=open-gop=1 ! h264parse ! mpegtsmux" },
  { "h264.mov", X264 "! h264parse ! qtmux" },
  { "h264.flv", "x264enc bframes=0 key-int-max=24 ! h264parse ! flvmux" },
  { "h265.mp4", "x265enc speed-preset=ultrafast key-int-max=24 ! h265parse ! mp4mux" },
  { "mpeg1.mpg", MPEG1 "mplex format=0" },
  { "mpeg2.mpg", MPEG2 "mplex format=3" },
  { "mpeg2.ts", MPEG2 "mpegvideoparse ! mpegtsmux" },
  { "mpeg2.m2v", MPEG2 "mpegvideoparse" },
  { "vp8.webm", "vp8enc deadline=1 keyframe-max-dist=30 auto-alt-ref=true ! webmmux" },
  { "vp9.webm",
    "vp9enc deadline=1 cpu-used=8 lag-in-frames=0 keyframe-max-dist=30 ! webmmux" },
  { "no-cues.webm", "vp8enc deadline=1 keyframe-max-dist=30 ! webmmux streamable=true" },
  { "h264-b.m2ts", X264 "! " BYTES ",alignment=au ! mpegtsmux m2ts-mode=true" },
  { "h264-b.h264", X264 "! h264parse ! " BYTES },
  { "mpeg2.mxf", MPEG2 "mpegvideoparse ! mxfmux" },
  { "pal.dv", "videoscale ! video/x-raw,width=720,height=576 ! avenc_dvvideo" },
  { "jpeg.mjpeg", "jpegenc" },
  { "theora.ogv", "theoraenc keyframe-freq=32 keyframe-force=32 ! oggmux" },
};

static void
cut (const char *path, const char *mark)
{
  g_autofree char *bytes = NULL;
  gsize size = 0;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  gsize end = size;
  for (gsize i = 0; i + 4 <= size; i++)
    if (memcmp (bytes + i, mark, 4) == 0)
      end = i;
  g_assert_cmpint (end, <, size);
  g_assert_true (g_file_set_contents (path, bytes, (gssize) end, NULL));
}

static int
read_through (const char *path, guint64 *sums, int max)
{
  g_autoptr (OdlSource) source = odl_test_open_video (path);
  const int declared = source->info.n_frames;
  const bool guessed = source->info.at_most;
  int n = 0, same = 0;

  g_test_message ("%s: %s, %d frames declared, %g per second", path, source->info.format,
                  source->info.n_frames, source->info.frame_rate);
  for (; n < max; n++) {
    g_autoptr (GError) error = NULL;
    if (declared > 0 && n >= declared)
      break;
    g_autoptr (OdlImage) image = odl_source_read_frame (source, n, NULL, &error);
    if (image == NULL) {
      g_assert_error (error, ODL_ERROR, ODL_ERROR_END);
      g_assert_false (source->info.at_most);
      break;
    }
    sums[n] = odl_test_checksum (image);
    same += n > 0 && sums[n] == sums[n - 1];
  }
  g_test_message ("%d frames read, %d of them twice%s", n, same,
                  guessed ? ", their number was a guess" : "");
  // A container that says more than there is by more than rounding does was not exact.
  g_assert_true (guessed || declared - n <= 2);
  return n - same;
}

static int
count_wrong (OdlSource *source, const guint64 *sums, int index, const char *how)
{
  if (odl_test_frame_checksum (source, index) == sums[index])
    return 0;
  g_test_message ("%s, frame %d is another picture", how, index);
  return 1;
}

static void
test_kind (const void *data)
{
  const int kind = GPOINTER_TO_INT (data);
  g_autofree char *path = odl_test_make_moving (folder, kinds[kind].name,
                                                kinds[kind].codec, 96, 64, FRAMES);
  guint64 sums[FRAMES + 60];
  int wrong = 0;

  if (path == NULL)
    return;
  if (kinds[kind].cut_at != NULL)
    cut (path, kinds[kind].cut_at);
  g_assert_cmpint (read_through (path, sums, FRAMES + 60), ==, FRAMES);
  g_autoptr (OdlSource) source = odl_test_open_video (path);
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  for (int i = 0; i < 40; i++)
    wrong += count_wrong (source, sums, g_rand_int_range (rand, 0, FRAMES), "sought");
  for (int i = FRAMES - 1; i >= 0; i--)
    wrong += count_wrong (source, sums, i, "backwards");
  g_assert_cmpint (wrong, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_true (odl_gst_start (NULL));
  folder = odl_test_folder ();
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree char *name = g_strdup_printf (
        "/video/a-frame-is-the-same-picture-any-way/%s", kinds[i].name);
    g_test_add_data_func (name, GINT_TO_POINTER ((int) i), test_kind);
  }
  int result = g_test_run ();
  odl_test_remove_folder (folder);
  g_free (folder);
  return result;
}
