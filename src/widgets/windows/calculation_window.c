// SPDX-License-Identifier: MIT
#include "widgets/windows/calculation_window.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "image/annotation/table.h"
#include "widgets/window/parts.h"
#include "widgets/windows/child_window.h"

#define KEY "calculation"
#define WIDTH 480
#define HEIGHT 600
#define UPDATE_MS 250
#define MOST_THINGS 200

// A measured thing that can be an input. Borrowed, until annotations or frames change.
typedef struct {
  OdlSession *session;
  const OdlAnnotation *annotation;
  OdlScale scale;
} Thing;

// One that was chosen; id 0: none, and the first that is free is taken.
typedef struct {
  const OdlSession *session;
  unsigned id;
} Choice;

typedef struct {
  const OdlWindowParts *parts;
  AdwComboRow *kinds;
  AdwComboRow *inputs[ODL_CALCULATION_MAX_INPUTS];
  Choice shown[ODL_CALCULATION_MAX_INPUTS][MOST_THINGS + 1]; // in the rows
  guint n_shown[ODL_CALCULATION_MAX_INPUTS];
  Choice chosen[ODL_CALCULATION_MAX_INPUTS];
  char *wanted[ODL_CALCULATION_MAX_INPUTS]; // of a workspace, not there yet; NULL: none
  GtkLabel *result, *note, *formula, *source, *warning;
  GtkWidget *copy;
  char *line; // for the clipboard; NULL: there is no result
  bool updating;
} Window;

static void
forget_wanted (Window *self)
{
  for (int i = 0; i < ODL_CALCULATION_MAX_INPUTS; i++)
    g_clear_pointer (&self->wanted[i], g_free);
}

static void
window_free (void *data)
{
  Window *self = data;
  forget_wanted (self);
  g_free (self->line);
  g_free (self);
}

static const OdlCalculation *
chosen_calculation (const Window *self)
{
  return odl_calculation_at (adw_combo_row_get_selected (self->kinds));
}

// ---- things --------------------------------------------------------------------------

// Those of all panes that fit, whose scale is known to hold there; never of two patients.
// Transfer full.
static GArray *
list_things (const Window *self, const OdlCalculationInput *input)
{
  const OdlLayout *layout = self->parts->layout;
  GArray *things = g_array_new (FALSE, FALSE, sizeof (Thing));
  for (int p = 0; p < odl_layout_count (layout); p++) {
    const OdlPane *pane = odl_layout_nth (layout, p);
    OdlAnnotations *all = pane->session && !gtk_widget_get_visible (pane->stranger)
                              ? odl_session_annotations (pane->session)
                              : NULL;
    for (int i = 0; i < odl_annotations_count (all) && things->len < MOST_THINGS; i++) {
      Thing thing = { pane->session, odl_annotations_at (all, i), { 0 } };
      if (odl_calculation_fits (input, thing.annotation)
          && odl_viewport_scale_of (pane->viewport, thing.annotation, &thing.scale))
        g_array_append_val (things, thing);
    }
  }
  return things;
}

// "Length, 46.0 mm (frame 3)".
static char *
name_thing (const Window *self, const Thing *thing)
{
  const OdlLayout *layout = self->parts->layout;
  const OdlSubject subject = { .scale = thing->scale };
  g_autofree char *lines_of = odl_annotation_to_text (thing->annotation, &subject);
  g_auto (GStrv) lines = g_strsplit (lines_of, "\n", -1);
  g_autofree char *text = g_strjoinv (", ", lines);
  g_autofree char *place = NULL;
  if (odl_session_info (thing->session)->n_frames > 1)
    // Translators: where something was measured.
    place = g_strdup_printf (_ (" (frame %d)"), (int) thing->annotation->frame + 1);
  for (int p = 0; odl_layout_count (layout) > 1 && p < odl_layout_count (layout); p++)
    if (odl_layout_nth (layout, p)->session == thing->session) {
      g_autofree char *frame = g_steal_pointer (&place);
      // Translators: where something was measured.
      place = g_strdup_printf (_ (" (pane %d)%s"), p + 1, frame ? frame : "");
    }
  return g_strdup_printf ("%s, %s%s", _ (thing->annotation->kind->title), text,
                          place ? place : "");
}

static bool
is_chosen (const Choice *choice, const Thing *thing)
{
  return choice->session == thing->session && choice->id == thing->annotation->id;
}

static bool
is_taken (const Choice *taken, int n, const Thing *thing)
{
  for (int i = 0; i < n; i++)
    if (is_chosen (&taken[i], thing))
      return true;
  return false;
}

