// SPDX-License-Identifier: MIT
// The tool that draws annotations of any kind. By pointer: a drag places the first two
// points, and clicks or drags the others; points and the whole can be dragged afterwards.
// By keys: arrows move a cross, Enter sets one point after the other, or takes up one
// that lies there of the same kind; Delete removes what is marked.
#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/viewport/private.h"
#include "widgets/viewport/tools/tool.h"

// Distance in logical pixels within which a point or a line is hit.
#define REACH 8.0

// An arrow key moves the cross by a pixel of the picture, with Shift by this many; at
// least by a pixel of the screen.
#define LONG_STEP 20.0

// Of this distance a line that is drawn freely has a point.
#define FREE_STEP 0.4

// Least distance of the cross from the edge of the canvas, in logical pixels.
#define MARGIN 24.0

static const char *
refusal (OdlViewport *self)
{
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  if (odl_viewport_shows_surface (self))
    return _ ("Pictures are measured. Press S to see the control points as one.");
  if (frame && frame->plan->view != ODL_VIEW_SYNTHESIS)
    return frame->plan->view == ODL_VIEW_RESIDUAL
               ? _ ("The result is measured. Press 1 to leave what was taken away.")
           : odl_view_level (frame->plan->view) > 0
               ? _ ("The result is measured. Press 1 to leave the level.")
               : _ ("The picture is measured. Press 1 to leave the coefficients.");
  return NULL;
}

// In units of a pixel's height.
static OdlScale
metric (OdlViewport *self)
{
  return (OdlScale){ .x = self->view.pixel_aspect, .y = 1 };
}

static double
reach (OdlViewport *self)
{
  return REACH * gtk_widget_get_scale_factor (GTK_WIDGET (self)) / self->view.zoom;
}

// ---- drafts --------------------------------------------------------------------------

// Playback pauses, since an annotation belongs to one frame.
static void
hold_frame (OdlViewport *self, const OdlFrame *frame)
{
  if (!odl_session_playing (self->session) || odl_session_info (self->session)->live)
    return;
  odl_session_set_playing (self->session, false);
  odl_playback_seek (odl_session_playback (self->session), frame->index);
}

static bool
is_inside (OdlViewport *self, OdlPoint at)
{
  const double margin = reach (self);
  return at.x >= -margin && at.x <= self->view.image_width + margin && at.y >= -margin
         && at.y <= self->view.image_height + margin;
}

// The annotation at a position on the ground; NULL: none.
static const OdlAnnotation *
pick (OdlViewport *self, const OdlGround *ground, OdlPoint at, int *part)
{
  const OdlScale scale = metric (self);
  const OdlAnnotation *found
      = odl_annotations_pick (odl_session_annotations (self->session), ground->frame,
                              &ground->on, at, &scale, reach (self), part);
  if (*part >= 0)
    return found;
  const OdlAnnotation *words = odl_viewport_words_at (
      self, (OdlPoint){ at.x + ground->origin.x, at.y + ground->origin.y });
  *part = words ? ODL_PART_LINE : *part;
  return words ? words : found;
}

// The words of what is counted.
static void
number_draft (OdlViewport *self)
{
  OdlAnnotation *draft = &self->annotating.draft;
  if (draft->kind->origin == ODL_WORDS_COUNTED)
    g_snprintf (draft->words, sizeof draft->words, "%u",
                odl_annotations_next_number (odl_session_annotations (self->session),
                                             draft->kind));
}

// Picks up the annotation at `at`, or begins a new one. `only`: the kind that can be
// picked up; NULL: any. False: there is no picture.
static bool
begin (OdlViewport *self, OdlPoint at, const OdlAnnotationKind *only)
{
  OdlAnnotating *annotating = &self->annotating;
  const OdlFrame *frame = odl_viewport_annotated_frame (self);
  OdlGround *ground = &annotating->ground;
  if (!odl_viewport_ground_at (self, at, ground)) {
    if (frame)
      odl_viewport_refuse_rendering (self);
    return false;
  }
  const OdlPoint place = odl_ground_place (ground, at);
  const OdlAnnotation *found = pick (self, ground, place, &annotating->part);
  if (found && only && found->kind != only)
    found = NULL;
  if (!found && !is_inside (self, at))
    return false;
  hold_frame (self, frame);
  annotating->drafting = true;
  annotating->from = place;
  if (found) {
    annotating->draft = *found;
  } else {
    annotating->part = MIN (1, self->measuring->n_points - 1);
    annotating->draft
        = odl_annotation_make (self->measuring, ground->frame,
                               (OdlPoint){ CLAMP (place.x, 0, ground->width),
                                           CLAMP (place.y, 0, ground->height) });
    annotating->draft.on = ground->on;
    if (self->measuring->many)
      annotating->draft.n_points = 2;
    number_draft (self);
  }
  annotating->selected = annotating->draft.id;
  return true;
}

