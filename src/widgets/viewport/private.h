// SPDX-License-Identifier: MIT
// The inside of OdlViewport, for its own files only.
#pragma once

#include "image/grips.h"
#include "image/probe.h"
#include "session/detail_meter.h"
#include "widgets/units.h"
#include "widgets/viewport/canvas.h"
#include "widgets/viewport/directions.h"
#include "widgets/viewport/drawing.h"
#include "widgets/viewport/tools/mouse.h"
#include "widgets/viewport/tools/tool.h"
#include "widgets/viewport/viewport.h"
#include "widgets/viewport/wipe_words.h"

// What annotations lie on (ground.c): a picture, or a plane of a volume.
typedef struct {
  int64_t frame; // that its annotations have
  OdlOnPlane on; // zero: a picture
  OdlPoint origin; // its corner, in the picture on the canvas
  int width, height;
} OdlGround;

// A picture to measure in, which it owns.
typedef struct {
  OdlSubject subject;
  OdlImage *before, *after, *other;
} OdlGroundSubject;

// An annotation in the making, and the keyboard's cursor.
typedef struct {
  bool armed; // the button went down, and nothing is begun yet
  bool drafting;
  bool typing; // the words of the draft, in a small entry
  OdlGround ground; // of the draft
  OdlAnnotation draft; // with an id in the place of that one
  int part; // of it that moves
  OdlPoint from; // where that was last, on the ground
  unsigned selected; // 0: none
  bool has_cursor; // is shown
  bool placed; // was shown before
  OdlPoint cursor; // image coordinates
} OdlAnnotating;

// Labels over the canvas, see corners.c.
typedef struct {
  GtkLabel *upper, *lower; // at the left above, at the right below
  GtkLabel *marks; // at the right, below the value under the pointer
  GtkLabel *edges[ODL_N_EDGES];
  GtkLabel *bar;
  int bar_width; // logical pixels; 0: none
  int saved_states; // of the picture with the following place, that could be applied
  guint64 saved_serial; // its source
  int64_t saved_index; // of a stack of files; −1: of all frames
  int width, height; // of the canvas when they were placed last
  guint place_id;
} OdlCorners;

// A point of a contour that is being pulled (pull_tool.c).
typedef struct {
  int item; // filter of the recipe
  int number; // of the pull; −1: none
  OdlPoint from; // where it was, pixels of the picture
  double before[ODL_PULL_VALUES]; // what the pull was when the drag began
  int n_puts; // changes of the recipe since then
  unsigned n_drags; // each has steps of its own in the history
  bool held; // by the keyboard's cross
} OdlPulling;

// Values of the result as the legend has them, if it is that of a structure tensor.
// Transfer full; NULL: it is not.
char *odl_viewport_tensor_values (const OdlFrame *frame, const OdlProbe *probe);

// Transfer full, in `legend`, which holds nothing before.
void odl_viewport_make_legend (OdlViewport *self,
                               const OdlFrame *frame,
                               const OdlDisplay *display,
                               OdlLegend *legend);

// A frame before and after its filters: its coefficients in views of these, else its
// picture (before_after.c).
typedef struct {
  OdlFrame *of; // NULL: nothing was computed yet
  OdlImage *before, *after; // NULL: that failed
  OdlImage *volumes[2]; // whose slices or planes these are; NULL: of none
  int64_t worked_ns, made_us; // how long that took; when it was done, monotonic
  GCancellable *job; // another thread is at work, on these or on others; NULL: none is
  guint rest_id; // 0: none
} OdlBeforeAfter;

// The rendered view of a volume (rendering.c).
typedef struct {
  bool chosen; // by somebody
  const OdlRenderPreset *preset; // NULL: none
  OdlRenderCut cut;
  OdlLook look;
  guint turning; // by itself; 0: it does not
  int64_t turned_us; // when it did so last
  guint rest; // what else there is to do comes before the next time
} OdlRendering;

// What belongs to a picture without being part of its file (saved_graphics.c).
typedef struct {
  OdlGraphics *graphics; // NULL: none
  const OdlOverlay *overlay; // its own and the picture's; NULL: none
} OdlSavedGraphics;