// “pane kind frame numbers”, which says which one it is when a workspace comes back.
// Transfer full.
static char *
describe_thing (const Window *self, const OdlSession *session, const OdlAnnotation *one)
{
  const OdlLayout *layout = self->parts->layout;
  g_autofree char *numbers = odl_annotation_to_numbers (one);
  int pane = 0;
  while (pane < odl_layout_count (layout)
         && odl_layout_nth (layout, pane)->session != session)
    pane++;
  return g_strdup_printf ("%d %s %" PRId64 " %s", pane + 1, one->kind->name,
                          one->frame + 1, numbers);
}

// What a workspace had chosen, if it is there by now.
static void
take_wanted (Window *self, int input, const GArray *things)
{
  for (guint i = 0; self->wanted[input] && i < things->len; i++) {
    const Thing *thing = &g_array_index (things, Thing, i);
    g_autofree char *text = describe_thing (self, thing->session, thing->annotation);
    if (!g_str_equal (text, self->wanted[input]))
      continue;
    self->chosen[input] = (Choice){ thing->session, thing->annotation->id };
    g_clear_pointer (&self->wanted[input], g_free);
  }
}

// The one that was chosen, else the first one that no input before has; −1: none.
static int
find_thing (const GArray *things, const Choice *chosen, const Choice *taken, int n_taken)
{
  for (guint i = 0; chosen->id && i < things->len; i++)
    if (is_chosen (chosen, &g_array_index (things, Thing, i)))
      return (int) i;
  for (guint i = 0; i < things->len; i++)
    if (!is_taken (taken, n_taken, &g_array_index (things, Thing, i)))
      return (int) i;
  return -1;
}

// ---- rows ----------------------------------------------------------------------------

static bool
shows_names (AdwComboRow *row, const char *const *names)
{
  GListModel *model = adw_combo_row_get_model (row);
  const guint n = model ? g_list_model_get_n_items (model) : 0;
  if (n != g_strv_length ((char **) names))
    return false;
  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (gtk_string_list_get_string (GTK_STRING_LIST (model), i), names[i])
        != 0)
      return false;
  return true;
}

// The things of one input, after “none” where none is taken.
static void
show_input (Window *self, int i, const GArray *things, int taken)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  AdwComboRow *row = self->inputs[i];
  self->n_shown[i] = 0;
  if (taken < 0) {
    // Translators: no measured thing is this input.
    g_ptr_array_add (names, g_strdup (_ ("none")));
    self->shown[i][self->n_shown[i]++] = (Choice){ 0 };
  }
  for (guint t = 0; t < things->len; t++) {
    const Thing *thing = &g_array_index (things, Thing, t);
    g_ptr_array_add (names, name_thing (self, thing));
    self->shown[i][self->n_shown[i]++]
        = (Choice){ thing->session, thing->annotation->id };
  }
  g_ptr_array_add (names, NULL);
  if (!shows_names (row, (const char *const *) (void *) names->pdata)) {
    g_autoptr (GtkStringList) list
        = gtk_string_list_new ((const char *const *) (void *) names->pdata);
    adw_combo_row_set_model (row, G_LIST_MODEL (list));
  }
  adw_combo_row_set_selected (row, (guint) MAX (taken, 0));
}

// Takes a thing for each input, and shows them where `shows`.
static void
take_inputs (Window *self, OdlCalculationPart *parts, bool shows)
{
  const OdlCalculation *calculation = chosen_calculation (self);
  Choice taken[ODL_CALCULATION_MAX_INPUTS] = { 0 };
  for (int i = 0; i < calculation->n_inputs; i++) {
    g_autoptr (GArray) things = list_things (self, &calculation->inputs[i]);
    take_wanted (self, i, things);
    const int at = find_thing (things, &self->chosen[i], taken, i);
    parts[i] = (OdlCalculationPart){ 0 };
    if (at >= 0) {
      const Thing *thing = &g_array_index (things, Thing, at);
      taken[i] = (Choice){ thing->session, thing->annotation->id };
      parts[i] = (OdlCalculationPart){ thing->annotation, thing->scale, thing->session };
    }
    if (shows)
      show_input (self, i, things, at);
  }
}

static void
set_text (GtkLabel *label, const char *text)
{
  if (g_strcmp0 (gtk_label_get_text (label), text) != 0)
    gtk_label_set_text (label, text);
  gtk_widget_set_visible (GTK_WIDGET (label), *text != '\0');
}

