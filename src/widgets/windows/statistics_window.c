// SPDX-License-Identifier: MIT
#include "widgets/windows/statistics_window.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "image/quality/statistics.h"
#include "widgets/windows/child_window.h"
#include "widgets/diagnostics.h"
#include "widgets/window/parts.h"

#define WIDTH 460
#define HEIGHT 680
#define UPDATE_MS 250
#define MOST_REGIONS 100

typedef struct {
  const OdlWindowParts *parts;
  GtkWidget *nothing; // in the place of the rest
  GtkWidget *content;
  AdwComboRow *choices[2]; // region, background
  GtkLabel *sides; // what stands at either side of the arrows
  GtkWidget *choosing; // both; there is nothing to choose among less than two
  AdwPreferencesGroup *groups[ODL_N_STATISTIC_GROUPS];
  GPtrArray *rows; // AdwActionRow, of `shown`
  GArray *shown; // OdlStatisticRow
  unsigned ids[MOST_REGIONS]; // of the regions in the choices
  guint n_regions;
  unsigned chosen[2]; // their ids; 0: as it comes
  bool updating;
} Statistics;

static void
statistics_free (void *data)
{
  Statistics *self = data;
  g_ptr_array_unref (self->rows);
  g_array_unref (self->shown);
  g_free (self);
}

// ---- regions -------------------------------------------------------------------------

// Those on the frame that is shown, in the order in which they were made.
static guint
list_regions (const OdlWindowParts *parts, unsigned *ids)
{
  OdlAnnotations *all = odl_session_annotations (parts->session);
  guint n = 0;
  for (int i = 0; i < odl_annotations_count (all) && n < MOST_REGIONS; i++) {
    const OdlAnnotation *annotation = odl_annotations_at (all, i);
    OdlAnnotation laid;
    if (annotation->kind->values && odl_viewport_lay (parts->viewport, annotation, &laid))
      ids[n++] = annotation->id;
  }
  return n;
}

// The one chosen, else the one selected on the canvas, else the last; for the background
// the last one that is not the region.
static void
choose (const OdlWindowParts *parts,
        const unsigned *ids,
        guint n,
        const unsigned *chosen,
        const OdlAnnotation *found[2])
{
  OdlAnnotations *all = odl_session_annotations (parts->session);
  const unsigned selected = odl_viewport_selected (parts->viewport);
  unsigned region = n > 0 ? ids[n - 1] : 0, background = 0;
  for (guint i = 0; i < n; i++)
    if (ids[i] == selected && !chosen[0])
      region = selected;
  for (guint i = 0; i < n; i++)
    if (ids[i] == chosen[0])
      region = chosen[0];
  for (guint i = 0; i < n; i++)
    if (ids[i] != region && (!background || background != chosen[1]))
      background = ids[i];
  found[0] = odl_annotations_find (all, region);
  found[1] = odl_annotations_find (all, background);
}

static char *
name_region (const OdlAnnotation *annotation)
{
  return g_strdup_printf (
      // Translators: a region, such as “Ellipse”, and column and row where it begins.
      _ ("%s at %.0f, %.0f"), _ (annotation->kind->title), annotation->points[0].x,
      annotation->points[0].y);
}

// ---- values --------------------------------------------------------------------------

// Four digits say all that regions tell apart; numbers of pixels are whole.
char *
odl_statistics_number (double value)
{
  if (isinf (value)) // of pictures that are the same
    return g_strdup (value > 0 ? "∞" : "−∞");
  const double places
      = value == 0 || value == floor (value) ? 0 : 3 - floor (log10 (fabs (value)));
  const double unit = pow (10, fmax (places, 0));
  return odl_text_with_minus (odl_diagnostics_number (round (value * unit) / unit));
}

static char *
value_text (const OdlStatisticRow *row)
{
  g_autofree char *before = !isnan (row->before)
                                ? odl_statistics_number (row->before)
                                // Translators: a value that does not exist.
                                : g_strdup (_ ("none"));
  g_autofree char *after
      = !isnan (row->after) ? odl_statistics_number (row->after) : NULL;
  return g_strdup_printf ("%s%s%s%s%s", before, after ? " → " : "", after ? after : "",
                          *row->unit ? " " : "", row->unit);
}

static void
remove_rows (Statistics *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    adw_preferences_group_remove (
        self->groups[g_array_index (self->shown, OdlStatisticRow, i).group],
        self->rows->pdata[i]);
  g_ptr_array_set_size (self->rows, 0);
}

