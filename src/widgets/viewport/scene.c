// SPDX-License-Identifier: MIT
// What the viewport shows, put together for a canvas or for a picture to take away.
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "image/display/marks.h"
#include "plan/title.h"
#include "session/computing.h"
#include "widgets/names.h"
#include "widgets/viewport/gl_area.h"
#include "widgets/viewport/soft_canvas.h"
#include "widgets/viewport/legend.h"
#include "widgets/viewport/private.h"

// Lengths in logical pixels.
#define BADGE_FONT_SMALL 10.0
#define BADGE_MARGIN 12
#define SMALL_CANVAS 420
#define MOST_LINES 6 // in a narrow half, of a long list of filters
#define LETTER 2.5 // room for one beside the cross-hair, in units of its font
#define LEAST_HALF 120 // with a badge of its own

// The fraction of a picture that its badge may cover.
#define MOST_COVERED 0.05

// At this zoom samples are shown as squares: people who zoom so far want to see them.
#define ZOOM_NEAREST 3.0

static OdlDisplay
display_of (OdlViewport *self, const OdlFrame *frame)
{
  const OdlPlan *plan = frame->plan;
  const OdlDetails details
      = frame->planes ? plan->details : odl_plan_details_at (plan, frame->voxel.at[2]);
  const OdlWindow window = odl_viewport_result_window (self, frame);
  return odl_display_make (odl_image_info (frame->input), &window, details);
}

char *
odl_viewport_title (OdlViewport *self, const OdlFrame *frame, const OdlRecipe *told)
{
  const OdlDisplay display = display_of (self, frame);
  return odl_plan_title_for (told, &frame->plan->geometry, &display);
}

static void
set_displays (OdlViewport *self, OdlFrame *frame, OdlScene *scene)
{
  const OdlImageInfo *info = odl_image_info (frame->input);
  self->window.reach = odl_detail_meter_reach (self->detail_meter, frame);
  scene->display = display_of (self, frame);
  scene->original_display = odl_display_make (info, &self->window, ODL_NO_DETAILS);
  odl_viewport_add_saved (self, frame, &scene->display);
  odl_viewport_add_saved (self, frame, &scene->original_display);
}

// Pictures that are turned, mirrored or inverted always have a mark, since they may
// mislead.
static GStrv
make_marks (OdlViewport *self,
            const OdlFrame *frame,
            bool original,
            bool taken,
            bool reduced)
{
  g_autoptr (GStrvBuilder) marks = g_strv_builder_new ();
  const OdlImageInfo *info = odl_image_info (frame->input);
  if (!odl_viewport_shows_surface (self))
    odl_display_add_marks (info, &self->window, marks);
  if (self->saved.graphics && self->window.hide_overlay && !info->overlay)
    g_strv_builder_add (marks, _ ("OVERLAYS HIDDEN"));
  g_autofree char *slab = odl_viewport_slab_mark (frame);
  if (slab)
    g_strv_builder_add (marks, slab);
  g_autofree char *oblique = odl_viewport_oblique_mark (frame);
  if (oblique)
    g_strv_builder_add (marks, oblique);
  g_autofree char *tilt = odl_viewport_tilt_mark (self, frame);
  if (tilt)
    g_strv_builder_add (marks, tilt);
  g_autofree char *gap = odl_viewport_gap_mark (self, frame);
  if (gap)
    g_strv_builder_add (marks, gap);
  odl_viewport_add_render_marks (self, frame, reduced, marks);
  if (!original)
    odl_frame_add_marks (frame, marks);
  if (odl_viewport_shows_surface (self))
    return g_strv_builder_end (marks);
  if (self->view.flip_horizontal != self->view.flip_vertical)
    g_strv_builder_add (marks, _ ("MIRRORED"));
  int degrees = 90 * self->view.quarter_turns;
  // Flipped vertically equals mirrored and turned by 180°.
  if (self->view.flip_vertical)
    degrees = (degrees + 180) % 360;
  if (degrees) {
    g_autofree char *turned = g_strdup_printf (_ ("ROTATED %d°"), degrees);
    g_strv_builder_add (marks, turned);
  }
  g_autofree char *file = taken ? odl_viewport_file_marks (self) : NULL;
  if (file)
    g_strv_builder_add (marks, file);
  return g_strv_builder_end (marks);
}

