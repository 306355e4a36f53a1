// SPDX-License-Identifier: MIT
// The picture: one of two canvases, how the picture lies on it, the grey-level window,
// the original, the wipe and the badge. Main thread.
//
// Signals:
//   changed ()   zoom, window, orientation, original or wipe are different
//   painted ()   another frame is on the canvas
//   message (text)
#pragma once

#include <gtk/gtk.h>

#include "image/render/render.h"
#include "image/annotation/profile.h"
#include "image/display/display.h"
#include "image/display/graphics.h"
#include "image/display/gsdf.h"
#include "session/detail_meter.h"
#include "session/session.h"

#define ODL_TYPE_VIEWPORT (odl_viewport_get_type ())
G_DECLARE_FINAL_TYPE (OdlViewport, odl_viewport, ODL, VIEWPORT, GtkWidget)

void odl_viewport_set_session (OdlViewport *viewport, OdlSession *session);

// Creates the canvas; before, the widget is empty. Called once the window is up.
void odl_viewport_start (OdlViewport *viewport);

// Lays a view out for a canvas of that size, device pixels, as all is that the viewport
// shows: three planes that fit stand above badge and words, which cover no anatomy.
void odl_viewport_layout (OdlViewport *viewport, OdlView *view, int width, int height);

void odl_viewport_fit (OdlViewport *viewport);
void odl_viewport_actual_size (OdlViewport *viewport);
void odl_viewport_zoom_by (OdlViewport *viewport, double factor); // about the middle
void odl_viewport_zoom_at (OdlViewport *viewport, OdlPoint device, double factor);
void odl_viewport_pan (OdlViewport *viewport, double dx, double dy); // device pixels
void odl_viewport_rotate (OdlViewport *viewport, int quarter_turns);
void odl_viewport_flip (OdlViewport *viewport, bool horizontal);
double odl_viewport_zoom (OdlViewport *viewport);
const OdlView *odl_viewport_view (OdlViewport *viewport);

// In a picture of coefficients bands count from 0 on: HL, LH and HH of each level from
// the finest on, then LL. The first function makes a band as large as the canvas; false:
// there is none of that number. The second one tells which of them is; −1: none. The
// third one names them, "HL 2": transfer full. The last one makes the band at a place of
// the widget so large, or all fit again where one is; false: there are no bands.
bool odl_viewport_show_band (OdlViewport *viewport, int band);
int odl_viewport_shown_band (OdlViewport *viewport);
char *odl_viewport_band_name (OdlViewport *viewport, int band);
bool odl_viewport_enlarge_at (OdlViewport *viewport, double x, double y);

// The window in values. `odl_viewport_reset_window` goes back to the file's.
void odl_viewport_get_window (OdlViewport *viewport, double *centre, double *width);
void odl_viewport_set_window (OdlViewport *viewport, double centre, double width);
// Shows the values of the region measured that is selected, or of the last one on the
// frame, from the smallest to the largest one. False: there is none with samples.
bool odl_viewport_window_region (OdlViewport *viewport);
// That region (borrowed) and what it was drawn on, unfiltered: the picture, or a plane of
// a volume (to unref). NULL: there is none, and `input` stays.
const OdlAnnotation *odl_viewport_region (OdlViewport *viewport, OdlImage **input);
void odl_viewport_reset_window (OdlViewport *viewport);
// One of those that the file offers, from 0 on, which is its default; of moving pictures
// that of each frame.
void odl_viewport_choose_window (OdlViewport *viewport, int choice);
// A table of levels, referenced, whose first and last entry are those values.
void odl_viewport_set_table (OdlViewport *viewport,
                             const OdlCurve *table,
                             double first,
                             double last);
// Turns the picture, mirrors it from left to right after that, and shows a part of it, in
// samples, as large as it fits, or with so many device pixels for a sample. The picture
// keeps its aspect with a `pixel_aspect` of 0.
typedef struct {
  int quarter_turns; // clockwise
  bool flip;
  bool has_area;
  int left, top, right, bottom;
  double magnification; // 0: as it fits
  double pixel_aspect;
} OdlShownArea;