// `place` is on the ground of the draft.
static void
move_on_ground (OdlViewport *self, OdlPoint place)
{
  OdlAnnotating *annotating = &self->annotating;
  odl_annotation_move (&annotating->draft, annotating->part, annotating->from, place,
                       annotating->ground.width, annotating->ground.height);
  annotating->from = place;
  odl_viewport_annotation_changed (self);
}

static void
move_to (OdlViewport *self, OdlPoint at)
{
  move_on_ground (self, odl_ground_place (&self->annotating.ground, at));
}

// Whether somebody says what words it has.
static bool
is_typed (const OdlAnnotation *annotation)
{
  return annotation->kind->origin == ODL_WORDS_TYPED
         || annotation->kind->origin == ODL_WORDS_COUNTED;
}

// The words of the one that is selected are changed. False: it has none.
static bool
change_words (OdlViewport *self)
{
  OdlAnnotating *annotating = &self->annotating;
  const OdlAnnotation *found = odl_annotations_find (
      odl_session_annotations (self->session), annotating->selected);
  if (!found || !is_typed (found)
      || !odl_viewport_ground_of (self, found, &annotating->ground))
    return false;
  annotating->draft = *found;
  annotating->drafting = true;
  annotating->part = ODL_PART_LINE;
  odl_viewport_type_words (self);
  return true;
}

// New words are asked for, and those of an annotation that was taken up and left where it
// was.
static void
finish (OdlViewport *self)
{
  const OdlAnnotation *draft = &self->annotating.draft;
  const OdlAnnotation *old
      = odl_annotations_find (odl_session_annotations (self->session), draft->id);
  if (old ? is_typed (draft) && odl_annotation_is_same (old, draft)
          : draft->id == 0 && draft->kind->origin == ODL_WORDS_TYPED)
    odl_viewport_type_words (self);
  else
    odl_viewport_store_draft (self);
}

// Whether more points of a new annotation remain to be placed.
static bool
goes_on (const OdlAnnotating *annotating)
{
  return annotating->draft.id == 0 && annotating->part >= 0
         && annotating->part + 1 < annotating->draft.kind->n_placed;
}

// Without the point that moves; what has no area is dropped.
static void
close_line (OdlViewport *self)
{
  OdlAnnotating *annotating = &self->annotating;
  annotating->draft.n_points = annotating->part;
  if (odl_annotation_is_empty (&annotating->draft))
    odl_viewport_drop_draft (self);
  else
    finish (self);
}

// Of a line with as many points as are placed: the moving one stays, and the next one
// starts there, unless it closes the line or there is no room for more.
static void
place_corner (OdlViewport *self)
{
  OdlAnnotating *annotating = &self->annotating;
  OdlAnnotation *draft = &annotating->draft;
  const int part = annotating->part;
  const OdlPoint at = draft->points[part];
  const OdlScale scale = metric (self);
  const bool again = odl_scale_distance (&scale, at, draft->points[part - 1]) == 0;
  if (part > 2
      && (again || odl_scale_distance (&scale, at, draft->points[0]) <= reach (self))) {
    close_line (self);
  } else if (draft->n_points == ODL_ANNOTATION_MAX_POINTS) {
    finish (self);
  } else if (!again) {
    draft->points[draft->n_points++] = at;
    annotating->part = part + 1;
    move_on_ground (self, at);
  } else if (part == 1) {
    odl_viewport_drop_draft (self);
  }
}

// Another point of a line that is drawn freely. When there is no room for more, every
// second one goes.
static void
draw_on (OdlViewport *self, OdlPoint at)
{
  OdlAnnotating *annotating = &self->annotating;
  OdlAnnotation *draft = &annotating->draft;
  const OdlScale scale = metric (self);
  const OdlPoint before = draft->points[draft->n_points - 2];
  move_to (self, at);
  if (odl_scale_distance (&scale, draft->points[annotating->part], before)
      < reach (self) * FREE_STEP)
    return;
  if (draft->n_points == ODL_ANNOTATION_MAX_POINTS) {
    for (int i = 1; 2 * i < draft->n_points; i++)
      draft->points[i] = draft->points[2 * i];
    draft->n_points /= 2;
  }
  draft->points[draft->n_points] = draft->points[annotating->part];
  annotating->part = draft->n_points++;
}