// What somebody outlined in the picture (outlines.c), and where it lies.
typedef struct {
  OdlOutlines *outlines; // NULL: none
  guint64 source_serial;
  int64_t index;
  bool planes;
  OdlVoxel voxel;
  OdlOblique oblique;
} OdlOutlined;

// What of it is drawn over the frame, which must be the one that it was made for; NULL:
// nothing.
const OdlOutlines *odl_viewport_outlines (OdlViewport *viewport, const OdlFrame *frame);
void odl_viewport_clear_outlines (OdlViewport *viewport);

// What of it is drawn over the frame; NULL: nothing.
const OdlGraphics *odl_viewport_saved_graphics (OdlViewport *viewport,
                                                const OdlFrame *frame);
// How many states of it there are; NULL: none. Transfer full.
char *odl_viewport_saved_mark (OdlViewport *viewport, const OdlFrame *frame);
// Adds overlay and shutter of it.
void odl_viewport_add_saved (OdlViewport *viewport,
                             const OdlFrame *frame,
                             OdlDisplay *display);

// A table of grey levels, and what a measured screen needs in its place.
typedef struct {
  const OdlCurve *from; // NULL: none
  const OdlCurve *to; // NULL: none yet
  bool invert;
} OdlOnScreen;

struct _OdlViewport {
  GtkWidget parent_instance;
  OdlSession *session;
  GtkWidget *gl_area; // NULL without GL
  GtkWidget *soft_canvas; // NULL while not needed
  GtkWidget *wipe_bar;
  GtkWidget *menu; // of the right button; NULL: not set yet
  GtkWidget *typing; // a popover with an entry for words; NULL: nobody typed any yet
  GtkLabel *probe; // the value under the pointer
  OdlBeforeAfter before_after;
  bool shows_values, saves_values; // of the pointer
  OdlCorners corners;
  bool shows_corners;
  bool presents; // before an audience, nothing is offered
  GtkWidget *empty_quarter; // of three planes without a rendered view …
  GtkAllocation empty_place; // … is there; empty: hidden
  bool pointer_inside;
  OdlPoint pointer; // logical pixels
  OdlPoint pointer_in_window; // the same place, which stays where the canvas moves
  guint pointer_id;
  const OdlTool *tool;
  const OdlTool *first_tool; // there at the start, and after Escape
  OdlMouseTable mouse;
  double drag_centre, drag_width; // of the window when a drag began
  OdlPoint panned; // by the drag, device pixels
  const OdlAnnotationKind *measuring; // kind that the measuring tool draws
  OdlAnnotating annotating;
  OdlPulling pulling;
  bool marks_profile; // a place on the profile is marked …
  double profile_at; // … at this distance from its first end, in the profile's unit
  GArray *items; // OdlDrawingItem on screen; NULL: none yet
  OdlFrame *items_of; // that they were measured in; NULL: there are none
  OdlFrame *read_of; // whose result was read back from GL for them; NULL: none
  OdlImage *read; // NULL: that failed
  guint read_id;
  OdlDrawing drawing;
  OdlPlaneKind plane; // that keys and wheel step through: the last one pointed at
  OdlPlanesGrip grip; // the one that is dragged
  OdlPoint dragged_to; // image coordinates
  OdlGlLevel gl_level; // UNKNOWN until GL was tried
  bool gl_broken;
  bool gl_drew; // before that, so that it may again, with another file or size
  int gl_broken_size[2]; // of the viewport
  guint gl_again_id;
  char *gl_trouble; // why, if that is yet to be said; NULL: it is not
  char *gl_told; // what was said of this file
  int gl_max_side;
  char *gpu; // of the GL canvas; NULL: not known yet
  char *renderer;
  int64_t gpu_ns;
  OdlFrame *painted_frame; // the last one; NULL: none
  OdlFrame *words_of; // the frame that the labels over the canvas tell of; NULL: none
  guint64 painted_arrival; // of the frame that was painted last
  int64_t waiting_us; // of the frame being painted; 0: already reported
  int64_t latency_us;
  guint64 painted; // frames
  guint painted_id;
  GError *failure; // of the engine, on its way to the session
  OdlEngineChoice failed_engine;
  guint failure_id;

