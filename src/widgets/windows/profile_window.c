// SPDX-License-Identifier: MIT
#include "widgets/windows/profile_window.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "image/annotation/table.h"
#include "session/save/measures.h"
#include "widgets/windows/child_window.h"
#include "widgets/panels/measures/profile_plot.h"
#include "widgets/plot/axes.h"
#include "widgets/window/parts.h"

#define WIDTH 560
#define HEIGHT 380
#define UPDATE_MS 50

typedef struct {
  const OdlWindowParts *parts;
  GtkWidget *nothing; // in the place of the rest
  GtkWidget *content;
  OdlProfilePlot *plot;
  GtkLabel *value, *before, *after;
  GtkWidget *buttons[2]; // copy, save
  OdlAnnotation line; // that is plotted …
  OdlFrame *frame; // … of this one; NULL: nothing is plotted
  OdlImage *result; // likewise; NULL: none was at hand
  GtkWidget *marked; // viewport that marks a place; NULL: none
} Window;

static void
forget (Window *self)
{
  g_clear_pointer (&self->frame, odl_frame_unref);
  g_clear_pointer (&self->result, odl_image_unref);
}

static void
mark (Window *self, double at)
{
  OdlViewport *now = self->parts->viewport;
  if (self->marked && self->marked != GTK_WIDGET (now))
    odl_viewport_mark_profile (ODL_VIEWPORT (self->marked), NAN);
  g_set_weak_pointer (&self->marked, GTK_WIDGET (now));
  odl_viewport_mark_profile (now, at);
}

static void
window_free (void *data)
{
  Window *self = data;
  if (self->marked)
    odl_viewport_mark_profile (ODL_VIEWPORT (self->marked), NAN);
  g_clear_weak_pointer (&self->marked);
  forget (self);
  g_free (self);
}

// ---- following the picture -----------------------------------------------------------

static char *
coloured (const char *text, const GdkRGBA *colour)
{
  g_autofree char *safe = g_markup_escape_text (text, -1);
  return g_strdup_printf ("<span foreground=\"#%02x%02x%02x\">━</span> %s",
                          (unsigned) lround (255 * (double) colour->red),
                          (unsigned) lround (255 * (double) colour->green),
                          (unsigned) lround (255 * (double) colour->blue), safe);
}

static void
set_markup (GtkLabel *label, const char *text, const char *unit, const GdkRGBA *colour)
{
  g_autofree char *with_unit = g_strjoin (" · ", text, *unit ? unit : NULL, NULL);
  g_autofree char *markup = coloured (with_unit, colour);
  if (g_strcmp0 (markup, gtk_label_get_label (label)) != 0)
    gtk_label_set_markup (label, markup);
}

static void
show_legend (Window *self)
{
  const OdlProfile *profile = odl_profile_plot_get (self->plot);
  const bool filtered = self->frame->plan->result != self->frame->plan->source;
  GdkRGBA colours[2];
  odl_plot_axes_colours (GTK_WIDGET (self->plot), colours);
  // Translators: a curve of the values as they came, and one of those after the filters.
  set_markup (self->before, filtered ? _ ("original") : _ ("values"), profile->unit,
              &colours[0]);
  set_markup (self->after,
              profile->after ? _ ("after the filters")
                             : _ ("after the filters: once the picture stands still"),
              "", &colours[1]);
  gtk_widget_set_visible (GTK_WIDGET (self->after), filtered);
}

// Place and values at the crosshair; without one how long the line is.
static void
show_value (Window *self)
{
  const OdlProfile *profile = odl_profile_plot_get (self->plot);
  const OdlMeasurement length = { .unit = profile->at_unit,
                                  .value = profile->at[profile->n - 1],
                                  .after = NAN,
                                  .decimals = 1 };
  g_autofree char *text = odl_profile_plot_text (self->plot);
  g_autofree char *whole = odl_measurement_to_text (&length);
  const char *shown = text ? text : whole;
  if (g_strcmp0 (shown, gtk_label_get_text (self->value)) == 0)
    return;
  gtk_label_set_text (self->value, shown);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->plot),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, shown, -1);
}

static bool
read_profile (Window *self)
{
  OdlViewport *viewport = self->parts->viewport;
  OdlAnnotation line;
  OdlFrame *frame;
  OdlImage *result;
  if (!odl_viewport_profile_line (viewport, &line, &frame, &result))
    return false;
  if (frame == self->frame && result == self->result
      && odl_annotation_is_same (&line, &self->line))
    return true;
  g_auto (OdlProfile) profile = { 0 };
  if (!odl_viewport_read_profile (viewport, &profile))
    return false;
  forget (self);
  self->frame = odl_frame_ref (frame);
  self->result = result ? odl_image_ref (result) : NULL;
  self->line = line;
  odl_profile_plot_take (self->plot, &profile);
  return true;
}