void odl_viewport_show_area (OdlViewport *viewport, const OdlShownArea *area);
OdlWindow odl_viewport_window (OdlViewport *viewport);
// odl_detail_meter_measuring of the session's frame: what finds, or found, the `reach` of
// that window for pictures by `recipe`. Transfer full; NULL: there are no details.
OdlDetailMeasuring *odl_viewport_details (OdlViewport *viewport, const OdlRecipe *recipe);
// odl_plan_title_for a frame as it is shown; `told`: its recipe, in words that may be
// told. Transfer full.
char *
odl_viewport_title (OdlViewport *viewport, const OdlFrame *frame, const OdlRecipe *told);
// Window, zoom and place stay when another source of the same size and kind comes; what
// else was changed never does. At first they do not.
void odl_viewport_set_keeps_view (OdlViewport *viewport, bool keeps);

// What buttons and wheel of the mouse do, as the settings have it (tools/mouse.h).
void odl_viewport_set_mouse (OdlViewport *viewport, const char *text);
// What two fingers do that were at `from` on the average (logical pixels) and are at
// `to`, their distance multiplied by `factor`.
void odl_viewport_move_fingers (OdlViewport *viewport,
                                OdlPoint from,
                                OdlPoint to,
                                double factor);
// Puts back how a picture was looked at; `later`: the next source. NULL: no more later.
void odl_viewport_restore (OdlViewport *viewport,
                           const OdlView *view,
                           const OdlWindow *window,
                           bool later);
// Colours of grey pictures; NULL: grey, as at first. They stay for other sources.
void odl_viewport_set_colour_map (OdlViewport *viewport, const OdlColourMap *map);
const OdlColourMap *odl_viewport_colour_map (OdlViewport *viewport);
// The menu of the right button; once.
void odl_viewport_set_menu (OdlViewport *viewport, GMenuModel *model);
GtkWidget *odl_viewport_menu (OdlViewport *viewport);
void odl_viewport_set_invert (OdlViewport *viewport, bool invert);
bool odl_viewport_invert (OdlViewport *viewport);
// What the file draws over its picture; shown at first.
void odl_viewport_set_overlays (OdlViewport *viewport, bool show);
bool odl_viewport_overlays (OdlViewport *viewport);

// What belongs to the picture without being part of its file, in image coordinates: drawn
// over it, also where it is saved; hidden as the overlays of the file are. NULL: nothing,
// as with every other picture. Of one frame of many whoever set it takes it away again.
void odl_viewport_set_graphics (OdlViewport *viewport, OdlGraphics *graphics);

// How many ways to look at the picture somebody saved: said among its marks, 0: none.
void odl_viewport_set_saved_states (OdlViewport *viewport, int n);

// Grey pictures on the canvas get the levels that a measured screen needs for equal steps
// (image/display/gsdf.h); colours, coefficients, and what is saved or recorded do not.
// NULL: none, as at first.
void odl_viewport_set_screen (OdlViewport *viewport, const OdlMonitor *screen);
const OdlMonitor *odl_viewport_screen (OdlViewport *viewport);

// The surface of a grid of control points, or the points as a picture; the surface at
// first. The net of the points lies over it on request.
bool odl_viewport_has_surface (OdlViewport *viewport); // the picture is such a grid
bool odl_viewport_shows_surface (OdlViewport *viewport); // and it is on the canvas
void odl_viewport_set_surface (OdlViewport *viewport, bool show);
bool odl_viewport_surface (OdlViewport *viewport);
void odl_viewport_set_net (OdlViewport *viewport, bool show);
bool odl_viewport_net (OdlViewport *viewport);