  OdlCaptureCb capture; // NULL: no captures
  void *capture_data;

  OdlView view;
  guint64 view_serial; // source that `view` and `window` belong to
  OdlWindow window;
  OdlDetailMeter *detail_meter; // of its `reach`
  OdlMonitor screen; // that was measured, if there is a …
  const OdlCurve *screen_curve; // NULL: it is not calibrated
  OdlOnScreen on_screen[2]; // of the result, and of the original
  GPtrArray *tables; // OdlCurve that windows have named so far
  OdlSavedGraphics saved;
  OdlOutlined outlined;
  char *kind; // of the source, see odl_viewport_begin
  bool keeps_view;
  bool has_later; // these are for the next source
  OdlView later_view;
  OdlWindow later_window;
  bool hides_surface; // grids are shown as pictures
  bool shows_net;
  OdlLook look; // at a surface
  OdlRendering rendering;
  bool bare; // pictures that are saved have no marks, words and drawings
  bool show_original;
  bool waits; // the original is shown until the filters are compiled
  bool wipe;
  bool beside; // the original lies beside the result; never with `wipe`
  bool holds_pane; // a drag belongs to the pane in which it began …
  double held_x; // … here, in logical pixels
  double wipe_position;
  double wipe_columns[2][2]; // that the wipe's widget was laid out for, device pixels
  bool magnifies;
  int lens_factor;
  GtkWidget *lens_frames[ODL_MOST_LENSES];
  OdlWipeWords wipe_words; // in recordings
  OdlBadge badge; // of the whole width where both halves have one
  OdlBadge half_badges[2]; // these
  int badge_x, badge_y; // device pixels
  int words_below; // what badge and words take of the lower edge, device pixels
};

// ---- state.c: what others use, and which uses none of them ----------------------------

// What words over the canvas are no longer true of.
enum {
  ODL_STALE_VALUE = 1 << 0, // under the pointer
  ODL_STALE_CORNERS = 1 << 1,
  ODL_STALE_ALL = (1 << 2) - 1 // those, the empty quarter and the wipe's
};
void odl_viewport_tell_stale (OdlViewport *viewport, unsigned stale);

// The software canvas is in use.
bool odl_viewport_uses_soft (OdlViewport *viewport);
// Repaints, and emits that the view has changed.
void odl_viewport_redraw (OdlViewport *viewport);
void odl_viewport_changed (OdlViewport *viewport);
// After the picture was painted at another size, or with the badge at another place: zoom
// and scale, and the room that is left, depend on that.
void odl_viewport_place_corners_again (OdlViewport *viewport);
void odl_viewport_device_size (OdlViewport *viewport, int *width, int *height);
double odl_viewport_text_scale (OdlViewport *viewport); // with the system's
#define ODL_WORDS_FONT 13.0 // of words over the canvas, logical pixels …
// … and device pixels, as large as the system wants them.
double odl_viewport_font (OdlViewport *viewport);
// By what values of a PET picture become SUVbw; 0: nobody knows.
double odl_viewport_suv_factor (OdlViewport *viewport);
// Another tool comes; NULL: the first one. `kind` of annotations it draws; NULL: as
// before.
void odl_viewport_use_tool (OdlViewport *viewport,
                            const OdlTool *tool,
                            const OdlAnnotationKind *kind);

// Fills `scene` for a canvas of that size: the compose of OdlCanvasOwner.
void odl_viewport_compose (void *viewport, int width, int height, OdlScene *scene);

// The canvas, or its halves where the original lies beside the result; device pixels.
typedef struct {
  int width; // of each
  int second; // where the second one begins; 0: there is only one
} OdlPanes;

// Of a canvas of that width. Surfaces and rendered views have no panes.
OdlPanes odl_viewport_panes (OdlViewport *viewport, int width);

// The view by which a canvas of that width shows in the pane that begins at `x` what the
// viewport's view, laid out for a pane, shows in it.
OdlView
odl_viewport_pane_view (OdlViewport *viewport, const OdlPanes *panes, int x, int width);