static void
update (Window *self)
{
  const bool any = read_profile (self);
  gtk_widget_set_visible (self->nothing, !any);
  gtk_widget_set_visible (self->content, any);
  for (int i = 0; i < 2; i++)
    gtk_widget_set_sensitive (self->buttons[i], any);
  if (!any) {
    forget (self);
    mark (self, NAN);
    return;
  }
  if (!odl_profile_plot_points (self->plot))
    odl_profile_plot_set_at (
        self->plot, odl_viewport_profile_pointer (self->parts->viewport,
                                                  odl_profile_plot_get (self->plot)));
  mark (self, odl_profile_plot_at (self->plot));
  show_legend (self);
  show_value (self);
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
pointed_cb (Window *self)
{
  if (self->parts->session)
    update (self);
}

// ---- taking it away ------------------------------------------------------------------

static void
copy_cb (Window *self)
{
  if (!self->frame)
    return;
  g_autofree char *text = odl_profile_to_csv (odl_profile_plot_get (self->plot));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self->parts->window)),
                          text);
  odl_messages_say (self->parts->messages, _ ("Profile copied as a table"));
}

// `text` is what was plotted when the file was asked for.
static void
save_table (const OdlWindowParts *parts, const char *path, const char *text)
{
  g_autoptr (GError) error = NULL;
  if (odl_files_is_shown (parts, path))
    return;
  if (!odl_table_save (path, text, &error)) {
    odl_messages_say (parts->messages, error->message);
    return;
  }
  g_autofree char *name = odl_names_of_file (odl_names_of (parts->session), path, NULL);
  g_autofree char *said = g_strdup_printf (_ ("Saved “%s”"), name);
  odl_messages_say (parts->messages, said);
}

static void
chosen_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  const OdlWindowParts *parts = data;
  g_autofree char *path = g_file_get_path (file);
  save_table (parts, path, g_object_get_data (G_OBJECT (chooser), "table"));
}

static void
save_cb (Window *self)
{
  if (!self->frame)
    return;
  const char *const patterns[] = { "*.csv", NULL };
  // Translators: the end of a file's name, “echo-profile.csv”.
  g_autofree char *ending = g_strdup_printf ("-%s.csv", _ ("profile"));
  g_autofree char *name = odl_files_save_name (self->parts, ending);
  GtkFileChooser *chooser = odl_file_chooser_new (self->parts, _ ("Save Profile"),
                                                  GTK_FILE_CHOOSER_ACTION_SAVE, name,
                                                  chosen_cb, (void *) self->parts);
  g_object_set_data_full (G_OBJECT (chooser), "table",
                          odl_profile_to_csv (odl_profile_plot_get (self->plot)), g_free);
  odl_file_chooser_add_filter (chooser, "CSV", patterns);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

// ---- window --------------------------------------------------------------------------

static GtkWidget *
make_header (Window *self)
{
  GtkWidget *bar = adw_header_bar_new ();
  self->buttons[0] = odl_child_window_button ("edit-copy-symbolic", _ ("Copy as a table"),
                                              G_CALLBACK (copy_cb), self);
  self->buttons[1] = odl_child_window_button (
      "document-save-symbolic", _ ("Save as a table (CSV)"), G_CALLBACK (save_cb), self);
  for (int i = 0; i < 2; i++)
    adw_header_bar_pack_start (ADW_HEADER_BAR (bar), self->buttons[i]);
  return bar;
}

static GtkLabel *
make_label (void)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  return GTK_LABEL (label);
}

static GtkWidget *
make_content (Window *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *legend = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);
  self->plot = ODL_PROFILE_PLOT (odl_profile_plot_new ());
  self->value = make_label ();
  self->before = make_label ();
  self->after = make_label ();
  gtk_widget_add_css_class (GTK_WIDGET (self->value), "numeric");
  gtk_widget_add_css_class (GTK_WIDGET (self->value), "heading");
  gtk_box_append (GTK_BOX (legend), GTK_WIDGET (self->before));
  gtk_box_append (GTK_BOX (legend), GTK_WIDGET (self->after));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->value));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->plot));
  gtk_box_append (GTK_BOX (box), legend);
  gtk_widget_set_vexpand (GTK_WIDGET (self->plot), TRUE);
  gtk_widget_set_vexpand (box, TRUE);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_bottom (box, 12);
  g_signal_connect_swapped (self->plot, "pointed", G_CALLBACK (pointed_cb), self);
  return box;
}

static GtkWidget *
make_window (OdlMainWindow *parent)
{
  Window *self = g_new0 (Window, 1);
  GtkWidget *window = odl_child_window_new (GTK_WINDOW (parent),
                                            _ ("Plot of the Profile"), WIDTH, HEIGHT);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->parts = odl_main_window_parts (parent);
  g_object_set_data_full (G_OBJECT (window), "profile", self, window_free);
  gtk_box_append (GTK_BOX (box), make_header (self));
  self->nothing = odl_child_window_nothing (
      "odl-profile-symbolic", _ ("Draw a Line"),
      _ ("A profile (M, Shift+M) across the picture: the values along it are plotted "
         "here, before and after the filters."));
  self->content = make_content (self);
  gtk_box_append (GTK_BOX (box), self->nothing);
  gtk_box_append (GTK_BOX (box), self->content);
  adw_window_set_content (ADW_WINDOW (window), box);
  odl_child_window_follow (window, UPDATE_MS, update_cb, self);
  gtk_widget_grab_focus (GTK_WIDGET (self->plot));
  return window;
}

GtkWindow *
odl_profile_window_present (OdlMainWindow *parent)
{
  return odl_child_window_present (parent, "profile", make_window);
}