static const char *
letter_text (char letter)
{
  return letter == 'A' ? "A" : "B";
}

// What lies beside the original.
static const char *
view_word (const OdlFrame *frame)
{
  switch (frame ? frame->recipe.view : ODL_VIEW_SYNTHESIS) {
  case ODL_VIEW_ANALYSIS:
    return N_ ("Coefficients");
  case ODL_VIEW_FILTERED_ANALYSIS:
    return N_ ("Filtered Coefficients");
  case ODL_VIEW_FALLING:
    return N_ ("Falling Coefficients");
  case ODL_VIEW_FILTERED_FALLING:
    return N_ ("Filtered Falling Coefficients");
  case ODL_VIEW_RESIDUAL:
    return N_ ("Residual");
  default:
    return N_ ("Processed");
  }
}

static bool
shows_original (OdlViewport *self)
{
  return self->show_original || (self->waits && !odl_viewport_uses_soft (self));
}

const char *
odl_viewport_half (OdlViewport *self, bool left)
{
  const OdlFrame *frame = odl_session_frame (self->session);
  const bool untouched = frame && frame->plan->result == frame->plan->source;
  if (!frame || !odl_frame_compares (frame)) {
    if (left)
      return frame && frame->gridded ? _ ("Original, with grid") : _ ("Original");
    if (shows_original (self))
      return _ ("Original");
    if (!untouched)
      return _ (view_word (frame));
    return odl_session_is_computing (self->session) ? _ ("Original") : _ ("No filters");
  }
  if (frame->difference)
    return left ? _ ("Original") : _ ("Difference");
  const char letter = left ? frame->other_letter : frame->letter;
  const OdlRecipe *recipe = left ? &frame->other_recipe : &frame->recipe;
  if (odl_recipe_is_identity (recipe))
    return letter_text (letter);
  return letter == 'A' ? _ ("A, processed") : _ ("B, processed");
}

// What is done in the picture, or of recipes that are compared in the one that is shown;
// if that has no filters, and `both` stand beside each other, in the other one. NULL:
// nothing.
static char *
make_title (OdlViewport *self, const OdlFrame *frame, bool original, bool both)
{
  const bool compares = odl_frame_compares (frame) && !frame->difference;
  bool other = original && compares;
  if (original && !other)
    return NULL;
  if (frame->other && frame->difference
      && odl_plan_does_the_same (frame->plan, frame->other))
    // Translators: the results of two lists of filters.
    return g_strdup (_ ("A and B are equal"));
  if (frame->other && frame->difference)
    // Translators: the result of one list of filters (A) less that of another (B), and
    // how much stronger than it is.
    return g_strdup_printf (_ ("%s less %s × %d"), letter_text (frame->other_letter),
                            letter_text (frame->letter), ODL_RESIDUAL_GAIN);
  if (compares && both && odl_recipe_is_identity (&frame->recipe))
    other = true;
  const OdlRecipe told
      = odl_recipe_with_files_as (other ? &frame->other_recipe : &frame->recipe,
                                  odl_names_word (odl_names_of (self->session)));
  g_autofree char *title = odl_viewport_title (self, frame, &told);
  if (!title || !compares)
    return g_steal_pointer (&title);
  return g_strdup_printf (
      "%s · %s", letter_text (other ? frame->other_letter : frame->letter), title);
}

// `text` with the marks of the frame, or of the original, or of `both` halves; `taken`
// away, also those that are beside the badge on the canvas; of a rendered view whether it
// is `reduced`.
static void
update_badge (OdlViewport *self,
              OdlBadge *badge,
              const OdlFrame *frame,
              OdlBadgeText text,
              bool original,
              bool both,
              bool taken,
              bool reduced)
{
  g_autofree char *title = make_title (self, frame, original, both);
  g_auto (GStrv) marks = make_marks (self, frame, original, taken, reduced);
  text.title = title;
  text.marks = (const char *const *) marks;
  odl_badge_update (badge, gtk_widget_get_pango_context (GTK_WIDGET (self)), &text);
}