static bool
is_free (const OdlAnnotating *annotating)
{
  return annotating->draft.id == 0 && annotating->draft.kind->freehand;
}

// Places the moving point; the next one starts there, or the annotation is complete.
static void
place (OdlViewport *self)
{
  OdlAnnotating *annotating = &self->annotating;
  OdlPoint *points = annotating->draft.points;
  const int part = annotating->part;
  if (annotating->draft.id == 0 && annotating->draft.kind->many) {
    place_corner (self);
  } else if (!goes_on (annotating)) {
    finish (self);
  } else if (points[part].x == points[part - 1].x
             && points[part].y == points[part - 1].y) {
    odl_viewport_drop_draft (self);
  } else {
    annotating->part = part + 1;
    move_on_ground (self, points[part]);
  }
}

// Whether a point of a new annotation follows the pointer while no button is down.
static bool
is_following (OdlViewport *self)
{
  const OdlAnnotating *annotating = &self->annotating;
  return annotating->drafting && annotating->draft.id == 0 && annotating->part > 1
         && !annotating->has_cursor;
}

// A draft on a frame that is no longer shown is dropped.
static void
drop_of_other_frame (OdlViewport *self)
{
  OdlGround ground;
  if (self->annotating.drafting
      && !odl_viewport_ground_of (self, &self->annotating.draft, &ground))
    odl_viewport_drop_draft (self);
}

// ---- pointer -------------------------------------------------------------------------

// Begun by the drag, so that a click draws no line.
static void
press (OdlViewport *self, const OdlToolEvent *event)
{
  drop_of_other_frame (self);
  if (is_following (self))
    return;
  self->annotating.drafting = false;
  self->annotating.has_cursor = false;
  self->annotating.armed = true;
}

static void
hover (OdlViewport *self, const OdlToolEvent *event)
{
  drop_of_other_frame (self);
  if (is_following (self))
    move_to (self, event->at);
}

static void
drag (OdlViewport *self, const OdlToolEvent *event)
{
  OdlAnnotating *annotating = &self->annotating;
  if (!annotating->drafting
      && (!annotating->armed || !begin (self, event->pressed, NULL)))
    return;
  annotating->armed = false;
  if (is_free (annotating))
    draw_on (self, event->at);
  else
    move_to (self, event->at);
}

static void
release (OdlViewport *self, const OdlToolEvent *event)
{
  drop_of_other_frame (self);
  if (self->annotating.drafting && is_free (&self->annotating))
    close_line (self);
  else if (self->annotating.drafting)
    place (self);
}

// Closes a polygon, whose last point the first of the two clicks has placed, or changes
// words.
static void
double_click (OdlViewport *self)
{
  if (is_following (self) && self->annotating.draft.kind->many)
    close_line (self);
  else if (!self->annotating.drafting)
    change_words (self);
}

// Places the point that follows the pointer, or selects the annotation that is clicked
// on.
static void
click (OdlViewport *self, const OdlToolEvent *event)
{
  if (is_following (self)) {
    move_to (self, event->at);
    place (self);
    return;
  }
  OdlGround ground;
  int part;
  const OdlAnnotation *found
      = odl_viewport_ground_at (self, event->at, &ground)
            ? pick (self, &ground, odl_ground_place (&ground, event->at), &part)
            : NULL;
  self->annotating.selected = found ? found->id : 0;
  // What has one point is placed by a click.
  if (!found && self->measuring->n_placed == 1 && begin (self, event->at, NULL))
    finish (self);
  odl_viewport_annotation_changed (self);
}

// ---- keys ----------------------------------------------------------------------------

// Pans the picture if the cross would leave the canvas.
static void
keep_in_sight (OdlViewport *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const int scale = gtk_widget_get_scale_factor (widget);
  const int width
      = odl_viewport_panes (self, gtk_widget_get_width (widget) * scale).width;
  const int height = gtk_widget_get_height (widget) * scale;
  const double margin
      = self->view.fit ? 0 : fmin (MARGIN * scale, fmin (width, height) / 4);
  const OdlPoint at
      = odl_view_to_canvas (&self->view, width, height, self->annotating.cursor);
  const double dx = CLAMP (at.x, margin, width - margin) - at.x;
  const double dy = CLAMP (at.y, margin, height - margin) - at.y;
  if (fabs (dx) >= 1 || fabs (dy) >= 1)
    odl_viewport_pan (self, dx, dy);
}