// A rendered view of a volume beside its three planes, by the name of a preset
// (image/render/preset.h) or “none”; what is cut away of it, by a name of
// odl_render_cut_names.
void odl_viewport_set_rendering (OdlViewport *viewport, const char *name);
const char *odl_viewport_rendering (OdlViewport *viewport);
// How it is seen now, for a picture of its own without bodies; false: it is not shown.
bool odl_viewport_rendered (OdlViewport *viewport, OdlRenderScene *scene);
// It turns by itself, once in 6 seconds; without one the first view is shown.
void odl_viewport_set_turns (OdlViewport *viewport, bool turns);
bool odl_viewport_turns (OdlViewport *viewport);
// The plane under the pointer, or the one before, can be turned about the cross-hair, and
// has handles for that; or all lie straight again.
void odl_viewport_turn_plane (OdlViewport *viewport);
// Turns it about the upright line of its picture, and about the level one (−1, 0, 1).
void odl_viewport_lean_plane (OdlViewport *viewport, int right, int down);
// A box about what the rendered view shows, with handles; or none.
void odl_viewport_show_box (OdlViewport *viewport);
// Moves a side of it, as odl_planes_push_box does in the plane under the pointer.
void odl_viewport_push_box (OdlViewport *viewport, int x, int y, bool opposite);
void odl_viewport_set_cut (OdlViewport *viewport, const char *name);
const char *odl_viewport_cut (OdlViewport *viewport);

// Whether the values of the volume are in the unit that this preset is for, or in none.
bool odl_viewport_suits_rendering (OdlViewport *viewport, const char *name);

// The value under the pointer, in the upper right corner; shown at first.
void odl_viewport_set_shows_values (OdlViewport *viewport, bool shows);
bool odl_viewport_shows_values (OdlViewport *viewport);
// Also in pictures that are saved, copied or printed, with a cross at its place; at first
// not.
void odl_viewport_set_saves_values (OdlViewport *viewport, bool saves);
bool odl_viewport_saves_values (OdlViewport *viewport);

// What the file says about patient, study and series, in the corners of the canvas, and
// the patient's directions at its edges; shown at first. Names can be hidden in them.
// They show window and zoom of what is open.
bool odl_viewport_corners_tell (OdlViewport *viewport);
// What a page with the picture says of it: patient (unless names are hidden), then kind
// of machine, study, series, picture and window, a line each. NULL: the file says
// nothing. Transfer full.
char *odl_viewport_page_text (OdlViewport *viewport);
void odl_viewport_set_shows_corners (OdlViewport *viewport, bool shows);
bool odl_viewport_shows_corners (OdlViewport *viewport);
// What they say has changed without another frame.
void odl_viewport_update_corners (OdlViewport *viewport);
// Before an audience the canvas offers nothing that could be switched on.
void odl_viewport_set_presents (OdlViewport *viewport, bool presents);
void odl_viewport_set_masks_names (OdlViewport *viewport, bool masks);
bool odl_viewport_masks_names (OdlViewport *viewport);

// What pointer and keys do, by the name of a row in tools.c or of a kind of annotation;
// NULL: “window”, the one at first. One that cannot be used on what is shown is not
// taken, and a message says why.
typedef struct _OdlTool OdlTool;
void odl_viewport_set_tool (OdlViewport *viewport, const char *name);
const char *odl_viewport_tool (OdlViewport *viewport);
// Whether it measures, and the kind that it draws or drew last.
bool odl_viewport_measures (OdlViewport *viewport);
const OdlAnnotationKind *odl_viewport_measuring (OdlViewport *viewport);

// What lies on the frame on the canvas, as it is measured: that frame, and its result
// where it is at hand. Borrowed, until the next frame. False: there is none to measure
// in.
bool odl_viewport_subject (OdlViewport *viewport, OdlSubject *subject);
// The annotation where it lies in that picture: on a plane of a volume positions count
// from the plane's corner. False: it is not on screen.
bool odl_viewport_lay (OdlViewport *viewport,
                       const OdlAnnotation *annotation,
                       OdlAnnotation *laid);
// The scale of the picture on which an annotation lies, also on a frame that is not on
// screen, where all frames are slices of volumes or of one file. False: only that frame
// says it. Its regions are borrowed, until the next frame.
bool odl_viewport_scale_of (OdlViewport *viewport,
                            const OdlAnnotation *annotation,
                            OdlScale *scale);
unsigned odl_viewport_selected (OdlViewport *viewport); // its id; 0: none

// The profile that is being drawn, is selected, or was drawn last of those on screen, the
// frame that it is read in and that one's result where it is at hand (borrowed). False:
// there is none.
bool odl_viewport_profile_line (OdlViewport *viewport,
                                OdlAnnotation *line,
                                OdlFrame **frame,
                                OdlImage **result);