// Both in one picture that is `room` wide, each at its end of the lower edge.
static void
join_badges (OdlBadge *badge, const OdlBadge *left, const OdlBadge *right, int room)
{
  g_autofree char *key = g_strdup_printf ("%d\n%s\n%s", room, left->key, right->key);
  if (g_strcmp0 (key, badge->key) == 0)
    return;
  odl_badge_clear (badge);
  *badge = (OdlBadge){ .width = room,
                       .height = MAX (left->height, right->height),
                       .stride = 4 * room,
                       .key = g_steal_pointer (&key) };
  badge->rgba = g_malloc0_n ((size_t) badge->height, (size_t) badge->stride);
  for (int i = 0; i < 2; i++) {
    const OdlBadge *half = i == 0 ? left : right;
    const size_t wide = (size_t) half->width * 4;
    uint8_t *row = badge->rgba + (badge->height - half->height) * badge->stride
                   + (i == 0 ? 0 : badge->stride - (int) wide);
    for (int y = 0; half->rgba && y < half->height; y++)
      memcpy (row + y * badge->stride, half->rgba + y * half->stride, wide);
  }
}

// Where filters are compared with others, the left half is processed, too; in halves of
// that width there is room to say so.
static bool
needs_two_badges (const OdlFrame *frame, const OdlScene *scene, int width, int least)
{
  return scene->wipe_x > least && width - scene->wipe_x > least
         && odl_frame_compares (frame) && !frame->difference
         && !odl_recipe_is_identity (&frame->other_recipe);
}

static void
place_badge (OdlViewport *self, OdlFrame *frame, int width, int height, OdlScene *scene)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  int margin = BADGE_MARGIN * scale;
  bool small = width < SMALL_CANVAS * scale;
  double font = small ? BADGE_FONT_SMALL * odl_viewport_text_scale (self)
                      : odl_viewport_font (self);
  // In the wipe the badge is on the processed half, at the right, if it is wide enough.
  int room = width - MAX (scene->wipe_x, scene->again[1]);
  bool right = scene->wipe_x > 0 && room > SMALL_CANVAS / 2 * scale;
  const int around = 2 * margin;
  const bool two = needs_two_badges (frame, scene, width, LEAST_HALF * scale);
  const OdlBadgeText text
      = { .font_pixels = font,
          .max_lines = MOST_LINES,
          .max_width = MAX ((right || two ? room : width) - around, 1) };
  const bool reduced = scene->renders && odl_viewport_uses_soft (self)
                       && odl_render_is_reduced (&scene->render);
  const int width_before = self->badge.width;
  if (two) {
    OdlBadge *halves = self->half_badges;
    OdlBadgeText left = text;
    left.max_width = scene->wipe_x - around;
    update_badge (self, &halves[0], frame, left, true, false, self->capture, reduced);
    update_badge (self, &halves[1], frame, text, false, false, self->capture, reduced);
    join_badges (&self->badge, &halves[0], &halves[1], width - around);
  } else {
    update_badge (self, &self->badge, frame, text, shows_original (self),
                  scene->wipe_x > 0, self->capture, reduced);
  }
  scene->badge = &self->badge;
  scene->badge_x
      = scene->wipe_x > 0 ? MAX (width - margin - self->badge.width, margin) : margin;
  scene->badge_y = MAX (height - margin - self->badge.height, 0);
  if (self->badge_x != scene->badge_x || self->badge_y != scene->badge_y
      || self->badge.width != width_before)
    odl_viewport_place_corners_again (self);
  self->badge_x = scene->badge_x;
  self->badge_y = scene->badge_y;
}

// What the badge takes of the lower edge, where its middle is.
static int
badge_below (const OdlBadge *badge, int x, int y, int width, int height)
{
  const int half = height / 16;
  const bool there
      = badge->rgba && x < width / 2 + half && x + badge->width > width / 2 - half;
  return there ? MAX (height - y, 0) : 0;
}

