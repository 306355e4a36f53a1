// SPDX-License-Identifier: MIT
// The options of `process` as they were typed; process_task.c interprets them.
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "cli/verb.h"

#define ODL_FRAME_UNSAID G_MININT64

// Words that were not typed are NULL.
typedef struct {
  char **inputs;
  char *out;
  char **filters;
  char *view;
  char *rendering;
  char *plane;
  char *colour;
  char *engine;
  char *inside;
  char *precision;
  char *border;
  char *recipe;
  char *preset;
  char *strength;
  char *noise;
  char *sigma_from;
  char *reference;
  char *mask_output;
  char *contour_output;
  char *mesh_output;
  gboolean deidentify;
  char **blanks;
  gboolean report;
  char *shift_dates;
  char *compression;
  char *secret;
  gboolean recursive;
  gboolean resume;
  char *shard;
  char *log;
  char *window;
  char *colour_map;
  char *crop;
  gboolean valid;
  char *orient;
  char *wipe;
  gboolean invert;
  gboolean no_overlays;
  char *presentation_state;
  char *segments;
  char *show_segments;
  char *fuse, *fuse_colours, *fuse_share, *fuse_window; // NULL: nothing is laid over it
  char *format;
  char *depth;
  char *frames;
  char *pages;
  char *lead_in;
  char *jobs;
  char *memory;
  char *codec;
  char *quality;
  char *rate;
  char *psnr;
  gboolean lossless;
  gint64 frame; // from 1; ODL_FRAME_UNSAID
  double duration_s;
  gboolean trust_code;
  gboolean no_badge;
  gboolean force;
  gboolean progress;
} OdlProcessOptions;

// Fills `self`, which must be zeroed. False: an error was reported, and the exit status
// is ODL_EXIT_USAGE. --help prints and exits.
bool odl_process_options_parse (OdlProcessOptions *self,
                                const OdlVerb *verb,
                                int argc,
                                char **argv);

// Copies the rows of these options, as `process` has them, to the table of another verb;
// G_OPTION_REMAINING are the inputs. Their values go to `self`.
void odl_process_options_take (OdlProcessOptions *self,
                               const char *const *names,
                               GOptionEntry *to);

// What was typed for them, as cli/shard.h has it, but for what each run of several has
// for itself. Transfer full.
char **odl_process_options_words (OdlProcessOptions *self);

void odl_process_options_clear (OdlProcessOptions *self);