static void
add_row (Statistics *self, const OdlStatisticRow *row)
{
  GtkWidget *widget = adw_action_row_new ();
  GtkWidget *value = gtk_label_new (NULL);
  gtk_label_set_selectable (GTK_LABEL (value), TRUE);
  gtk_widget_add_css_class (value, "numeric");
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (widget), row->label);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (widget), row->formula);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (widget), 0);
  adw_action_row_add_suffix (ADW_ACTION_ROW (widget), value);
  g_object_set_data (G_OBJECT (widget), "value", value);
  adw_preferences_group_add (self->groups[row->group], widget);
  g_ptr_array_add (self->rows, widget);
}

static bool
are_alike (const GArray *a, const GArray *b)
{
  bool alike = a->len == b->len;
  for (guint i = 0; alike && i < a->len; i++)
    alike = g_array_index (a, OdlStatisticRow, i).group
                == g_array_index (b, OdlStatisticRow, i).group
            && g_str_equal (g_array_index (a, OdlStatisticRow, i).name,
                            g_array_index (b, OdlStatisticRow, i).name);
  return alike;
}

// Rows stay as long as they say the same of other values, so that none loses the focus.
static void
show_rows (Statistics *self, GArray *rows)
{
  bool used[ODL_N_STATISTIC_GROUPS] = { false };
  const bool alike = are_alike (rows, self->shown);
  if (!alike)
    remove_rows (self);
  g_array_unref (self->shown);
  self->shown = rows;
  for (guint i = 0; i < rows->len; i++) {
    const OdlStatisticRow *row = &g_array_index (rows, OdlStatisticRow, i);
    if (!alike)
      add_row (self, row);
    GtkLabel *label = g_object_get_data (self->rows->pdata[i], "value");
    g_autofree char *text = value_text (row);
    if (g_strcmp0 (text, gtk_label_get_text (label)) != 0)
      gtk_label_set_text (label, text);
    used[row->group] = true;
  }
  for (int g = 0; g < ODL_N_STATISTIC_GROUPS; g++)
    gtk_widget_set_visible (GTK_WIDGET (self->groups[g]), used[g]);
}

// ---- following the picture -----------------------------------------------------------

static void
fill_choices (Statistics *self, const unsigned *ids, guint n)
{
  OdlAnnotations *all = odl_session_annotations (self->parts->session);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = name_region (odl_annotations_find (all, ids[i]));
    gtk_string_list_append (names, name);
    self->ids[i] = ids[i];
  }
  self->n_regions = n;
  for (int c = 0; c < 2; c++)
    adw_combo_row_set_model (self->choices[c], G_LIST_MODEL (names));
}

static void
show_choices (Statistics *self, const OdlAnnotation *const found[2])
{
  gtk_widget_set_visible (self->choosing, self->n_regions > 1);
  for (int c = 0; c < 2; c++) {
    for (guint i = 0; i < self->n_regions; i++)
      if (found[c] && self->ids[i] == found[c]->id)
        adw_combo_row_set_selected (self->choices[c], i);
  }
}

// Points on the frame that is shown, of OdlAnnotation. Transfer full.
static GArray *
list_points (const OdlWindowParts *parts)
{
  OdlAnnotations *all = odl_session_annotations (parts->session);
  GArray *points = g_array_new (FALSE, FALSE, sizeof (OdlAnnotation));
  for (int i = 0; i < odl_annotations_count (all); i++) {
    OdlAnnotation laid;
    if (odl_annotations_at (all, i)->kind == &odl_annotation_point
        && odl_viewport_lay (parts->viewport, odl_annotations_at (all, i), &laid))
      g_array_append_val (points, laid);
  }
  return points;
}

// Which two pictures the numbers are of: two ways that are compared, or what came and
// what the filters make of it. Transfer full.
static char *
sides_text (const OdlWindowParts *parts, const OdlSubject *subject)
{
  const OdlFrame *frame = odl_session_frame (parts->session);
  if (!subject->filtered || !subject->after)
    return g_strdup ("");
  return frame && odl_frame_before (frame) != frame->input
             // Translators: letters of two sets of filters that are compared.
             ? g_strdup_printf (_ ("Filters %c → filters %c"), frame->other_letter,
                                frame->letter)
             : g_strdup (_ ("Original → filtered"));
}

// What stands before and after: the picture as it came and the result of the filters in
// force, or of those that they are compared with; or both results.
typedef enum { ORIGINAL_AND_OWN, ORIGINAL_AND_OTHER, OTHER_AND_OWN } Sides;

