// SPDX-License-Identifier: MIT
// What the file says about patient, study and series, in the corners of the canvas; the
// directions of the patient at its edges; a bar of a known length. Labels over the
// canvas, so that no capture or saved picture has a name in it (a page has it in words,
// as a patient's file needs it); what every reader must know, directions and how the
// picture came about, the canvas draws into these itself.
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "image/annotation/scale.h"
#include "session/archive/spool.h"
#include "widgets/diagnostics.h"
#include "widgets/names.h"
#include "widgets/viewport/directions.h"
#include "widgets/viewport/legend.h"
#include "widgets/viewport/private.h"

// From this shorter side on, a canvas has room for all words, and for the name, letters
// and the bar.
#define LEAST_SIDE 260
#define LEAST_SIDE_OF_LETTERS 100
// Of the canvas: the longest bar.
#define LONGEST_BAR 0.3
// Logical pixels.
#define LEAST_BAR 40
// Nearer to 1:1 no detail is lost.
#define REDUCED 1e-3

static const char *
detail (OdlViewport *self, const char *key)
{
  const char *text = odl_session_detail (self->session, key);
  return text && *text ? text : NULL;
}

static bool
is_described (OdlViewport *self)
{
  return detail (self, "modality") || detail (self, "image-orientation");
}

// The words that there are, with `between`; NULL without any. Transfer full.
static char *
join (const char *between, const char *const *words, size_t n)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (size_t i = 0; i < n; i++)
    if (words[i])
      g_string_append_printf (text, "%s%s", text->len > 0 ? between : "", words[i]);
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

// The name, then `between`, then number, birth and sex. `between` NULL, for narrow
// canvases: the name alone, the given names below the family name.
static char *
person_text (OdlViewport *self, const char *between)
{
  g_autofree char *date = odl_diagnostics_date (detail (self, "patient-birth"));
  // Translators: a date; the patient's birth. Else it could be the study's.
  g_autofree char *birth = date ? g_strdup_printf (_ ("born %s"), date) : NULL;
  const char *more[]
      = { detail (self, "patient-id"), birth, detail (self, "patient-sex") };
  g_autofree char *second = join (" · ", more, G_N_ELEMENTS (more));
  const char *lines[] = { detail (self, "patient-name"), second };
  if (odl_viewport_masks_names (self) && (lines[0] || lines[1]))
    // Translators: in the place of the patient's name, which is hidden.
    return g_strdup (_ ("Name hidden"));
  if (!between) {
    g_auto (GStrv) names = lines[0] ? g_strsplit (lines[0], ", ", 2) : NULL;
    return names ? g_strjoinv (",\n", names) : g_strdup (detail (self, "patient-id"));
  }
  return join (between, lines, G_N_ELEMENTS (lines));
}

// Patient and study. NULL: the file says nothing.
static char *
upper_text (OdlViewport *self)
{
  g_autofree char *person = person_text (self, "\n");
  g_autofree char *date = odl_diagnostics_date (detail (self, "study-date"));
  // Where there is little room, what is cut is the description.
  const char *study[] = { date, detail (self, "study") };
  g_autofree char *second = join (" · ", study, G_N_ELEMENTS (study));
  const char *lines[] = { person, second };
  return join ("\n", lines, G_N_ELEMENTS (lines));
}

bool
odl_viewport_corners_tell (OdlViewport *self)
{
  const OdlFrame *frame = odl_viewport_annotated_frame (self);
  const int side = MIN (gtk_widget_get_width (GTK_WIDGET (self)),
                        gtk_widget_get_height (GTK_WIDGET (self)));
  return frame && !frame->planes && is_described (self) && self->shows_corners
         && side >= LEAST_SIDE;
}

// Whether one direction at each edge of the canvas is true, and one scale bar: not of the
// three planes of a volume, whose directions differ, and not of coefficients.
static bool
is_picture (const OdlFrame *frame)
{
  return !frame->planes && !odl_view_is_analysis (frame->plan->view);
}

static char *
series_text (OdlViewport *self)
{
  const char *number = detail (self, "series-number");
  g_autofree char *series
      // Translators: the series' number as the file has it.
      = number ? g_strdup_printf (_ ("Series %s"), number) : NULL;
  const char *words[] = { series, detail (self, "series") };
  return join (" · ", words, G_N_ELEMENTS (words));
}

static char *
window_text (OdlViewport *self, const OdlFrame *frame)
{
  double centre, width;
  if (odl_viewport_has_own_window (self)) // its bar says it
    return NULL;
  odl_viewport_get_window (self, &centre, &width);
  return odl_diagnostics_window (centre, width,
                                 odl_image_info (frame->input)->value_map.unit);
}

