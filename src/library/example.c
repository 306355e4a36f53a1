// SPDX-License-Identifier: MIT
/* Filters a noisy square in memory: example [ENGINE [RECIPE]]. To build it:
 *   cc example.c -o example $(pkg-config --cflags --libs odl-core) */
#include <ondelette.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 128

int
main (int argc, char **argv)
{
  const char *engine = argc > 1 ? argv[1] : "cpu";
  const char *recipe = argc > 2 ? argv[2] : "shrinkage:wavelet=cdf97,levels=3";
  static unsigned char samples[SIDE * SIDE];
  static float result[SIDE * SIDE];
  OndelettePicture picture = { .width = SIDE,
                               .height = SIDE,
                               .channels = 1,
                               .type = ONDELETTE_U8,
                               .samples = samples,
                               .result = result };
  unsigned noise = 1;
  char *message;

  for (int i = 0; i < SIDE * SIDE; i++) {
    const int inside = abs (i % SIDE - 64) < 32 && abs (i / SIDE - 64) < 32;
    noise = noise * 1664525u + 1013904223u;
    samples[i] = (unsigned char) ((inside ? 160 : 64) + (noise >> 27));
  }
  OndeletteFilter *filter = ondelette_filter_new (engine, recipe, &message);
  if (filter == NULL || !ondelette_filter_run (filter, &picture, &message)) {
    fprintf (stderr, "%s\n", message);
    ondelette_message_free (message);
    ondelette_filter_free (filter);
    return 1;
  }
  for (int x = 24; x < 40; x++)
    printf ("%d -> %.5f\n", samples[64 * SIDE + x], 255 * result[64 * SIDE + x]);
  ondelette_filter_free (filter);
  return 0;
}
