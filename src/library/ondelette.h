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

/* A volume of the caller: `depth` slices, all as the first one. */
typedef struct {
  OndelettePicture slice; /* `result` has room for all slices */
  int depth;
  size_t slice_bytes; /* from slice to slice; 0: they follow each other */
  double spacing_mm[3]; /* between samples along x, y and z; 0: unknown */
} OndeletteVolume;

/* What a function of the caller makes a picture of: height * width * channels floats, or
 * depth * height * width * channels of a volume; 0 is black and 1 white. */
typedef struct {
  int width;
  int height;
  int depth; /* 0: a picture */
  int channels;
  const float *samples;
  const double *values; /* of its parameters, in their order */
  int n_values;
  float *result; /* as many floats, which the function fills in */
} OndeletteCall;

/* Returns 1, or 0 with a sentence in `message`, UTF-8, at most `size` bytes with the zero
 * at its end. */
typedef int (*OndeletteFunction) (const OndeletteCall *call,
                                  void *data,
                                  char *message,
                                  size_t size);

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

/* Likewise a volume: filters with dimensions=3 or more see all slices at once, where
 * memory is short in sections; others see one slice after the other, filters over time as
 * frames in order. For filters over time with dimensions=3 volumes are frames in order;
 * what would look at later ones sees each alone. */
ONDELETTE_API int ondelette_filter_run_volume (OndeletteFilter *filter,
                                               const OndeletteVolume *volume,
                                               char **message);

/* The second picture or volume (of a picture `depth` is 1) of the filters of the recipe
 * that take one and name no file, such as "mix:weight=0.3", for all runs from now on;
 * NULL: none again. slice.result is not used; the samples have to last until another one
 * takes its place or the filter is freed. Returns 1, or 0 on failure: also where no
 * filter takes one. */
ONDELETTE_API int ondelette_filter_set_other (OndeletteFilter *filter,
                                              const OndeletteVolume *other,
                                              char **message);

/* Makes a function of the caller a filter that recipes of this process know by `name`
 * (small letters, digits and "-", none of a filter), until it is withdrawn or another one
 * takes its place. `signature` names its parameters as the first line of a function of
 * Python does ("ondelette-cli help python"):
 *   def filter (picture, amount: "0..4 px  How much steeper edges get" = 0.5):
 * The engines "cpu" and "reference" call it, in any thread, several at a time where
 * several filters run; once, or more often where values behind it are measured. The
 * function and `data` have to last as long as filters that were made with it. Returns 1,
 * or 0 on failure. */
ONDELETTE_API int ondelette_register (const char *name,
                                      const char *signature,
                                      OndeletteFunction function,
                                      void *data,
                                      char **message);

/* From now on no recipe knows it, and runs of filters that were made with it fail. Does
 * nothing for a name that is not there. */
ONDELETTE_API void ondelette_withdraw (const char *name);

/* Accepts NULL. */
ONDELETTE_API void ondelette_filter_free (OndeletteFilter *filter);
ONDELETTE_API void ondelette_message_free (char *message);

#ifdef __cplusplus
}
#endif