// Series, picture, and of results window and zoom. The engine stands in the diagnostic
// line.
static char *
lower_text (OdlViewport *self, const OdlFrame *frame)
{
  g_autofree char *series = series_text (self);
  g_autofree char *picture = odl_viewport_picture_text (self, frame);
  g_autofree char *window = window_text (self, frame);
  g_autofree char *zoom = odl_diagnostics_zoom (odl_viewport_zoom (self));
  const char *last[] = { window, zoom };
  g_autofree char *last_line = join (" · ", last, G_N_ELEMENTS (last));
  const char *lines[]
      = { series, picture, odl_viewport_corners_tell (self) ? last_line : NULL };
  return join ("\n", lines, G_N_ELEMENTS (lines));
}

static void
set_text (GtkLabel *label, const char *text)
{
  if (g_strcmp0 (text ? text : "", gtk_label_get_text (label)) != 0)
    gtk_label_set_text (label, text ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (label), text && *text);
}

// The three planes have no number among the slices.
char *
odl_viewport_page_text (OdlViewport *self)
{
  const OdlFrame *frame = odl_viewport_annotated_frame (self);
  if (!frame || !is_described (self) || !odl_session_is_of_source (self->session, frame))
    return NULL;
  g_autofree char *person = person_text (self, " · ");
  g_autofree char *date = odl_diagnostics_date (detail (self, "study-date"));
  g_autofree char *series = series_text (self);
  g_autofree char *picture
      = frame->planes ? NULL : odl_viewport_picture_text (self, frame);
  g_autofree char *window = window_text (self, frame);
  const char *words[] = {
    detail (self, "modality"), detail (self, "study"), date, series, picture, window
  };
  g_autofree char *second = join (" · ", words, G_N_ELEMENTS (words));
  const char *lines[] = { person, second };
  return join ("\n", lines, G_N_ELEMENTS (lines));
}

// Of a file that says where it belongs, in any view of it. Between two files neither has
// a name: what the session says is of the next one before that one's picture is there.
// Which picture is painted, odl_viewport_snapshot knows.
static const OdlFrame *
described_frame (OdlViewport *self)
{
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  return frame && is_described (self) && odl_session_is_of_source (self->session, frame)
             ? frame
             : NULL;
}

// Of an organ that there are two of. NULL: the file does not say.
static const char *
side_text (OdlViewport *self)
{
  static const struct {
    const char *value, *text;
  } sides[] = { { "R", N_ ("RIGHT SIDE") },
                { "L", N_ ("LEFT SIDE") },
                { "B", N_ ("BOTH SIDES") } };
  for (size_t i = 0; i < G_N_ELEMENTS (sides); i++)
    if (g_strcmp0 (detail (self, "laterality"), sides[i].value) == 0)
      return _ (sides[i].text);
  return NULL;
}

// That somebody has marked it as one to look at. Pictures that are taken away have it,
// too.
static const char *
key_text (OdlViewport *self)
{
  const OdlFrame *frame = described_frame (self);
  bool by_others;
  if (!frame || frame->planes
      || !odl_session_is_key (self->session, frame->index, &by_others))
    return NULL;
  return by_others ? _ ("KEY PICTURE (file)") : _ ("KEY PICTURE");
}

// Whether another volume lies over it in colours.
static bool
is_fused (OdlViewport *self)
{
  const OdlFrame *frame = described_frame (self);
  const OdlOutlines *drawn = frame ? odl_viewport_outlines (self, frame) : NULL;
  return drawn && drawn->pictures->len > 0;
}

// The side, what lies over the picture, and what has been done to it before it was
// stored.
char *
odl_viewport_file_marks (OdlViewport *self)
{
  const char *type = detail (self, "image-type");
  const bool lossy = g_strcmp0 (detail (self, "lossy"), "yes") == 0;
  const char *marks[]
      = { key_text (self), side_text (self),
          // Translators: another volume lies over the picture in colours.
          is_fused (self) ? _ ("FUSION") : NULL, lossy ? _ ("LOSSY") : NULL,
          type && g_str_has_prefix (type, "DERIVED") ? _ ("DERIVED") : NULL,
          // Translators: not all pictures of the series came from an archive.
          odl_spool_is_incomplete (odl_session_file (self->session)) ? _ ("INCOMPLETE")
                                                                     : NULL };
  return described_frame (self) ? join (" · ", marks, G_N_ELEMENTS (marks)) : NULL;
}

// ---- directions and the bar ----------------------------------------------------------