// A point of the canvas as one of its pane, device pixels.
OdlPoint
odl_viewport_in_pane (OdlViewport *viewport, const OdlPanes *panes, OdlPoint device);

// Until it is let go, all points belong to the pane at x, in logical pixels.
void odl_viewport_hold_pane (OdlViewport *viewport, double x);
void odl_viewport_let_pane (OdlViewport *viewport);

// In lens.c: the magnifier, in a scene that has all else; its frames over the canvas.
void odl_viewport_make_lenses (OdlViewport *viewport,
                               const OdlPanes *panes,
                               int width,
                               int height,
                               OdlScene *scene);
void odl_viewport_add_lens_frames (OdlViewport *viewport);
void odl_viewport_remove_lens_frames (OdlViewport *viewport);
void odl_viewport_allocate_lens_frames (OdlViewport *viewport, int width, int height);
void odl_viewport_update_lenses (OdlViewport *viewport); // after the pointer moved

// What is left and right of the divider; `left` is also what is shown in the place of the
// result. Static.
const char *odl_viewport_half (OdlViewport *viewport, bool left);

// In planes.c: where the wipe divides a canvas of that size. Three planes and the
// rendered view are two columns, each of which has a divider of its own, so that a drag
// goes from the original to the result in every one of them.
void
odl_viewport_place_wipe (OdlViewport *viewport, int width, int height, OdlScene *scene);
// Where it divides a widget of that size, x in logical pixels; 0: it does not.
int odl_viewport_divider (OdlViewport *viewport, int width, int height);
// And the widget over it, in logical pixels; its words begin at `top`.
void odl_viewport_allocate_wipe (OdlViewport *viewport, int width, int height, int top);
// Where a divider at `x` ends: above the badge, whose words it would cross. Logical
// pixels.
int odl_viewport_divider_end (OdlViewport *viewport, int x);

// In planes.c, when corners and badge have their places: planes keep clear of them.
void odl_viewport_keep_below (OdlViewport *viewport, int height);

// In planes.c: the plane at a point of the picture; see odl_planes_find.
OdlPlaneKind
odl_viewport_find_plane (OdlViewport *viewport, OdlPoint at, OdlVoxel *voxel);
// Which one of several the picture is, in planes with the name of the one that the slices
// lie in, or its number in the series. NULL: the only one. Transfer full.
char *odl_viewport_picture_text (OdlViewport *viewport, const OdlFrame *frame);
// The patient's directions at the edges of the planes of a frame and of its rendered view
// (NULL: none), on a canvas, as far as the file says them; how many of them have some.
int odl_viewport_plane_letters (OdlViewport *viewport,
                                const OdlFrame *frame,
                                const OdlRenderScene *render,
                                const OdlView *view,
                                int width,
                                int height,
                                OdlPlaneLetters letters[ODL_N_PLANES + 1]);
// How thick the planes are (transfer full; NULL: one voxel, or no planes).
char *odl_viewport_slab_mark (const OdlFrame *frame);
// That the planes across the slices are not right-angled (transfer full; NULL: they are).
char *odl_viewport_tilt_mark (OdlViewport *viewport, const OdlFrame *frame);
// That the slices before and after the frame's are not equally far away (transfer full;
// NULL: they are, or the file does not say).
char *odl_viewport_gap_mark (OdlViewport *viewport, const OdlFrame *frame);
// That one of them is turned (transfer full; NULL: none is).
char *odl_viewport_oblique_mark (const OdlFrame *frame);
// What drags the handle at a position in widget coordinates; NULL: there is none.
const OdlTool *odl_viewport_grip_tool (OdlViewport *viewport, double x, double y);
// Moves the cross-hair to a position in image coordinates, if there is a plane.
void odl_viewport_point_at (OdlViewport *viewport, OdlPoint at);
// Image coordinates of a position in widget coordinates.
OdlPoint odl_viewport_to_image (OdlViewport *viewport, double x, double y);

// In view.c: where an image position is in a picture of coefficients, "HL 2 · 5, 7",
// level, column and row; whether the band has details. NULL: there are none. Transfer
// full.
char *odl_viewport_place_in_band (OdlViewport *viewport, OdlPoint at, bool *is_detail);

