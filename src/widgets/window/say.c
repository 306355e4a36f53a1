// SPDX-License-Identifier: MIT
// What the window says in passing. Toasts come one after the other, so that what was said
// of another picture, or said before the same was said again, must not wait in line.
#include <glib/gi18n-lib.h>

#include "config.h"
#include "widgets/diagnostics.h"
#include "widgets/window/private.h"

// What a toast tells at most; all of it is behind a button.
#define TOAST_CHARS 130
#define TOAST_LINES 6
#define LONG_LINES 3 // where there is a button

// Pixels.
#define LINE_WIDTH 440
#define AROUND_TEXT 110
#define DETAILS_WIDTH 110
#define SLACK 6 // rounding of letters where it is drawn
#define LEAST_WIDTH 360 // of a canvas; less while panels fold away
#define PANELS_WIDTH 530

// How many may wait, of those that do not tell of the source.
#define MAX_TOASTS 3

enum { OF_WINDOW, OF_SOURCE, OF_FRAME };
#define TOPIC "odl-topic"

static int
topic_of (AdwToast *toast)
{
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (toast), TOPIC));
}

static void
dismissed_cb (OdlMainWindow *self, AdwToast *toast)
{
  g_ptr_array_remove (self->said, toast);
}

static void
dismiss (OdlMainWindow *self, guint index)
{
  g_autoptr (AdwToast) toast = g_object_ref (self->said->pdata[index]);
  g_ptr_array_remove_index (self->said, index);
  adw_toast_dismiss (toast);
}

// Takes back what this one makes old: of the source what was said about the same, and
// else the same words, and the oldest of many.
static void
make_room (OdlMainWindow *self, int topic, const char *text)
{
  int others = 0;
  for (guint i = self->said->len; i-- > 0;) {
    AdwToast *toast = self->said->pdata[i];
    if (topic_of (toast) != topic)
      continue;
    others++;
    if (topic != OF_WINDOW || others == MAX_TOASTS
        || g_str_equal (
            gtk_label_get_text (GTK_LABEL (adw_toast_get_custom_title (toast))), text))
      dismiss (self, i);
  }
}

static bool
is_long (const char *text)
{
  return g_utf8_strlen (text, -1) > TOAST_CHARS;
}

// Pixels that there are for the text; a guess before the window has been laid out.
static int
text_room (OdlMainWindow *self)
{
  int canvas = gtk_widget_get_width (GTK_WIDGET (self->viewport));
  if (canvas == 0) {
    int height;
    gtk_window_get_default_size (GTK_WINDOW (self), &canvas, &height);
    canvas -= self->panels_shown ? PANELS_WIDTH : 0;
  }
  return MAX (canvas, LEAST_WIDTH) - AROUND_TEXT;
}

// AdwToastOverlay does not ask how high a toast is in the width that it gives, so the
// text has a size of its own, once it is known in which letters it is drawn.
static void
fit_title (GtkWidget *widget, OdlMainWindow *self)
{
  const char *text = gtk_label_get_text (GTK_LABEL (widget));
  const int room = text_room (self) - (is_long (text) ? DETAILS_WIDTH : 0);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
  PangoRectangle size;
  pango_layout_set_attributes (layout, gtk_label_get_attributes (GTK_LABEL (widget)));
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_width (layout, MIN (room, LINE_WIDTH) * PANGO_SCALE);
  pango_layout_set_height (layout, -gtk_label_get_lines (GTK_LABEL (widget)));
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_get_pixel_extents (layout, NULL, &size);
  gtk_widget_set_size_request (widget, size.width + SLACK, size.height);
}

// Long sentences take several lines, where GTK's own toasts would be cut.
static GtkWidget *
make_title (OdlMainWindow *self, const char *text)
{
  GtkWidget *widget = gtk_label_new (text);
  GtkLabel *label = GTK_LABEL (widget);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  gtk_widget_add_css_class (widget, "heading");
  gtk_label_set_wrap (label, TRUE);
  gtk_label_set_wrap_mode (label, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (label, is_long (text) ? LONG_LINES : TOAST_LINES);
  gtk_label_set_ellipsize (label, PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (label, 1);
  gtk_label_set_xalign (label, 0);
  // A hyphen would be read as a part of a file's name.
  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  gtk_label_set_attributes (label, attributes);
  g_signal_connect_object (widget, "map", G_CALLBACK (fit_title), self, 0);
  return widget;
}

static void
add_toast (OdlMainWindow *self, int topic, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_free (self->last_toast);
  self->last_toast = g_strdup (valid);
  make_room (self, topic, valid);
  AdwToast *toast = adw_toast_new ("");
  adw_toast_set_custom_title (toast, make_title (self, valid));
  adw_toast_set_timeout (toast, 8);
  if (is_long (valid)) {
    adw_toast_set_button_label (toast, _ ("_Details"));
    adw_toast_set_action_name (toast, "win.show-details");
    adw_toast_set_action_target (toast, "s", valid);
  }
  g_object_set_data (G_OBJECT (toast), TOPIC, GINT_TO_POINTER (topic));
  g_ptr_array_add (self->said, g_object_ref (toast));
  g_signal_connect_object (toast, "dismissed", G_CALLBACK (dismissed_cb), self,
                           G_CONNECT_SWAPPED);
  adw_toast_overlay_add_toast (self->toasts, toast);
}

void
odl_main_window_say (OdlMainWindow *self, const char *text)
{
  add_toast (self, OF_WINDOW, text);
}

void
odl_main_window_say_of_source (OdlMainWindow *self, const char *text)
{
  g_autofree char *sentence = odl_diagnostics_sentence (text);
  add_toast (self, OF_SOURCE, sentence);
}

void
odl_main_window_say_of_frame (OdlMainWindow *self, const char *text)
{
  // Each is marked while it plays, and would be told of again in each loop.
  if (self->told_frame && odl_session_playing (self->session))
    return;
  self->told_frame = true;
  add_toast (self, OF_FRAME, text);
}

void
odl_main_window_hush_source (OdlMainWindow *self)
{
  self->told_frame = false;
  for (guint i = self->said->len; i-- > 0;)
    if (topic_of (self->said->pdata[i]) != OF_WINDOW)
      dismiss (self, i);
}

const char *
odl_main_window_last_toast (OdlMainWindow *self)
{
  return self->last_toast;
}