// Of regions and of points, where there are any, and against the reference, likewise.
// Transfer full.
static GArray *
collect (const OdlWindowParts *parts,
         const OdlAnnotation *const found[2], // NULL: there are none
         const OdlSubject *subject, // NULL: there is no picture
         Sides sides)
{
  const OdlReferenceNumbers *numbers = odl_reference_numbers (parts->reference);
  g_autoptr (GArray) points = list_points (parts);
  OdlAnnotation laid[2];
  const OdlAnnotation *regions[2] = { NULL, NULL };
  for (int c = 0; found && c < 2; c++)
    if (found[c] && odl_viewport_lay (parts->viewport, found[c], &laid[c]))
      regions[c] = &laid[c];
  GArray *rows = regions[0] ? odl_statistic_rows (regions[0], regions[1], subject)
                            : g_array_new (FALSE, FALSE, sizeof (OdlStatisticRow));
  if (subject)
    odl_statistic_rows_add_points (rows, (const OdlAnnotation *) (void *) points->data,
                                   points->len, subject);
  const bool lacks_other = sides != ORIGINAL_AND_OWN && numbers && !numbers->has_other;
  if (numbers && !(lacks_other && sides == ORIGINAL_AND_OTHER)) {
    const int before = sides == OTHER_AND_OWN && !lacks_other ? 2 : 0;
    const int after = sides == ORIGINAL_AND_OTHER ? 2 : 1;
    const OdlComparison *const all[]
        = { &numbers->before, &numbers->after, &numbers->other };
    odl_statistic_rows_add_reference (
        rows, all[before], all[after],
        (const double[]){ numbers->edges[before], numbers->edges[after] });
  }
  return rows;
}

static void
update (Statistics *self)
{
  const OdlWindowParts *parts = self->parts;
  unsigned ids[MOST_REGIONS];
  const guint n = list_regions (parts, ids);
  const OdlAnnotation *found[2];
  OdlSubject subject;
  const bool has_picture = odl_viewport_subject (parts->viewport, &subject);
  const bool has_region = n > 0 && has_picture;
  g_autoptr (GArray) points = list_points (parts);
  const bool any = has_region || (has_picture && points->len > 0)
                   || odl_reference_numbers (parts->reference);
  gtk_widget_set_visible (self->nothing, !any);
  gtk_widget_set_visible (self->content, any);
  if (!any)
    return;
  choose (parts, ids, n, self->chosen, found);
  self->updating = true;
  if (n != self->n_regions || memcmp (ids, self->ids, n * sizeof *ids) != 0)
    fill_choices (self, ids, n);
  show_choices (self, found);
  self->updating = false;
  g_autofree char *sides = has_picture ? sides_text (parts, &subject) : g_strdup ("");
  gtk_label_set_text (self->sides, sides);
  gtk_widget_set_visible (GTK_WIDGET (self->sides), *sides != '\0');
  const OdlFrame *frame = odl_session_frame (parts->session);
  show_rows (self,
             collect (parts, has_region ? found : NULL, has_picture ? &subject : NULL,
                      frame && frame->letter ? OTHER_AND_OWN : ORIGINAL_AND_OWN));
}

static gboolean
update_cb (void *data)
{
  Statistics *self = data;
  if (self->parts->session)
    update (self);
  return G_SOURCE_CONTINUE;
}

static void
chosen_cb (AdwComboRow *row, GParamSpec *spec, Statistics *self)
{
  const guint selected = adw_combo_row_get_selected (row);
  if (self->updating || selected >= self->n_regions)
    return;
  self->chosen[row == self->choices[1]] = self->ids[selected];
  update (self);
}

// ---- elsewhere -----------------------------------------------------------------------

GArray *
odl_statistics_rows (const OdlWindowParts *parts, bool other)
{
  static const unsigned none[2] = { 0, 0 };
  unsigned ids[MOST_REGIONS];
  const guint n = list_regions (parts, ids);
  const OdlAnnotation *found[2];
  OdlSubject subject;
  const bool has_picture = odl_viewport_subject (parts->viewport, &subject);
  if (has_picture) {
    subject.after = other ? subject.other : subject.after;
    subject.other = NULL;
  }
  choose (parts, ids, n, none, found);
  return collect (parts, n > 0 && has_picture ? found : NULL,
                  has_picture ? &subject : NULL,
                  other ? ORIGINAL_AND_OTHER : ORIGINAL_AND_OWN);
}

// ---- taking it away ------------------------------------------------------------------