static void
update (Window *self)
{
  const OdlCalculation *calculation = chosen_calculation (self);
  OdlCalculationPart parts[ODL_CALCULATION_MAX_INPUTS];
  g_auto (OdlCalculated) done = { 0 };
  g_autoptr (GError) error = NULL;
  self->updating = true;
  for (int i = 0; i < ODL_CALCULATION_MAX_INPUTS; i++) {
    const bool used = i < calculation->n_inputs;
    gtk_widget_set_visible (GTK_WIDGET (self->inputs[i]), used);
    if (used)
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->inputs[i]),
                                     _ (calculation->inputs[i].title));
  }
  take_inputs (self, parts, true);
  self->updating = false;
  const bool has_result = odl_calculate (calculation, parts, &done, &error);
  g_autofree char *text
      = has_result ? odl_calculated_to_text (calculation, &done) : g_strdup ("");
  g_clear_pointer (&self->line, g_free);
  if (has_result)
    self->line = odl_calculated_to_line (calculation, &done);
  set_text (self->result, text);
  set_text (self->note, !has_result ? error->message : done.note ? done.note : "");
  set_text (self->formula, _ (calculation->formula));
  set_text (self->source, calculation->source ? calculation->source : "");
  gtk_widget_set_sensitive (self->copy, has_result);
}

static gboolean
update_cb (void *data)
{
  Window *self = data;
  if (self->parts->session)
    update (self);
  return G_SOURCE_CONTINUE;
}

static void
kind_chosen_cb (Window *self)
{
  forget_wanted (self);
  for (int i = 0; i < ODL_CALCULATION_MAX_INPUTS; i++)
    self->chosen[i] = (Choice){ 0 };
  update (self);
}

// The other inputs stay what they are, too.
static void
input_chosen_cb (Window *self)
{
  if (self->updating)
    return;
  forget_wanted (self);
  for (int i = 0; i < chosen_calculation (self)->n_inputs; i++) {
    const guint selected = adw_combo_row_get_selected (self->inputs[i]);
    if (selected < self->n_shown[i])
      self->chosen[i] = self->shown[i][selected];
  }
  update (self);
}

// ---- taking it away ------------------------------------------------------------------

static void
copy_cb (Window *self)
{
  if (!self->line)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self->parts->window)),
                          self->line);
  odl_messages_say (self->parts->messages, _ ("The calculation is copied"));
}

static Window *
find_window (OdlMainWindow *parent)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *at = windows; at; at = at->next)
    if (gtk_window_get_transient_for (at->data) == GTK_WINDOW (parent)
        && g_object_get_data (at->data, KEY))
      return g_object_get_data (at->data, KEY);
  return NULL;
}

// Whether there is a result of what the active pane shows.
static bool
calculate (Window *self, OdlCalculationPart *parts, OdlCalculated *done)
{
  if (!self || !self->parts->session)
    return false;
  const OdlCalculation *calculation = chosen_calculation (self);
  take_inputs (self, parts, false);
  for (int i = 0; i < calculation->n_inputs; i++)
    if (parts[i].source != self->parts->session)
      return false;
  return odl_calculate (calculation, parts, done, NULL);
}

char *
odl_calculation_window_row (OdlMainWindow *parent)
{
  Window *self = find_window (parent);
  OdlCalculationPart parts[ODL_CALCULATION_MAX_INPUTS];
  g_auto (OdlCalculated) done = { 0 };
  if (!calculate (self, parts, &done))
    return NULL;
  OdlSession *session = self->parts->session;
  const char *word = odl_names_word (odl_names_of (session));
  GString *row = g_string_new (NULL);
  odl_measure_table_add_calculated (row, word ? word : odl_session_info (session)->name,
                                    parts[0].annotation->frame + 1,
                                    chosen_calculation (self), parts, &done);
  return g_string_free (row, FALSE);
}

char *
odl_calculation_window_line (OdlMainWindow *parent, const OdlAnnotation **of)
{
  Window *self = find_window (parent);
  OdlCalculationPart parts[ODL_CALCULATION_MAX_INPUTS];
  g_auto (OdlCalculated) done = { 0 };
  if (!calculate (self, parts, &done))
    return NULL;
  const OdlFrame *frame = odl_session_frame (self->parts->session);
  *of = parts[0].annotation;
  return frame && odl_annotation_is_on (*of, frame->index, NULL)
             ? odl_calculated_to_line (chosen_calculation (self), &done)
             : NULL;
}

// ---- workspaces ----------------------------------------------------------------------