// Letters at the lower edges of planes go above the badge where that would cover them.
static void
raise_letters (const OdlBadge *badge,
               int x,
               int y,
               double font,
               OdlPlaneLetters *planes,
               int n)
{
  for (int i = 0; i < n && badge->rgba; i++) {
    OdlPlaneLetters *at = &planes[i];
    const double middle = at->x + at->width / 2, end = at->y + at->height;
    if (x < middle + LETTER * font && x + badge->width > middle && y < end
        && y + badge->height > end - LETTER * font)
      at->bottom = (int) ceil (end - y);
  }
}

// In each of the panes.
static void
place_drawing (OdlViewport *self, const OdlPanes *panes, int height, OdlScene *scene)
{
  const int width = panes->width;
  const OdlView *view = &self->view;
  const OdlAnnotating *annotating = &self->annotating;
  OdlPoint probed;
  g_autofree char *words
      = self->capture || scene->beside ? odl_viewport_probe (self, &probed) : NULL;
  OdlPoint marked;
  const bool marks = !words && odl_viewport_profile_mark (self, &marked);
  OdlLetters letters;
  const bool directed
      = self->capture && odl_viewport_find_letters (self, view, width, height, letters);
  g_auto (OdlLegend) legend = { 0 };
  odl_viewport_make_legend (self, scene->frame, &scene->display, &legend);
  OdlPlaneLetters planes[ODL_N_PLANES + 1];
  const int n_planes = odl_viewport_plane_letters (self, scene->frame,
                                                   scene->renders ? &scene->render : NULL,
                                                   view, width, height, planes);
  const double font = odl_viewport_font (self);
  raise_letters (&self->badge, scene->badge_x - panes->second, scene->badge_y, font,
                 planes, n_planes);
  const OdlFrame *frame = scene->frame;
  OdlPlanes layout;
  if (frame->planes)
    layout = odl_planes_of (odl_image_info (frame->volume));
  OdlDrawingRequest request
      = { .planes = planes,
          .n_planes = n_planes,
          .layout = frame->planes && !self->window.hide_overlay ? &layout : NULL,
          .look = { frame->voxel, frame->slab, frame->oblique, frame->box },
          .selected = annotating->selected,
          .graphics = odl_viewport_saved_graphics (self, scene->frame),
          .outlines = odl_viewport_outlines (self, scene->frame),
          .hides_words = odl_viewport_masks_names (self),
          .cursor = annotating->has_cursor ? &annotating->cursor : NULL,
          .probed = words   ? &probed
                    : marks ? &marked
                            : NULL,
          .words = self->capture ? words : NULL,
          .letters = directed ? &letters : NULL,
          .legend = &legend,
          .bottom = badge_below (&self->badge, scene->badge_x - panes->second,
                                 scene->badge_y, width, height),
          .view = view,
          .width = width,
          .second = panes->second,
          .result = scene->beside ? 0 : scene->wipe_x,
          .height = height,
          .font = font };
  odl_viewport_upper_words (self, request.avoid);
  odl_viewport_draw (self, &self->drawing, &request);
  scene->drawing = &self->drawing.picture;
  scene->drawing_x = self->drawing.x;
  scene->drawing_y = self->drawing.y;
}

static bool
is_exact_pixels (double zoom)
{
  return fabs (zoom - 1) < 1e-9 || zoom >= ZOOM_NEAREST;
}