char *
odl_statistics_text (const OdlWindowParts *parts, const char *start)
{
  static const unsigned none[2] = { 0, 0 };
  unsigned ids[MOST_REGIONS];
  const guint n = list_regions (parts, ids);
  const OdlAnnotation *found[2];
  OdlSubject subject;
  const bool has_picture = odl_viewport_subject (parts->viewport, &subject);
  const bool has_region = n > 0 && has_picture;
  g_autoptr (GArray) points = list_points (parts);
  if (!has_region && !(has_picture && points->len > 0)
      && !odl_reference_numbers (parts->reference))
    return NULL;
  choose (parts, ids, n, none, found);
  GString *text = g_string_new (NULL);
  for (int c = 0; has_region && c < 2 && found[c]; c++) {
    g_autofree char *numbers = odl_annotation_to_numbers (found[c]);
    g_autofree char *plane
        = found[c]->on.used ? odl_on_plane_to_text (&found[c]->on) : NULL;
    g_string_append_printf (text, "%s%s: %s %s%s%s\n", start,
                            c == 0 ? "region" : "background", found[c]->kind->name,
                            numbers, plane ? " on " : "", plane ? plane : "");
  }
  g_autoptr (GArray) rows = collect (parts, has_region ? found : NULL,
                                     has_picture ? &subject : NULL, ORIGINAL_AND_OWN);
  g_autofree char *table = odl_statistic_rows_to_text (rows);
  g_auto (GStrv) lines = g_strsplit (table, "\n", -1);
  for (int i = 0; lines[i] && *lines[i]; i++)
    g_string_append_printf (text, "%s%s\n", start, lines[i]);
  return g_string_free (text, FALSE);
}

static void
copy_cb (Statistics *self)
{
  g_autofree char *text = odl_statistic_rows_to_text (self->shown);
  if (self->shown->len == 0)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self->parts->window)),
                          text);
  odl_messages_say (self->parts->messages, _ ("Statistics copied as a table"));
}

// ---- window --------------------------------------------------------------------------

static AdwPreferencesGroup *
add_group (GtkBox *box, const char *title)
{
  GtkWidget *group = adw_preferences_group_new ();
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  gtk_box_append (box, group);
  return ADW_PREFERENCES_GROUP (group);
}

static void
add_choices (Statistics *self, GtkBox *box)
{
  AdwPreferencesGroup *group = add_group (box, "");
  const char *titles[] = { _ ("Region"), _ ("Background") };
  self->choosing = GTK_WIDGET (group);
  for (int c = 0; c < 2; c++) {
    GtkWidget *row = adw_combo_row_new ();
    self->choices[c] = ADW_COMBO_ROW (row);
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), titles[c]);
    g_signal_connect (row, "notify::selected", G_CALLBACK (chosen_cb), self);
    adw_preferences_group_add (group, row);
  }
}

static GtkWidget *
make_content (Statistics *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_bottom (box, 18);
  add_choices (self, GTK_BOX (box));
  self->sides = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->sides, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->sides), "dim-label");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->sides));
  self->groups[ODL_STATISTIC_BOTH]
      = add_group (GTK_BOX (box), _ ("Region Against Background"));
  self->groups[ODL_STATISTIC_POINTS] = add_group (GTK_BOX (box), _ ("Point Targets"));
  self->groups[ODL_STATISTIC_REFERENCE]
      = add_group (GTK_BOX (box), _ ("Against the Reference"));
  self->groups[ODL_STATISTIC_REGION] = add_group (GTK_BOX (box), _ ("Region"));
  self->groups[ODL_STATISTIC_BACKGROUND] = add_group (GTK_BOX (box), _ ("Background"));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static GtkWidget *
make_header (Statistics *self)
{
  GtkWidget *bar = adw_header_bar_new ();
  GtkWidget *copy = odl_child_window_button ("edit-copy-symbolic", _ ("Copy as a table"),
                                             G_CALLBACK (copy_cb), self);
  adw_header_bar_pack_start (ADW_HEADER_BAR (bar), copy);
  return bar;
}

static GtkWidget *
make_window (OdlMainWindow *parent)
{
  Statistics *self = g_new0 (Statistics, 1);
  GtkWidget *window = odl_child_window_new (GTK_WINDOW (parent),
                                            _ ("Statistics of Regions"), WIDTH, HEIGHT);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->parts = odl_main_window_parts (parent);
  self->rows = g_ptr_array_new ();
  self->shown = g_array_new (FALSE, FALSE, sizeof (OdlStatisticRow));
  g_object_set_data_full (G_OBJECT (window), "statistics", self, statistics_free);
  self->nothing = odl_child_window_nothing (
      "odl-ellipse-symbolic", _ ("Draw a Region"),
      _ ("An ellipse or a closed line (M, Shift+M) over the picture: what it holds "
         "before and after the filters stands here, and, with a second one, how well it "
         "stands out from that. Point targets (from the menu of M) are told by their "
         "widths."));
  self->content = make_content (self);
  gtk_box_append (GTK_BOX (box), make_header (self));
  gtk_box_append (GTK_BOX (box), self->nothing);
  gtk_box_append (GTK_BOX (box), self->content);
  adw_window_set_content (ADW_WINDOW (window), box);
  odl_child_window_follow (window, UPDATE_MS, update_cb, self);
  return window;
}

GtkWindow *
odl_statistics_window_present (OdlMainWindow *parent)
{
  return odl_child_window_present (parent, "statistics", make_window);
}