// How far a step to the right, or downwards, on the canvas goes in the image.
static OdlPoint
step_in_image (const OdlView *view, int width, int height, OdlPoint step)
{
  const OdlPoint middle = { width / 2.0, height / 2.0 };
  const OdlPoint a = odl_view_to_image (view, width, height, middle);
  const OdlPoint b = odl_view_to_image (
      view, width, height, (OdlPoint){ middle.x + step.x, middle.y + step.y });
  return (OdlPoint){ b.x - a.x, b.y - a.y };
}

bool
odl_viewport_find_letters (OdlViewport *self,
                           const OdlView *view,
                           int width,
                           int height,
                           OdlLetters letters)
{
  double cosines[6];
  const char *stands = detail (self, "stands-on");
  const OdlFrame *frame = described_frame (self);
  // Quadrupeds have other words.
  memset (letters, 0, sizeof (OdlLetters));
  const bool known
      = frame && is_picture (frame) && self->shows_corners
        && (!stands || g_str_equal (stands, "BIPED"))
        && (odl_directions_parse (detail (self, "image-orientation"), cosines)
            || odl_directions_parse_sides (detail (self, "sides"), cosines));
  for (int edge = 0; edge < ODL_N_EDGES; edge++) {
    const OdlPoint step = step_in_image (view, width, height, odl_edge_steps[edge]);
    if (known)
      odl_directions_letters (cosines, step, letters[edge]);
  }
  return known;
}

static void
set_bar (OdlViewport *self,
         const OdlView *view,
         const OdlFrame *frame,
         int width,
         int height)
{
  const OdlScale own = odl_viewport_scale (self, frame, frame->input);
  bool others;
  const OdlScale scale = odl_scale_for_bar (&own, &others);
  const OdlPoint step = step_in_image (view, width, height, (OdlPoint){ 1, 0 });
  const double mm = odl_scale_distance (&scale, (OdlPoint){ 0, 0 }, step);
  const double length = scale.known ? odl_directions_bar (mm * width * LONGEST_BAR) : 0;
  const int factor = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const int bar = length > 0 ? (int) round (length / mm / factor) : 0;
  if (bar != self->corners.bar_width)
    gtk_widget_queue_allocate (GTK_WIDGET (self));
  self->corners.bar_width = bar;
  // Translators: beside the scale of an ultrasound picture, which its Doppler spectrum or
  // M-mode does not have.
  const char *note = others ? _ ("in 2D")
                     : scale.place == ODL_SPACING_BY_HAND
                         // Translators: beside a scale bar: somebody calibrated it.
                         ? _ ("by hand")
                         : odl_scale_note (&scale);
  g_autofree char *text = length >= 10    ? g_strdup_printf (_ ("%g cm"), length / 10)
                          : length >= 0.1 ? g_strdup_printf (_ ("%g mm"), length)
                                          : g_strdup_printf (_ ("%g µm"), 1000 * length);
  g_autofree char *whole = g_strjoin (" ", text, note, NULL);
  set_text (self->corners.bar, bar >= LEAST_BAR ? whole : NULL);
}

// ---- labels --------------------------------------------------------------------------

// Of a camera: whether what is seen happens now. NULL: it is none.
static const char *
live_text (OdlViewport *self)
{
  if (!self->session || !odl_session_info (self->session)->capture
      || !odl_session_frame (self->session))
    return NULL;
  return odl_session_trouble (self->session)   ? _ ("NO SIGNAL")
         : odl_session_playing (self->session) ? _ ("LIVE")
                                               : _ ("FROZEN");
}

// Whether it happens now, what the file says of itself, and whether several of its pixels
// share one of the screen.
static char *
marks_text (OdlViewport *self, const OdlFrame *frame)
{
  g_autofree char *file = odl_viewport_file_marks (self);
  const bool reduced = frame && odl_viewport_zoom (self) < 1 - REDUCED;
  g_autofree char *saved = frame ? odl_viewport_saved_mark (self, frame) : NULL;
  const char *marks[]
      = { live_text (self), file, saved, reduced ? _ ("DISPLAY REDUCED") : NULL };
  return join (" · ", marks, G_N_ELEMENTS (marks));
}

