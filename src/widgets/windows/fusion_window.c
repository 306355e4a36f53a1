// SPDX-License-Identifier: MIT
#include "widgets/windows/fusion_window.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "session/browse/studies.h"
#include "widgets/diagnostics.h"
#include "widgets/window/fusion.h"
#include "widgets/window/parts.h"
#include "widgets/windows/child_window.h"

#define WIDTH 420
#define HEIGHT 380
#define KEY "fusion-window"
#define UPDATE_MS 500
#define STEP 0.05
#define SLIDER_WIDTH 160

typedef struct {
  const OdlWindowParts *parts;
  AdwComboRow *volumes, *colours;
  GtkAdjustment *share;
  GtkLabel *range;
  GPtrArray *locations; // of the rows of volumes; "": none
  char *listed; // what the rows are
  bool filling; // the program, not a person
} Window;

static void
window_free (void *data)
{
  Window *self = data;
  g_ptr_array_unref (self->locations);
  g_free (self->listed);
  g_free (self);
}

// ---- volumes -------------------------------------------------------------------------

static char *
name_series (const OdlSeries *series)
{
  g_autofree char *date = odl_diagnostics_date (series->study_date);
  const char *words[] = { series->modality, series->series, date };
  GString *text = g_string_new (NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    if (words[i] && *words[i])
      g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", words[i]);
  return g_string_free (text, FALSE);
}

// Volumes of the list in the frame of reference of what is shown, of the same person.
static void
list_volumes (Window *self, GStrvBuilder *names)
{
  OdlSession *session = self->parts->session;
  const GPtrArray *list = odl_source_panel_studies (self->parts->source_panel);
  const char *space = odl_session_detail (session, "frame-of-reference");
  const char *shown = odl_session_info (session)->location;
  for (guint i = 0; space && *space && list && i < list->len; i++) {
    const OdlSeries *one = list->pdata[i];
    if (one->kind != ODL_SERIES_PICTURES || strcmp (one->space, space) != 0
        || g_strcmp0 (one->location, shown) == 0
        || MAX (one->n_pictures, one->n_frames) < 2)
      continue;
    g_autofree char *name = name_series (one);
    g_strv_builder_add (names, name);
    g_ptr_array_add (self->locations, g_strdup (one->location));
  }
}

static void
show_volumes (Window *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  const char *chosen = odl_window_fusion_location (self->parts);
  guint selected = 0;
  g_ptr_array_set_size (self->locations, 0);
  // Translators: no other volume is laid over the picture.
  g_strv_builder_add (builder, _ ("None"));
  g_ptr_array_add (self->locations, g_strdup (""));
  list_volumes (self, builder);
  for (guint i = 0; i < self->locations->len; i++)
    if (g_strcmp0 (self->locations->pdata[i], chosen) == 0)
      selected = i;
  if (chosen && selected == 0) {
    g_autofree char *name
        = odl_names_of_file (odl_names_of (self->parts->session), chosen, NULL);
    g_strv_builder_add (builder, name);
    g_ptr_array_add (self->locations, g_strdup (chosen));
    selected = self->locations->len - 1;
  }
  g_auto (GStrv) names = g_strv_builder_end (builder);
  g_autofree char *listed = g_strjoinv ("\n", names);
  if (g_strcmp0 (listed, self->listed) != 0) {
    g_autoptr (GtkStringList) model = gtk_string_list_new ((const char *const *) names);
    adw_combo_row_set_model (self->volumes, G_LIST_MODEL (model));
  }
  g_free (self->listed);
  self->listed = g_steal_pointer (&listed);
  if (adw_combo_row_get_selected (self->volumes) != selected)
    adw_combo_row_set_selected (self->volumes, selected);
}

// What the colours mean, or why there are none.
static char *
describe (const Window *self)
{
  const OdlFusion *fusion = odl_window_fusion (self->parts);
  if (!fusion)
    return g_strdup (
        odl_window_fusion_location (self->parts) ? _ ("It is being read…")
        : self->locations->len > 1
            ? _ ("Choose what is laid over the picture, by their places in the patient.")
            : _ ("No other volume of the list of patients and studies is in the frame of "
                 "reference of this picture."));
  double centre, width;
  odl_fusion_window (fusion, &centre, &width);
  // Translators: what the darkest and the brightest colour stand for, and the
  // unit behind a blank, if there is one.
  const char *unit = odl_fusion_unit (fusion);
  g_autofree char *of_unit
      = unit && *unit ? g_strconcat (" ", unit, NULL) : g_strdup ("");
  return g_strdup_printf (_ ("Colours from %.4g to %.4g%s; not for diagnosis."),
                          centre - width / 2, centre + width / 2, of_unit);
}

static gboolean
update_cb (void *data)
{
  Window *self = data;
  if (!self->parts->session)
    return G_SOURCE_CONTINUE;
  self->filling = true;
  show_volumes (self);
  self->filling = false;
  g_autofree char *text = describe (self);
  if (g_strcmp0 (gtk_label_get_text (self->range), text) != 0)
    gtk_label_set_text (self->range, text);
  return G_SOURCE_CONTINUE;
}

// ---- what people choose --------------------------------------------------------------

static void
volume_cb (Window *self)
{
  const guint selected = adw_combo_row_get_selected (self->volumes);
  if (self->filling || selected >= self->locations->len)
    return;
  const char *location = self->locations->pdata[selected];
  odl_window_set_fusion (self->parts, *location ? location : NULL);
  update_cb (self);
}

static void
look_cb (Window *self)
{
  if (self->filling)
    return;
  odl_window_set_fusion_look (
      self->parts,
      (OdlFusionLook){ gtk_adjustment_get_value (self->share),
                       odl_colour_map_at (adw_combo_row_get_selected (self->colours)) });
}

// ---- window --------------------------------------------------------------------------

static GtkWidget *
make_share (Window *self)
{
  const OdlFusionLook look = odl_window_fusion_look (self->parts);
  GtkWidget *row = adw_action_row_new ();
  self->share = gtk_adjustment_new (look.share, 0, 1, STEP, 2 * STEP, 0);
  GtkWidget *scale = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, self->share);
  // Translators: how much of the volume that is laid over the picture is seen.
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Share"));
  gtk_widget_set_size_request (scale, SLIDER_WIDTH, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (scale), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Share"), -1);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), scale);
  g_signal_connect_swapped (self->share, "value-changed", G_CALLBACK (look_cb), self);
  return row;
}

static GtkWidget *
make_colours (Window *self)
{
  const OdlFusionLook look = odl_window_fusion_look (self->parts);
  GtkWidget *row = adw_combo_row_new ();
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint selected = 0;
  for (size_t i = 0; i < odl_colour_map_count (); i++) {
    gtk_string_list_append (names, _ (odl_colour_map_at (i)->label));
    if (odl_colour_map_at (i) == look.map)
      selected = (guint) i;
  }
  self->colours = ADW_COMBO_ROW (row);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Colours"));
  adw_combo_row_set_model (self->colours, G_LIST_MODEL (names));
  adw_combo_row_set_selected (self->colours, selected);
  g_signal_connect_swapped (row, "notify::selected", G_CALLBACK (look_cb), self);
  return row;
}

static GtkWidget *
make_content (Window *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
  GtkWidget *volumes = adw_combo_row_new ();
  GtkWidget *range = gtk_label_new (NULL);
  self->volumes = ADW_COMBO_ROW (volumes);
  self->range = GTK_LABEL (range);
  // Translators: a volume that is laid over the picture.
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (volumes), _ ("Volume"));
  g_signal_connect_swapped (volumes, "notify::selected", G_CALLBACK (volume_cb), self);
  adw_preferences_group_add (group, volumes);
  adw_preferences_group_add (group, make_share (self));
  adw_preferences_group_add (group, make_colours (self));
  gtk_label_set_wrap (self->range, TRUE);
  gtk_label_set_xalign (self->range, 0);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (group));
  gtk_box_append (GTK_BOX (box), range);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_bottom (box, 18);
  return box;
}

