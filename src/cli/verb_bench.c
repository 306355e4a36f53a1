// SPDX-License-Identifier: MIT
#include <errno.h>
#include <glib/gi18n-lib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "work/picture.h"
#include "work/runner.h"
#include "cli/verb.h"
#include "bench/main.h"
#include "source/source.h"

// The PNG file that is decoded, in memory: nothing to remove, no disk to measure.
typedef struct {
  int width, height, channels;
  int fd; // −1: none yet
} Sample;

static bool
encode (Sample *sample, int width, int height, int channels, GError **error)
{
  char name[] = "PNG";
  OdlRecipe recipe;
  g_autofree char *note = NULL;
  g_autoptr (OdlPlan) plan = NULL;
  g_autoptr (OdlRunner) runner = odl_runner_new ("cpu", error);
  g_autoptr (OdlImage) image
      = runner != NULL ? odl_bench_texture (width, height, channels, error) : NULL;

  odl_recipe_init (&recipe);
  if (image == NULL)
    return false;
  g_autoptr (OdlImage) result
      = odl_runner_process (runner, &recipe, image, &plan, &note, error);
  if (result == NULL)
    return false;

  OdlRows rows = odl_rows_of_image (result);
  OdlPicture picture = { .source = image,
                         .rows = &rows,
                         .plan = plan,
                         .window = { .mode = ODL_WINDOW_FULL },
                         .description = "benchmark" };
  OdlOutput output
      = { .shown = name, .fd = memfd_create (name, MFD_CLOEXEC), .pipe = -1 };
  if (output.fd < 0) {
    odl_output_set_error (&output, errno, error);
    return false;
  }
  if (!odl_png_write (&output, &picture, error)) {
    close (output.fd);
    return false;
  }
  if (sample->fd >= 0)
    close (sample->fd);
  *sample = (Sample){ width, height, channels, output.fd };
  return true;
}

static OdlImage *
decode_cb (int width, int height, int channels, void *data, GError **error)
{
  Sample *sample = data;

  if (sample->fd < 0 || sample->width != width || sample->height != height
      || sample->channels != channels)
    if (!encode (sample, width, height, channels, error))
      return NULL;

  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", sample->fd);
  g_autoptr (OdlSource) source = odl_source_open (path, NULL, error);
  return source != NULL ? odl_source_read_frame (source, 0, NULL, error) : NULL;
}

static int
bench (int argc, char **argv)
{
  Sample sample = { .fd = -1 };
  OdlBenchHooks hooks = { decode_cb, "png", &sample };

  g_set_prgname ("ondelette-cli bench");
  int status = odl_bench_main (argc, argv, &hooks);
  if (sample.fd >= 0)
    close (sample.fd);
  return status;
}

const OdlVerb odl_verb_bench = {
  .name = "bench",
  .arguments = "",
  .summary = N_ ("Measure every engine, part by part."),
  .run = bench,
};