// One step in the direction `dx`, `dy` of the screen, along an axis of the picture.
static void
step_cursor (OdlViewport *self, int dx, int dy, bool far)
{
  OdlAnnotating *annotating = &self->annotating;
  double matrix[6];
  odl_view_matrix (&self->view, 1, 1, matrix);
  const double x = matrix[0] * dx + matrix[1] * dy, y = matrix[3] * dx + matrix[4] * dy;
  const double pixel = fmax (1, fmax (fabs (x), fabs (y)));
  const double step = far ? LONG_STEP * pixel : pixel;
  annotating->has_cursor = true;
  if (!annotating->placed) {
    annotating->placed = true;
    annotating->cursor = (OdlPoint){ floor (self->view.centre.x) + 0.5,
                                     floor (self->view.centre.y) + 0.5 };
  }
  annotating->cursor.x += x > 1e-9 ? step : x < -1e-9 ? -step : 0;
  annotating->cursor.y += y > 1e-9 ? step : y < -1e-9 ? -step : 0;
  annotating->cursor.x = CLAMP (annotating->cursor.x, 0, self->view.image_width);
  annotating->cursor.y = CLAMP (annotating->cursor.y, 0, self->view.image_height);
  keep_in_sight (self);
  odl_viewport_annotation_changed (self);
}

bool
odl_viewport_move_cursor (OdlViewport *self, guint key, GdkModifierType state)
{
  static const struct {
    guint key;
    int dx, dy;
  } arrows[] = {
    { GDK_KEY_Left, -1, 0 },    { GDK_KEY_KP_Left, -1, 0 }, { GDK_KEY_Right, 1, 0 },
    { GDK_KEY_KP_Right, 1, 0 }, { GDK_KEY_Up, 0, -1 },      { GDK_KEY_KP_Up, 0, -1 },
    { GDK_KEY_Down, 0, 1 },     { GDK_KEY_KP_Down, 0, 1 },  { 0, 0, 0 },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (arrows); i++)
    if (arrows[i].key == key) {
      step_cursor (self, arrows[i].dx, arrows[i].dy, state & GDK_SHIFT_MASK);
      return true;
    }
  return false;
}

// The cross still lies on the last point of what was measured before: another kind begins
// there, and does not move that point.
static void
enter (OdlViewport *self)
{
  if (self->annotating.drafting)
    place (self);
  else if (!self->annotating.has_cursor && change_words (self))
    return;
  else if (!self->annotating.has_cursor)
    odl_viewport_move_cursor (self, 0, 0);
  else if (begin (self, self->annotating.cursor, self->measuring)) {
    if (self->annotating.draft.id == 0 && self->measuring->n_placed == 1)
      finish (self);
    odl_viewport_annotation_changed (self);
  }
}

static void
remove_selected (OdlViewport *self)
{
  const unsigned id = self->annotating.selected;
  odl_viewport_drop_draft (self);
  if (id)
    odl_session_remove_annotation (self->session, id);
}

static void
escape (OdlViewport *self)
{
  if (self->annotating.drafting)
    odl_viewport_drop_draft (self);
  else
    odl_viewport_use_tool (self, NULL, NULL);
}

static bool
key (OdlViewport *self, guint keyval, GdkModifierType state)
{
  static const struct {
    guint key;
    void (*act) (OdlViewport *self);
  } others[] = {
    { GDK_KEY_Return, enter },           { GDK_KEY_KP_Enter, enter },
    { GDK_KEY_Delete, remove_selected }, { GDK_KEY_KP_Delete, remove_selected },
    { GDK_KEY_Escape, escape },
  };
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)
      || !odl_viewport_annotated_frame (self))
    return false;
  drop_of_other_frame (self);
  if (odl_viewport_move_cursor (self, keyval, state)) {
    if (self->annotating.drafting)
      move_to (self, self->annotating.cursor);
    return true;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (others); i++)
    if (others[i].key == keyval) {
      others[i].act (self);
      return true;
    }
  return false;
}

// Nothing is selected unless the tool is in use.
static void
leave (OdlViewport *self)
{
  odl_viewport_stop_typing (self);
  self->annotating = (OdlAnnotating){ 0 };
  odl_viewport_annotation_changed (self);
}

const OdlTool odl_tool_measure = { .name = "measure",
                                   .pointer = "crosshair",
                                   .measures = true,
                                   .press = press,
                                   .drag = drag,
                                   .release = release,
                                   .click = click,
                                   .hover = hover,
                                   .double_click = double_click,
                                   .key = key,
                                   .leave = leave,
                                   .refusal = refusal };