void
odl_viewport_update_corners (OdlViewport *self)
{
  OdlCorners *corners = &self->corners;
  const OdlFrame *frame = described_frame (self);
  OdlFrame *shown = self->session ? odl_session_frame (self->session) : NULL;
  g_clear_pointer (&self->words_of, odl_frame_unref);
  self->words_of = shown ? odl_frame_ref (shown) : NULL;
  const int factor = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const int width = gtk_widget_get_width (GTK_WIDGET (self)) * factor;
  const int height = gtk_widget_get_height (GTK_WIDGET (self)) * factor;
  const int side = frame && self->shows_corners ? MIN (width, height) / factor : 0;
  const bool fits = side >= LEAST_SIDE;
  // They stay when the rest is hidden.
  g_autofree char *marks = self->capture ? NULL : marks_text (self, frame);
  // The upper corner of coefficients has the names of bands.
  const bool apart = frame && odl_view_is_analysis (frame->plan->view);
  const bool fits_name = side >= LEAST_SIDE_OF_LETTERS;
  g_autofree char *upper = fits        ? upper_text (self)
                           : fits_name ? person_text (self, NULL)
                                       : NULL;
  g_autofree char *lower = fits ? lower_text (self, frame) : NULL;
  const char *all[] = { upper, lower };
  g_autofree char *both = apart ? join ("\n", all, G_N_ELEMENTS (all)) : NULL;
  set_text (corners->upper, apart ? NULL : upper);
  set_text (corners->lower, apart ? both : lower);
  set_text (corners->marks, marks);
  if (fits_name && is_picture (frame)) {
    OdlView view = self->view;
    const int pane = odl_viewport_panes (self, width).width;
    odl_viewport_layout (self, &view, pane, height);
    OdlLetters letters;
    odl_viewport_find_letters (self, &view, pane, height, letters);
    for (int edge = 0; edge < ODL_N_EDGES; edge++)
      set_text (self->corners.edges[edge], self->capture ? NULL : letters[edge]);
    set_bar (self, &view, frame, pane, height);
    return;
  }
  for (int edge = 0; edge < ODL_N_EDGES; edge++)
    set_text (corners->edges[edge], NULL);
  set_text (corners->bar, NULL);
}

static GtkLabel *
add_label (OdlViewport *self, const char *name, float align)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_widget_set_name (label, name);
  gtk_widget_add_css_class (label, "corner");
  gtk_widget_add_css_class (label, "numeric");
  gtk_label_set_xalign (GTK_LABEL (label), align);
  gtk_label_set_justify (GTK_LABEL (label),
                         align > 0.5F ? GTK_JUSTIFY_RIGHT : GTK_JUSTIFY_LEFT);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_can_target (label, FALSE);
  gtk_widget_set_visible (label, FALSE);
  gtk_widget_set_parent (label, GTK_WIDGET (self));
  return GTK_LABEL (label);
}

void
odl_viewport_add_corners (OdlViewport *self)
{
  static const char *const names[ODL_N_EDGES] = {
    [ODL_EDGE_LEFT] = "edge-left",
    [ODL_EDGE_RIGHT] = "edge-right",
    [ODL_EDGE_TOP] = "edge-top",
    [ODL_EDGE_BOTTOM] = "edge-bottom",
  };
  self->corners.upper = add_label (self, "corner-upper", 0);
  self->corners.lower = add_label (self, "corner-lower", 1);
  self->corners.bar = add_label (self, "scale-bar", 0.5F);
  gtk_widget_add_css_class (GTK_WIDGET (self->corners.bar), "scale-bar");
  self->corners.marks = add_label (self, "corner-marks", 1);
  gtk_widget_add_css_class (GTK_WIDGET (self->corners.marks), "corner-marks");
  // Half a mark warns of nothing.
  gtk_label_set_ellipsize (self->corners.marks, PANGO_ELLIPSIZE_NONE);
  gtk_label_set_wrap (self->corners.marks, TRUE);
  for (int edge = 0; edge < ODL_N_EDGES; edge++)
    self->corners.edges[edge] = add_label (self, names[edge], 0.5F);
  self->shows_corners = true;
}

static void
remove_label (GtkLabel **label)
{
  if (*label)
    gtk_widget_unparent (GTK_WIDGET (*label));
  *label = NULL;
}

void
odl_viewport_remove_corners (OdlViewport *self)
{
  g_clear_handle_id (&self->corners.place_id, g_source_remove);
  remove_label (&self->corners.upper);
  remove_label (&self->corners.lower);
  remove_label (&self->corners.bar);
  remove_label (&self->corners.marks);
  for (int edge = 0; edge < ODL_N_EDGES; edge++)
    remove_label (&self->corners.edges[edge]);
}

// ---- switches ------------------------------------------------------------------------

void
odl_viewport_set_shows_corners (OdlViewport *self, bool shows)
{
  self->shows_corners = shows;
  odl_viewport_update_corners (self);
  odl_viewport_redraw (self); // names of bands
  odl_viewport_changed (self);
}

bool
odl_viewport_shows_corners (OdlViewport *self)
{
  return self->shows_corners;
}

void
odl_viewport_set_masks_names (OdlViewport *self, bool masks)
{
  odl_names_set_hidden (odl_names_of (self->session), masks);
}

bool
odl_viewport_masks_names (OdlViewport *self)
{
  return odl_names_are_hidden (odl_names_of (self->session));
}
