// SPDX-License-Identifier: MIT
// The inside of OdlViewport, for its own files only.
#pragma once

#include "widgets/viewport/canvas.h"
#include "widgets/viewport/viewport.h"
#include "widgets/viewport/wipe_words.h"

G_BEGIN_DECLS

struct _OdlViewport {
  GtkWidget parent_instance;
  OdlSession *session;
  GtkWidget *gl_area; // NULL without GL
  GtkWidget *soft_canvas; // NULL while not needed
  GtkWidget *wipe_bar;
  GtkLabel *probe; // the value under the pointer
  bool shows_values;
  bool pointer_inside;
  OdlPoint pointer; // logical pixels
  OdlPlaneKind plane; // that keys and wheel step through: the last one pointed at
  OdlGlLevel gl_level; // UNKNOWN until GL was tried
  bool gl_broken;
  int gl_max_side;
  char *gpu; // of the GL canvas; NULL: not known yet
  char *renderer;
  int64_t gpu_ns;
  guint64 painted_arrival; // of the frame that was painted last
  int64_t waiting_us; // since when the frame waits that is being painted; 0: it was told
  int64_t latency_us;
  guint64 painted; // frames
  guint painted_id;
  GError *failure; // of the engine, on its way to the session
  OdlEngineChoice failed_engine;
  guint failure_id;

  OdlCaptureCb capture; // NULL: nobody wants what is painted
  void *capture_data;

  OdlView view;
  guint64 view_serial; // source that `view` and `window` belong to
  OdlWindow window;
  char *kind; // of the source, see odl_viewport_begin
  bool keeps_view;
  bool has_later; // these are for the next source
  OdlView later_view;
  OdlWindow later_window;
  bool show_original;
  bool wipe;
  double wipe_position;
  OdlWipeWords wipe_words; // in recordings
  OdlBadge badge;
  int badge_x, badge_y; // device pixels
};

// Fills `scene` for a canvas of that size: the compose of OdlCanvasOwner.
void odl_viewport_compose (void *viewport, int width, int height, OdlScene *scene);

// Another source has come: how it lies and its window.
void odl_viewport_begin (OdlViewport *viewport, const OdlImageInfo *info);

// In planes.c: the plane that lies at a point of the picture; see odl_planes_find.
OdlPlaneKind
odl_viewport_find_plane (OdlViewport *viewport, OdlPoint at, OdlVoxel *voxel);
// Image coordinates of a position in widget coordinates.
OdlPoint odl_viewport_to_image (OdlViewport *viewport, double x, double y);

// In probe.c: the label, its text for what is on the canvas now, its place.
void odl_viewport_add_probe (OdlViewport *viewport);
void odl_viewport_update_probe (OdlViewport *viewport);
void odl_viewport_allocate_probe (OdlViewport *viewport, int width);

// The software canvas is in use.
bool odl_viewport_uses_soft (OdlViewport *viewport);

// Paints again, and says that something about the view is different.
void odl_viewport_redraw (OdlViewport *viewport);
void odl_viewport_changed (OdlViewport *viewport);

G_END_DECLS