// In empty_quarter.c: what stands where a rendered view could.
void odl_viewport_add_empty_quarter (OdlViewport *viewport);
void odl_viewport_update_empty_quarter (OdlViewport *viewport);
void odl_viewport_allocate_empty_quarter (OdlViewport *viewport);

// In rendering.c: the quarter of the canvas that no plane of a frame takes; device
// pixels.
OdlRenderPlace odl_viewport_render_place (const OdlFrame *frame,
                                          const OdlView *view,
                                          int width,
                                          int height);
// The rendered view of a frame, for a picture to take away, or into the
// scene of a canvas. False: there is none.
bool odl_viewport_render_scene (OdlViewport *viewport,
                                const OdlFrame *frame,
                                const OdlView *view,
                                int width,
                                int height,
                                OdlRenderScene *scene);
void odl_viewport_render_canvas (OdlViewport *viewport,
                                 int width,
                                 int height,
                                 OdlScene *scene);
void odl_viewport_add_render_marks (OdlViewport *viewport,
                                    const OdlFrame *frame,
                                    bool reduced,
                                    GStrvBuilder *marks);
// The canvas may have become another one, or the volume.
void odl_viewport_update_rendering (OdlViewport *viewport);
bool odl_viewport_is_over_rendering (OdlViewport *viewport, OdlPoint device);
extern const OdlTool odl_tool_turn_volume; // there
// Shift + arrows. False: other keys.
bool
odl_viewport_turn_rendering (OdlViewport *viewport, guint key, GdkModifierType state);

// In surface.c: what pointer and keys do now; a surface is always turned.
extern const OdlTool odl_tool_turn;
const OdlTool *odl_viewport_tool_in_use (OdlViewport *viewport);

// In menu.c: opens the menu at a place of the widget.
void odl_viewport_open_menu (OdlViewport *viewport, double x, double y);

// In tools.c: leaves the current tool if it cannot be used on the shown picture, and
// reports why.
void odl_viewport_check_tool (OdlViewport *viewport);

// In ground.c. The frame on screen if it can have annotations (borrowed; else NULL).
const OdlFrame *odl_viewport_annotated_frame (OdlViewport *viewport);
// What lies at a position of the picture, and under an annotation. False: no ground; the
// annotation is not on screen.
bool odl_viewport_ground_at (OdlViewport *viewport, OdlPoint at, OdlGround *ground);
bool odl_viewport_ground_of (OdlViewport *viewport,
                             const OdlAnnotation *annotation,
                             OdlGround *ground);
// A position of the picture on the ground, and an annotation of the ground in the
// picture.
OdlPoint odl_ground_place (const OdlGround *ground, OdlPoint at);
OdlAnnotation odl_ground_lay (const OdlGround *ground, const OdlAnnotation *annotation);
// Of a picture of `frame`, also as somebody calibrated it.
OdlScale
odl_viewport_scale (OdlViewport *viewport, const OdlFrame *frame, const OdlImage *image);
// Its part of `frame`, and of that one's result (NULL: none is at hand).
void odl_viewport_ground_subject (OdlViewport *viewport,
                                  const OdlGround *ground,
                                  const OdlFrame *frame,
                                  OdlImage *result,
                                  OdlGroundSubject *made);
void odl_ground_subject_clear (OdlGroundSubject *made);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlGroundSubject, odl_ground_subject_clear)
// Says why what is no plane is not measured.
void odl_viewport_refuse_rendering (OdlViewport *viewport);

// In profile_line.c: where the place that is marked on the profile lies in the picture.
// False: none is.
bool odl_viewport_profile_mark (OdlViewport *viewport, OdlPoint *at);

// In annotating.c. The result of `frame`, where it is at hand; NULL: it is not.
OdlImage *odl_viewport_result_of (OdlViewport *viewport, const OdlFrame *frame);
// Draws those on screen, with the rest of the request as it is; or those of `frame`, with
// what they measure in `result`.
void odl_viewport_draw (OdlViewport *viewport,
                        OdlDrawing *drawing,
                        const OdlDrawingRequest *request);