void
odl_viewport_compose (void *data, int width, int height, OdlScene *scene)
{
  OdlViewport *self = data;
  OdlFrame *frame = odl_session_frame (self->session);
  if (!frame)
    return;
  const OdlPanes panes = odl_viewport_panes (self, width);
  odl_viewport_layout (self, &self->view, panes.width, height);
  scene->frame = frame;
  scene->capture = self->capture != NULL;
  scene->beside = panes.second > 0;
  scene->view = odl_viewport_pane_view (self, &panes, panes.second, width);
  scene->original_view = odl_viewport_pane_view (self, &panes, 0, width);
  scene->surface = odl_viewport_shows_surface (self);
  scene->shows_net = self->shows_net;
  scene->look = self->look;
  scene->show_original = shows_original (self);
  scene->smooth = !is_exact_pixels (self->view.zoom);
  if (scene->beside)
    scene->wipe_x = panes.second;
  else if ((self->wipe || self->beside) && !shows_original (self))
    odl_viewport_place_wipe (self, width, height, scene);
  if (self->wipe || self->beside) {
    scene->dividers[0] = shows_original (self) ? -1 : scene->wipe_x;
    scene->dividers[1] = scene->again[1];
  }
  set_displays (self, frame, scene);
  // The canvas has thin lines in the place of those in the picture (plane_lines.c).
  if (frame->planes)
    scene->display.overlay = scene->original_display.overlay = NULL;
  odl_viewport_calibrate (self, odl_image_info (frame->input), false, &scene->display);
  odl_viewport_calibrate (self, odl_image_info (frame->input), true,
                          &scene->original_display);
  odl_viewport_render_canvas (self, width, height, scene);
  odl_viewport_make_lenses (self, &panes, width, height, scene);
  place_badge (self, frame, width, height, scene);
  place_drawing (self, &panes, height, scene);
}

GBytes *
odl_viewport_grab (OdlViewport *self, int *width, int *height)
{
  if (odl_viewport_uses_soft (self))
    return odl_soft_canvas_grab (ODL_SOFT_CANVAS (self->soft_canvas), width, height);
  return self->gl_area ? odl_gl_area_grab (ODL_GL_AREA (self->gl_area), width, height)
                       : NULL;
}

// How high a strip below a picture must be for its badge; 0: the badge covers so little
// that it stands in the picture.
static int
strip_height (const OdlBadge *badge, int width, int height, int margin)
{
  const double covers = (double) badge->width * badge->height;
  return badge->rgba && covers > MOST_COVERED * width * height
             ? badge->height + 2 * margin
             : 0;
}

static void
paint_strip (const OdlBadge *badge, uint8_t *rgba, int width, int height, int margin)
{
  for (size_t i = 0; i < (size_t) width * height; i++) {
    memset (rgba + 4 * i, ODL_CANVAS_LEVEL, 3);
    rgba[4 * i + 3] = 255;
  }
  odl_badge_blend (badge, rgba, width, height, margin, margin, false);
}

// A surface has the size of the canvas, a picture its own.
static void
picture_size (OdlViewport *self, const OdlView *view, int *width, int *height)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const bool surface = odl_viewport_shows_surface (self);
  const bool lying = view->quarter_turns % 2 == 1;
  const double wide = view->image_width * view->pixel_aspect;
  const double canvas_width = scale * gtk_widget_get_width (GTK_WIDGET (self));
  const double canvas_height = scale * gtk_widget_get_height (GTK_WIDGET (self));
  *width = (int) ceil (surface ? MAX (canvas_width, 1)
                       : lying ? view->image_height
                               : wide);
  *height = (int) ceil (surface ? MAX (canvas_height, 1)
                        : lying ? wide
                                : view->image_height);
}