void
odl_calculation_window_save (OdlMainWindow *parent, OdlWorkspace *workspace)
{
  Window *self = find_window (parent);
  OdlCalculationPart parts[ODL_CALCULATION_MAX_INPUTS];
  if (!self || !self->parts->session)
    return;
  const OdlCalculation *calculation = chosen_calculation (self);
  g_autoptr (GStrvBuilder) from = g_strv_builder_new ();
  take_inputs (self, parts, false);
  for (int i = 0; i < calculation->n_inputs; i++) {
    // What a workspace wants and is not there yet is still wanted.
    g_autofree char *text = self->wanted[i]       ? g_strdup (self->wanted[i])
                            : parts[i].annotation ? describe_thing (self, parts[i].source,
                                                                    parts[i].annotation)
                                                  : g_strdup ("");
    g_strv_builder_add (from, text);
  }
  workspace->calculation = g_strdup (calculation->name);
  workspace->calculated_from = g_strv_builder_end (from);
}

void
odl_calculation_window_restore (OdlMainWindow *parent, const OdlWorkspace *workspace)
{
  size_t at = 0;
  while (odl_calculation_at (at)
         && !g_str_equal (odl_calculation_at (at)->name, workspace->calculation))
    at++;
  if (!odl_calculation_at (at))
    return;
  odl_calculation_window_present (parent);
  Window *self = find_window (parent);
  adw_combo_row_set_selected (self->kinds, (guint) at);
  kind_chosen_cb (self);
  char **from = workspace->calculated_from;
  for (int i = 0; i < ODL_CALCULATION_MAX_INPUTS && from && from[i]; i++)
    self->wanted[i] = *from[i] ? g_strdup (from[i]) : NULL;
  update (self);
}

// ---- window --------------------------------------------------------------------------

static GtkLabel *
add_label (GtkBox *box, const char *style)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, style);
  gtk_box_append (box, label);
  return GTK_LABEL (label);
}

static AdwComboRow *
add_row (AdwPreferencesGroup *group)
{
  GtkWidget *row = adw_combo_row_new ();
  adw_preferences_group_add (group, row);
  return ADW_COMBO_ROW (row);
}

static void
add_rows (Window *self, GtkBox *box)
{
  GtkWidget *kinds = adw_preferences_group_new ();
  GtkWidget *inputs = adw_preferences_group_new ();
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  for (size_t i = 0; odl_calculation_at (i); i++)
    gtk_string_list_append (names, _ (odl_calculation_at (i)->title));
  self->kinds = add_row (ADW_PREFERENCES_GROUP (kinds));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->kinds), _ ("Calculation"));
  adw_combo_row_set_model (self->kinds, G_LIST_MODEL (names));
  g_signal_connect_swapped (self->kinds, "notify::selected", G_CALLBACK (kind_chosen_cb),
                            self);
  // Translators: above the measured things that a calculation is made from.
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (inputs), _ ("From"));
  for (int i = 0; i < ODL_CALCULATION_MAX_INPUTS; i++) {
    self->inputs[i] = add_row (ADW_PREFERENCES_GROUP (inputs));
    g_signal_connect_swapped (self->inputs[i], "notify::selected",
                              G_CALLBACK (input_chosen_cb), self);
  }
  gtk_box_append (box, kinds);
  gtk_box_append (box, inputs);
}

static GtkWidget *
make_content (Window *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  GtkWidget *result = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_bottom (box, 18);
  add_rows (self, GTK_BOX (box));
  self->result = add_label (GTK_BOX (result), "title-2");
  self->note = add_label (GTK_BOX (result), "heading");
  self->warning = add_label (GTK_BOX (result), "heading");
  self->formula = add_label (GTK_BOX (result), "dim-label");
  self->source = add_label (GTK_BOX (result), "dim-label");
  set_text (self->warning, odl_calculation_warning ());
  gtk_box_append (GTK_BOX (box), result);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static GtkWidget *
make_header (Window *self)
{
  GtkWidget *bar = adw_header_bar_new ();
  self->copy = odl_child_window_button ("edit-copy-symbolic", _ ("Copy the result"),
                                        G_CALLBACK (copy_cb), self);
  adw_header_bar_pack_start (ADW_HEADER_BAR (bar), self->copy);
  return bar;
}

static GtkWidget *
make_window (OdlMainWindow *parent)
{
  Window *self = g_new0 (Window, 1);
  GtkWidget *window
      = odl_child_window_new (GTK_WINDOW (parent), _ ("Calculations"), WIDTH, HEIGHT);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->parts = odl_main_window_parts (parent);
  g_object_set_data_full (G_OBJECT (window), KEY, self, window_free);
  GtkWidget *header = make_header (self);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), make_content (self));
  adw_window_set_content (ADW_WINDOW (window), box);
  odl_child_window_follow (window, UPDATE_MS, update_cb, self);
  gtk_widget_grab_focus (GTK_WIDGET (self->kinds));
  return window;
}

GtkWindow *
odl_calculation_window_present (OdlMainWindow *parent)
{
  return odl_child_window_present (parent, KEY, make_window);
}