static GtkWidget *
make_window (OdlMainWindow *parent)
{
  Window *self = g_new0 (Window, 1);
  // Translators: two volumes in one picture, such as PET over CT.
  GtkWidget *window
      = odl_child_window_new (GTK_WINDOW (parent), _ ("Fusion"), WIDTH, HEIGHT);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->parts = odl_main_window_parts (parent);
  self->locations = g_ptr_array_new_with_free_func (g_free);
  g_object_set_data_full (G_OBJECT (window), KEY, self, window_free);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), make_content (self));
  adw_window_set_content (ADW_WINDOW (window), box);
  odl_child_window_follow (window, UPDATE_MS, update_cb, self);
  gtk_widget_grab_focus (GTK_WIDGET (self->volumes));
  return window;
}

// ---- actions -------------------------------------------------------------------------

static void
window_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  odl_child_window_present (parts->window, KEY, make_window);
}

static void
fuse_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  odl_window_set_fusion (parts, g_variant_get_string (parameter, NULL));
  window_cb (parts, NULL);
}

void
odl_fusion_window_add_actions (const OdlWindowParts *parts)
{
  static const OdlWindowAction actions[] = {
    { "fuse", G_CALLBACK (fuse_cb), "s", .when = odl_window_shows_picture },
    { "fusion", G_CALLBACK (window_cb), .when = odl_window_shows_picture },
  };
  odl_window_add_actions (parts, actions, G_N_ELEMENTS (actions), (void *) parts);
}
