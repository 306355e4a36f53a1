// SPDX-License-Identifier: MIT
/*
 * The filters of Ondelette for other programs: a recipe, such as
 * "shrinkage:wavelet=cdf97,levels=3 gaussian:sigma=1", is run on pictures in memory by
 * any engine. The names of filters, their parameters and the engines are those of the
 * command line: "ondelette-cli list".
 *
 *   OndeletteFilter *filter = ondelette_filter_new ("cpu", "median:size=5", &message);
 *   if (filter == NULL || !ondelette_filter_run (filter, &picture, &message))
 *     fprintf (stderr, "%s\n", message);
 *   ondelette_filter_free (filter);
 *
 * Link with "pkg-config --libs odl-core". A filter belongs to the thread that made it;
 * several threads may have filters of their own. Nothing here aborts for what a caller
 * passes: wrong values are refused with a message.
 */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ONDELETTE_API __attribute__ ((visibility ("default")))

/* Types of stored samples, in the machine's byte order. */
typedef enum { ONDELETTE_U8, ONDELETTE_U16, ONDELETTE_S16, ONDELETTE_F32 } OndeletteType;

/* A picture of the caller. Channels are interleaved: 1 grey, 3 RGB, 4 RGB and alpha,
 * which no filter touches. */
typedef struct {
  int width;
  int height;
  int channels;
  OndeletteType type;
  const void *samples;
  size_t row_bytes; /* from row to row; 0: rows follow each other */
  double minimum; /* stored values that stand for black and white; both 0: the whole */
  double maximum; /* range of the type, for F32 0 and 1 */
  float *result; /* width * height * channels floats, which may lie where a F32
                  * picture's samples do; 0 is black and 1 white, not clamped */
} OndelettePicture;

typedef struct OndeletteFilter OndeletteFilter;

/* The version of the library, such as "0.1.0". */
ONDELETTE_API const char *ondelette_version (void);

/* The names of the engines, separated by spaces; some may not run on this machine. */
ONDELETTE_API const char *ondelette_engines (void);

/* Opens `engine` ("cpu", "gl-compute:pairs", …) for a recipe. Engines on the GPU make an
 * OpenGL context of their own current on this thread, which should have no other one.
 * NULL on failure. All functions set *message (which may be NULL itself) to NULL, or on
 * failure to a sentence for ondelette_message_free. */
ONDELETTE_API OndeletteFilter *
ondelette_filter_new (const char *engine, const char *recipe, char **message);

/* Filters `picture` into picture->result. Values of the recipe that say "auto" are
 * measured in each picture. Buffers are kept from run to run while size and type stay the
 * same. For filters over time pictures are frames in order. Returns 1, or 0 on failure.
 */
ONDELETTE_API int ondelette_filter_run (OndeletteFilter *filter,
                                        const OndelettePicture *picture,
                                        char **message);

/* Accepts NULL. */
ONDELETTE_API void ondelette_filter_free (OndeletteFilter *filter);
ONDELETTE_API void ondelette_message_free (char *message);

#ifdef __cplusplus
}
#endif
