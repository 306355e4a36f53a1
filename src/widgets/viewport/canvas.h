// SPDX-License-Identifier: MIT
// What both canvases, GL and software, share: the scene that they paint and the way they
// ask for it.
#pragma once

#include <gtk/gtk.h>

#include "image/display/display.h"
#include "image/render/render.h"
#include "image/surface/look.h"
#include "output/badge.h"
#include "session/session.h"

// Everything about one painting of the canvas, in device pixels.
typedef struct {
  OdlFrame *frame; // borrowed; NULL: nothing to paint
  OdlView view; // laid out for the canvas
  OdlDisplay display; // of the result
  OdlDisplay original_display;
  bool beside; // left of wipe_x lies the whole original, by a view of its own
  OdlView original_view;
  bool show_original; // the whole canvas shows the original
  int wipe_x; // pixels left of it show the original; 0: none
  int again[2]; // and so do these columns, of planes of a volume; see OdlDisplayScene
  bool smooth;
  OdlLens lenses[ODL_MOST_LENSES]; // n_lenses of them
  int n_lenses;
  // Of the wipe, over the canvas: their places; the first −1: all is original; 0: none.
  int dividers[2];
  bool surface; // that of the frame, not its picture
  bool shows_net; // over it
  OdlLook look; // at it
  bool renders; // a rendered view of the frame's volume, over part of its picture
  OdlRenderScene render;
  bool capture; // the painted picture is also to be captured
  const OdlBadge *badge; // borrowed
  int badge_x;
  int badge_y;
  const OdlBadge *drawing; // annotations, below the badge; borrowed, may be NULL
  int drawing_x;
  int drawing_y;
} OdlScene;

typedef struct {
  const char *name; // for display
  const char *key; // identifies it and its driver
} OdlCanvasGpu;

// The owner of a canvas. `data` is passed to all.
typedef struct {
  void (*compose) (void *data, int width, int height, OdlScene *scene);
  // GL only: what there is (or is not, with a sentence), once after realize.
  void (*gl_ready) (void *data, OdlGlLevel level, int max_side, const OdlCanvasGpu *gpu);
  void (*gl_failed) (void *data, const GError *error);
  // GL only: memory that frames can be made in, NULL when it is about to go.
  void (*pool_changed) (void *data, OdlImagePool *pool);
  void (*engine_failed) (void *data, OdlEngineChoice engine, const GError *error);
  // GL only: the scene's frame is shown as it came, while the driver compiles its
  // filters.
  void (*waits) (void *data, bool waits);
  // A frame was painted for the first time; `gpu_ns` is 0 where unknown.
  void (*painted) (void *data, OdlFrame *frame, int64_t gpu_ns);
  // GL only: the observed numbers of a frame with this plan.
  void (*measured) (void *data, OdlPlan *plan, const float *numbers);
  // What was painted with `capture`, perhaps some frames later: U8, 4 channels; pts_ns is
  // the monotonic time. Nobody else has it yet. `dividers` are those of its scene. NULL:
  // a picture was lost.
  void (*captured) (void *data, OdlImage *image, const int dividers[2]);
  void *data;
} OdlCanvasOwner;
