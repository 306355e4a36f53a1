// SPDX-License-Identifier: MIT
// Writes raw samples from standard input as a JPEG 2000 file to standard output, for
// tests in Python. Samples are 32-bit floats in host order, pixel by pixel. usage:
// odl-jpeg2000 WIDTH HEIGHT CHANNELS BITS unsigned|signed lossless|rate|psnr VALUE
//        jp2|j2k [LEVELS]
#include <stdio.h>
#include <stdlib.h>

#include "jpeg2000/jpeg2000.h"

static const char *const goals[] = { "lossless", "rate", "psnr", NULL };

static OdlJpeg2000Goal
goal_named (const char *name)
{
  int i = 0;

  while (goals[i + 1] != NULL && !g_str_equal (goals[i], name))
    i++;
  return (OdlJpeg2000Goal) i;
}

int
main (int argc, char **argv)
{
  if (argc < 9)
    return 2;
  const OdlImageInfo info = { .extent = { atoi (argv[1]), atoi (argv[2]), 1, 1 },
                              .channels = atoi (argv[3]),
                              .type = ODL_SAMPLE_F32 };
  const OdlJpeg2000Samples samples = { .bits = atoi (argv[4]),
                                       .is_signed = g_str_equal (argv[5], "signed"),
                                       .range = 1 };
  const char *comments[] = { "a test", NULL };
  const OdlJpeg2000Params params = { .goal = goal_named (argv[6]),
                                     .value = g_ascii_strtod (argv[7], NULL),
                                     .boxes = g_str_equal (argv[8], "jp2"),
                                     .levels = argc > 9 ? atoi (argv[9]) : 0,
                                     .spacing_mm = { 0.2, 0.25 },
                                     .comments = comments };
  const size_t n = (size_t) info.extent.x * info.extent.y * info.channels;
  g_autoptr (GError) error = NULL;
  void *pixels = NULL;

  g_autoptr (OdlImage) picture = odl_image_alloc (&info, &pixels, &error);
  if (picture == NULL || fread (pixels, sizeof (float), n, stdin) != n)
    return 2;
  g_autoptr (GBytes) file = odl_jpeg2000_encode (picture, &samples, &params, &error);
  if (file == NULL)
    g_error ("%s", error->message);
  gsize size = 0;
  const void *bytes = g_bytes_get_data (file, &size);
  return fwrite (bytes, 1, size, stdout) == size ? 0 : 1;
}
