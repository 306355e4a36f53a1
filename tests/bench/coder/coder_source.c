// SPDX-License-Identifier: MIT
// Times both directions of the video coder's transform (helpers/coder/coder.h, streamed)
// on the frames of a source: conversion from luma and colour differences, 3 levels
// forward, back again, and conversion to interleaved 8-bit samples, while the next frames
// are being decoded. Every line of output is a JSON object, the last one about the whole
// run. usage:
//   odl-coder-source LOCATION NUMBER
//   odl-coder-source camera NUMBER       a camera of 1920 × 1080 at 60 frames a second,
//   to
//                                        be run by tests/helpers/pipewire.sh
#include <stdlib.h>
#include <sys/resource.h>

#include "../../unit/source/camera/camera_support.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/stages.h"
#include "coder/coder.h"
#include "source/source.h"

#define CAMERA \
  "videotestsrc is-live=true pattern=ball ! video/x-raw,format=NV12,width=1920," \
  "height=1080,framerate=60/1"
#define LEVELS 3

typedef struct {
  OdlSource *source;
  OdlCoder *coder;
  OdlCoderParams params;
  uint8_t *pixels;
  int number, read, done;
  double worst_psnr;
  int64_t begin_ns; // of the second frame: the first one waits for what is being opened
} Run;

static double
since_ms (int64_t start_ns)
{
  return 1e-6 * (double) (odl_clock_now_ns () - start_ns);
}

// Processor time of this process and of the helpers that have ended.
static double
busy_ms (void)
{
  static const int whose[] = { RUSAGE_SELF, RUSAGE_CHILDREN };
  double ms = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (whose); i++) {
    struct rusage usage;
    getrusage (whose[i], &usage);
    ms += 1e3 * (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
          + 1e-3 * (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  }
  return ms;
}

static void *
read_frame (void *data, GError **error)
{
  Run *run = data;
  GError *local = NULL;

  if (run->read == run->number)
    return NULL;
  OdlImage *image = odl_source_read_frame (run->source, run->read++, NULL, &local);
  if (g_error_matches (local, ODL_ERROR, ODL_ERROR_END))
    g_clear_error (&local);
  else if (local != NULL)
    g_propagate_error (error, local);
  return image;
}

static void *
transform_frame (void *data, void *item, GError **error)
{
  Run *run = data;
  g_autoptr (OdlImage) image = item;
  const OdlImageInfo *info = odl_image_info (image);

  if (run->coder == NULL) {
    run->params = (OdlCoderParams){ .scheme = ODL_CODER_STREAM,
                                    .method = ODL_CODER_LIFTING,
                                    .width = info->extent.x,
                                    .height = info->extent.y,
                                    .channels = MIN (info->channels, 3),
                                    .levels = LEVELS };
    run->coder = odl_coder_suits (&run->params) ? odl_coder_new (&run->params) : NULL;
    run->pixels = g_malloc ((size_t) 3 * info->extent.x * info->extent.y);
    if (run->coder == NULL) {
      g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE, "no such coder");
      return NULL;
    }
  }
  const int64_t start_ns = odl_clock_now_ns ();
  odl_coder_load (run->coder, image);
  odl_coder_forward (run->coder);
  const double forward_ms = since_ms (start_ns);
  odl_coder_inverse (run->coder);
  const double inverse_ms = since_ms (start_ns) - forward_ms;
  odl_coder_store (run->coder, run->pixels);
  const double store_ms = since_ms (start_ns) - forward_ms - inverse_ms;
  if (run->done++ == 0) {
    run->worst_psnr = odl_coder_psnr (run->coder, image, 0, G_MAXINT);
    run->begin_ns = odl_clock_now_ns ();
  } else {
    g_print ("{\"forward\": %.4f, \"inverse\": %.4f, \"store\": %.4f}\n", forward_ms,
             inverse_ms, store_ms);
  }
  return run;
}

static bool
drop (void *data, void *item, GError **error)
{
  return true;
}

static int
run_source (const char *location, int number)
{
  g_autoptr (GError) error = NULL;
  Run run = { .number = number };
  const OdlStages stages = { .read = read_frame,
                             .work = transform_frame,
                             .write = drop,
                             .free_read = (GDestroyNotify) odl_image_unref,
                             .data = &run };

  run.source = odl_source_open (location, NULL, &error);
  const bool done = run.source != NULL && odl_stages_run (&stages, NULL, &error);
  const double seconds = 1e-3 * since_ms (run.begin_ns);
  const int missed = run.source != NULL ? g_atomic_int_get (&run.source->missed) : 0;
  g_clear_pointer (&run.source, odl_source_unref);
  if (done)
    g_print ("{\"width\": %d, \"height\": %d, \"frames\": %d, \"seconds\": %.4f, "
             "\"psnr\": %.1f, \"missed\": %d, \"busy_ms\": %.2f}\n",
             run.params.width, run.params.height, run.done - 1, seconds, run.worst_psnr,
             missed, busy_ms () / run.done);
  else
    g_printerr ("%s\n", error->message);
  odl_coder_free (run.coder);
  g_free (run.pixels);
  return done ? 0 : 1;
}

int
main (int argc, char **argv)
{
  Camera camera = { 0 };
  int status;

  if (argc != 3 || atoi (argv[2]) < 2) {
    g_printerr ("usage: odl-coder-source LOCATION|camera NUMBER\n");
    return 2;
  }
  if (!g_str_equal (argv[1], "camera"))
    return run_source (argv[1], atoi (argv[2]));
  need_cameras ();
  camera_plug (&camera, "coder-camera", "Coder's Camera", CAMERA);
  status = run_source ("webcam:coder-camera", atoi (argv[2]));
  camera_unplug (&camera);
  return status;
}