static GdkTexture *
paint_picture (OdlViewport *self, OdlFrame *frame, OdlImage *result, GError **error)
{
  OdlView view = self->view;
  int width, height;
  picture_size (self, &view, &width, &height);
  g_auto (OdlBadge) badge = { 0 };
  double font = CLAMP (MIN (width, height) / 32.0, BADGE_FONT_SMALL, 4 * ODL_WORDS_FONT);
  int margin = (int) (font / 2);
  OdlPoint probed;
  g_autofree char *words = self->saves_values ? odl_viewport_probe (self, &probed) : NULL;
  const OdlBadgeText text
      = { .label = words, .font_pixels = font, .max_width = MAX (width - 2 * margin, 1) };
  OdlView fitting = view;
  odl_view_fit (&fitting);
  odl_view_layout (&fitting, width, height);
  OdlRenderScene render;
  const bool renders
      = odl_viewport_render_scene (self, frame, &fitting, width, height, &render);
  if (!self->bare)
    update_badge (self, &badge, frame, text, false, false, true,
                  renders && odl_render_is_reduced (&render));
  const int strip = self->bare ? 0 : strip_height (&badge, width, height, margin);
  const size_t factors[] = { width, height + strip, 4 };
  size_t size;
  g_autofree uint8_t *rgba = NULL;
  if (odl_size_product (factors, G_N_ELEMENTS (factors), &size))
    rgba = g_try_malloc (size);
  if (!rgba) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                 _ ("There is not enough memory for a picture of %d × %d pixels."), width,
                 height);
    return NULL;
  }
  view = fitting;
  OdlSurfaceMeshes meshes = { 0 };
  OdlFrame with_result = *frame;
  with_result.result = result;
  OdlScene scene = { .frame = &with_result,
                     .view = view,
                     .smooth = view.pixel_aspect != 1,
                     .surface = odl_viewport_shows_surface (self),
                     .shows_net = self->shows_net,
                     .look = self->look,
                     .renders = renders,
                     .badge = strip > 0 || self->bare ? NULL : &badge,
                     .badge_x = margin,
                     .badge_y = MAX (height - margin - badge.height, 0) };
  if (renders)
    scene.render = render;
  set_displays (self, frame, &scene);
  g_auto (OdlDrawing) drawing = { 0 };
  OdlLetters letters;
  const bool directed = odl_viewport_find_letters (self, &view, width, height, letters);
  const int below
      = strip > 0 ? 0 : badge_below (&badge, scene.badge_x, scene.badge_y, width, height);
  g_auto (OdlLegend) legend = { 0 };
  odl_viewport_make_legend (self, frame, &scene.display, &legend);
  OdlPlaneLetters planes[ODL_N_PLANES + 1];
  const int n_planes = odl_viewport_plane_letters (self, frame, renders ? &render : NULL,
                                                   &view, width, height, planes);
  if (strip == 0)
    raise_letters (&badge, scene.badge_x, scene.badge_y, font, planes, n_planes);
  const OdlDrawingRequest request
      = { .planes = planes,
          .n_planes = n_planes,
          .graphics = odl_viewport_saved_graphics (self, frame),
          .outlines = odl_viewport_outlines (self, frame),
          .hides_words = odl_viewport_masks_names (self),
          .probed = words ? &probed : NULL,
          .letters = directed ? &letters : NULL,
          .legend = &legend,
          .bottom = below,
          .view = &view,
          .width = width,
          .height = height,
          .font = font };
  if (!self->bare)
    odl_viewport_draw_result (self, &drawing, frame, result, &request);
  scene.drawing = self->bare ? NULL : &drawing.picture;
  scene.drawing_x = drawing.x;
  scene.drawing_y = drawing.y;
  odl_scene_paint (&scene, &meshes, width, height, false, rgba);
  odl_surface_meshes_clear (&meshes);
  paint_strip (&badge, rgba + (size_t) width * height * 4, width, strip, margin);
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_steal_pointer (&rgba), size);
  return gdk_memory_texture_new (width, height + strip, GDK_MEMORY_R8G8B8A8, bytes,
                                 (size_t) width * 4);
}

bool
odl_viewport_may_be_saved (OdlViewport *self, GError **error)
{
  if (!odl_session_frame (self->session) || odl_session_shows_result (self->session))
    return true;
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("The filters are still at work, and what is shown is not "
                           "their result. Save it when they are done, or give them up "
                           "with Escape."));
}

void
odl_viewport_set_bare (OdlViewport *self, bool bare)
{
  self->bare = bare;
}

GdkTexture *
odl_viewport_render_picture (OdlViewport *self, GError **error)
{
  OdlFrame *frame;
  g_autoptr (OdlImage) result = odl_viewport_may_be_saved (self, error)
                                    ? odl_viewport_result (self, &frame, error)
                                    : NULL;
  return result ? paint_picture (self, frame, result, error) : NULL;
}