void odl_viewport_draw_result (OdlViewport *viewport,
                               OdlDrawing *drawing,
                               const OdlFrame *frame,
                               OdlImage *result,
                               const OdlDrawingRequest *request);
void odl_viewport_forget_items (OdlViewport *viewport);
void odl_viewport_forget_read (OdlViewport *viewport);
void odl_viewport_annotation_changed (OdlViewport *viewport); // the draft or the cursor
void odl_viewport_annotations_changed (OdlViewport *viewport); // the session's

// In measure_tool.c: moves the keyboard's cross by an arrow key, or (0) shows it. False:
// it is no such key.
bool odl_viewport_move_cursor (OdlViewport *viewport, guint key, GdkModifierType state);

// In draft.c: drops the draft; stores it in the session, as one step to undo; stores it
// with the words that it has now; without words it is removed.
void odl_viewport_drop_draft (OdlViewport *viewport);
void odl_viewport_store_draft (OdlViewport *viewport);
void odl_viewport_keep_draft (OdlViewport *viewport);

// In typing.c: asks for the words of the draft, which is kept afterwards; closes the
// entry and drops the draft.
void odl_viewport_type_words (OdlViewport *viewport);
void odl_viewport_stop_typing (OdlViewport *viewport);
// The annotation on screen whose words are drawn at a position of the picture (borrowed;
// NULL: none).
const OdlAnnotation *odl_viewport_words_at (OdlViewport *viewport, OdlPoint at);

// In probe.c: the text for the pixel of the session's frame under the pointer or the
// keyboard's cursor, and the centre of that pixel (transfer full; NULL: none, or hidden);
// creates the label, updates its text, places it, and finds the pointer again soon after
// the canvas may have moved below it.
char *odl_viewport_probe (OdlViewport *viewport, OdlPoint *pixel);
void odl_viewport_add_probe (OdlViewport *viewport);
void odl_viewport_update_probe (OdlViewport *viewport);
void odl_viewport_allocate_probe (OdlViewport *viewport, int width);
void odl_viewport_find_pointer (OdlViewport *viewport);

// In before_after.c: both sides of the filters (NULL: not known, or not yet: the label is
// updated when they are). While pictures play they are of a frame up to 1.5 s ago, and
// computed for a twentieth of the time at most; both are of one frame. Why they are never
// known of a frame, in words (NULL: they are). Gives up what was and what is being
// computed.
const OdlBeforeAfter *odl_viewport_before_after (OdlViewport *viewport,
                                                 const OdlFrame *frame);
const char *odl_viewport_why_no_before_after (const OdlFrame *frame);
void odl_viewport_forget_before_after (OdlViewport *viewport);

// In corners.c: creates the labels, places and removes them.
void odl_viewport_add_corners (OdlViewport *viewport);
// A comparison has its divider at `divider` (0: there is none); returns where the words
// for its halves begin, y.
int
odl_viewport_allocate_corners (OdlViewport *viewport, int width, int height, int divider);
void odl_viewport_remove_corners (OdlViewport *viewport);
// What the words of the upper corners take, in device pixels; empty where they are
// hidden.
void odl_viewport_upper_words (OdlViewport *viewport, OdlPlacingBox words[2]);

// In corners.c, for what is taken away, too: what the file says has been done to the
// picture, and which side of the body it is of (transfer full; NULL: nothing); the
// patient's directions at the edges of a canvas. False: they are not known, or are
// hidden.
char *odl_viewport_file_marks (OdlViewport *viewport);
bool odl_viewport_find_letters (OdlViewport *viewport,
                                const OdlView *view,
                                int width,
                                int height,
                                OdlLetters letters);

// Takes the graphics away, without drawing.
void odl_viewport_clear_graphics (OdlViewport *viewport);

// In calibration.c. The table of a display on a measured screen, for the canvas alone.
void odl_viewport_calibrate (OdlViewport *viewport,
                             const OdlImageInfo *info,
                             bool original,
                             OdlDisplay *display);
void odl_viewport_clear_screen (OdlViewport *viewport);