// Its values. False: as above.
bool odl_viewport_read_profile (OdlViewport *viewport, OdlProfile *profile);
// Marks a place on it, by the distance from its first end in its unit; NAN: none.
void odl_viewport_mark_profile (OdlViewport *viewport, double at);
// The place on it that the pointer is over; NAN: it is elsewhere.
double odl_viewport_profile_pointer (OdlViewport *viewport, const OdlProfile *profile);

void odl_viewport_set_show_original (OdlViewport *viewport, bool show);
bool odl_viewport_shows_original (OdlViewport *viewport);
void odl_viewport_set_wipe (OdlViewport *viewport, bool wipe);
bool odl_viewport_wipe (OdlViewport *viewport);
// The whole original in the left half, the result in the right one, with one zoom and
// place for both; instead of the wipe.
void odl_viewport_set_beside (OdlViewport *viewport, bool beside);
bool odl_viewport_beside (OdlViewport *viewport);
// A square about the pointer shows the samples larger: each as 2, 4 or 8 pixels.
void odl_viewport_set_magnifies (OdlViewport *viewport, bool magnifies);
bool odl_viewport_magnifies (OdlViewport *viewport);
void odl_viewport_next_magnification (OdlViewport *viewport);
void odl_viewport_set_wipe_position (OdlViewport *viewport, double fraction); // 0 … 1
double odl_viewport_wipe_position (OdlViewport *viewport);

// For the diagnostic line. Borrowed; NULL before the canvas is up.
const char *odl_viewport_renderer (OdlViewport *viewport);
bool
odl_viewport_has_gpu (OdlViewport *viewport); // which draws; no software in its place
bool odl_viewport_uses_gl (OdlViewport *viewport);
guint64 odl_viewport_painted (OdlViewport *viewport); // frames so far
int64_t odl_viewport_gpu_ns (OdlViewport *viewport);
// From the delivery of the frame that was painted last until it was handed over for
// display; 0 before one that moves.
int64_t odl_viewport_latency_us (OdlViewport *viewport);

// Down to where the canvas is free between `left` and `right`: the upper edge of the
// badge, or the lower one of the canvas. Logical pixels.
int odl_viewport_badge_top (OdlViewport *viewport, int left, int right);
// The same of badge, scale, lowest letter and words in the lower corner.
int odl_viewport_words_top (OdlViewport *viewport, int left, int right);

// RGBA bytes of the canvas as it is drawn now. Transfer full; NULL before the first
// picture.
GBytes *odl_viewport_grab (OdlViewport *viewport, int *width, int *height);

// From now on `cb` gets what the canvas paints, each time that it does, as
// OdlCanvasOwner.captured; NULL ends it, when all that was painted has been handed over.
typedef void (*OdlCaptureCb) (OdlImage *image, void *data);
void odl_viewport_set_capture (OdlViewport *viewport, OdlCaptureCb cb, void *data);

// False while the filters are at work and the picture as it came, or an older one, stands
// in the place of their result: what is written then would be another one than is named.
bool odl_viewport_may_be_saved (OdlViewport *viewport, GError **error);

// The values of the frame on the canvas, and that frame (borrowed). Transfer full. Errors
// as those of the next one.
OdlImage *odl_viewport_result (OdlViewport *viewport, OdlFrame **frame, GError **error);

// The whole processed picture as it is seen (window, orientation, badge), one pixel per
// sample. Transfer full. Errors: ODL_ERROR_GPU, ODL_ERROR_TOO_LARGE.
GdkTexture *odl_viewport_render_picture (OdlViewport *viewport, GError **error);

// From now on such pictures have neither badge and marks nor anything that is drawn or
// written over them.
void odl_viewport_set_bare (OdlViewport *viewport, bool bare);

// For gestures: device pixels of a position in widget coordinates.
OdlPoint odl_viewport_to_device (OdlViewport *viewport, double x, double y);

// For gestures: where the pointer is, logical pixels.
void odl_viewport_move_pointer (OdlViewport *viewport, bool inside, double x, double y);

// Three planes, in planes.c: steps through the plane under the pointer, else through the
// one that was pointed at last. False: no planes are shown.
bool odl_viewport_step_plane (OdlViewport *viewport, int by);

// Adds the pointer and key controllers; in gestures.c.
void odl_viewport_add_gestures (OdlViewport *viewport);
