// SPDX-License-Identifier: MIT
// Toasts are shown one after the other, so those about another picture, and those that a
// newer one repeats, are dismissed.
#include "widgets/window/messages.h"

#include <glib/gi18n-lib.h>

#include "widgets/diagnostics.h"
#include "widgets/window/parts.h"

// Maximum length of text in a toast; a button shows the complete text.
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

// Maximum number of waiting toasts that are not about the source.
#define MAX_TOASTS 3

enum { OF_WINDOW, OF_SOURCE, OF_FRAME, OF_STATE, OF_OFFER, OF_REFUSAL, OF_LAYOUT };
#define TOPIC "odl-topic"

// libadwaita 1.2 uses memory that it freed if a toast is dismissed while it still
// appears, because replacing one takes longer (500 ms) than hiding one (300 ms).
#define APPEARING (600 * G_TIME_SPAN_MILLISECOND)
#define RETRY 100 // ms
// While the window's width changes, and half a second after that.
#define FIT_MS 50
#define FIT_LOOKS 10

// So long a toast stands at least where a newer one waits: else a key's answer would come
// when it no longer matters.
#define SEEN (3 * G_TIME_SPAN_SECOND)
#define SHOWN "odl-shown"

struct _OdlMessages {
  const OdlWindowParts *parts;
  GPtrArray *said; // AdwToast, shown or waiting
  GPtrArray *leaving; // AdwToast, to be dismissed when they have appeared
  guint leave_id; // 0: none is waiting for that
  guint fit_id; // 0: all titles have the width that there is room for
  int fit_looks; // still to be taken whether the room has changed
  int room; // at the last one
  char *last;
  bool told_frame; // a damaged frame of the current source was reported
};

static int
topic_of (AdwToast *toast)
{
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (toast), TOPIC));
}

static void
dismissed_cb (OdlMessages *self, AdwToast *toast)
{
  g_ptr_array_remove (self->said, toast);
  g_ptr_array_remove (self->leaving, toast);
}

// How long it has been shown; −1: it waits.
static gint64
age_of (AdwToast *toast)
{
  const gint64 *shown = g_object_get_data (G_OBJECT (toast), SHOWN);
  return shown ? g_get_monotonic_time () - *shown : -1;
}

static bool
is_appearing (AdwToast *toast)
{
  const gint64 age = age_of (toast);
  return age >= 0 && age < APPEARING
         && adw_get_enable_animations (adw_toast_get_custom_title (toast));
}

// The one that stands and was seen gives way to those that wait. False: none waits.
static bool
give_way (OdlMessages *self)
{
  g_autoptr (AdwToast) seen = NULL;
  bool waits = false;
  for (guint i = 0; i < self->said->len; i++) {
    const gint64 age = age_of (self->said->pdata[i]);
    waits |= age < 0;
    if (age >= SEEN)
      g_set_object (&seen, self->said->pdata[i]);
  }
  if (waits && seen)
    adw_toast_dismiss (seen);
  return waits;
}

static gboolean
leave_cb (void *data)
{
  OdlMessages *self = data;
  for (guint i = self->leaving->len; i-- > 0;) {
    g_autoptr (AdwToast) toast = g_object_ref (self->leaving->pdata[i]);
    if (is_appearing (toast))
      continue;
    g_ptr_array_remove_index (self->leaving, i);
    if (self->parts->session)
      adw_toast_dismiss (toast);
  }
  const bool waits = self->parts->session && give_way (self);
  if (self->leaving->len > 0 || waits)
    return G_SOURCE_CONTINUE;
  self->leave_id = 0;
  return G_SOURCE_REMOVE;
}

static void
leave_later (OdlMessages *self)
{
  if (!self->leave_id)
    self->leave_id = g_timeout_add (RETRY, leave_cb, self);
}

static void
dismiss (OdlMessages *self, guint index)
{
  g_autoptr (AdwToast) toast = g_object_ref (self->said->pdata[index]);
  g_ptr_array_remove_index (self->said, index);
  if (!is_appearing (toast)) {
    adw_toast_dismiss (toast);
    return;
  }
  g_ptr_array_add (self->leaving, g_steal_pointer (&toast));
  leave_later (self);
}

static void
shown_cb (AdwToast *toast)
{
  const gint64 now = g_get_monotonic_time ();
  g_object_set_data_full (G_OBJECT (toast), SHOWN, g_memdup2 (&now, sizeof now), g_free);
}

// Removes outdated toasts: earlier ones about the same matter of the source, equal ones,
// and the oldest if there are too many.
static void
make_room (OdlMessages *self, int topic, const char *text)
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

// Width available for the text, in pixels; an estimate before the window has been laid
// out.
static int
text_room (OdlMessages *self)
{
  int canvas = gtk_widget_get_width (GTK_WIDGET (self->parts->viewport));
  if (canvas == 0) {
    int height;
    gtk_window_get_default_size (GTK_WINDOW (self->parts->window), &canvas, &height);
    canvas -= self->parts->state->panels ? PANELS_WIDTH : 0;
  }
  return MAX (canvas, LEAST_WIDTH) - AROUND_TEXT;
}

// AdwToastOverlay does not measure the height of a toast for its width, so the text gets
// a size request once its font is known.
static void
fit_title (OdlMessages *self, GtkWidget *widget)
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

static gboolean
fit_cb (void *data)
{
  OdlMessages *self = data;
  const int room = self->parts->session ? text_room (self) : self->room;
  for (guint i = 0; i < self->said->len && room != self->room; i++)
    fit_title (self, adw_toast_get_custom_title (self->said->pdata[i]));
  self->room = room;
  if (--self->fit_looks > 0)
    return G_SOURCE_CONTINUE;
  self->fit_id = 0;
  return G_SOURCE_REMOVE;
}

// A narrower window would cut off the buttons. The canvas follows some frames later, and
// more as panels move.
static void
resized_cb (OdlMessages *self)
{
  self->fit_looks = FIT_LOOKS;
  if (!self->fit_id)
    self->fit_id = g_timeout_add (FIT_MS, fit_cb, self);
}

static gboolean
nowhere_cb (GtkWidget *widget, double x, double y)
{
  return FALSE;
}

// Nothing of a toast but its buttons is there for the pointer: a press beside them, and a
// drag that begins or goes there, are for the picture below.
static void
let_through_cb (GtkWidget *title)
{
  static const char *const classes[] = { "AdwToastWidget", "AdwToastOverlay", NULL };
  GtkWidget *widget = gtk_widget_get_parent (title);
  gtk_widget_set_can_target (widget, FALSE);
  for (; widget; widget = gtk_widget_get_parent (widget))
    if (g_strv_contains (classes, G_OBJECT_TYPE_NAME (widget)))
      GTK_WIDGET_GET_CLASS (widget)->contains = nowhere_cb;
}

// Long messages take several lines; libadwaita's own toasts would be ellipsised.
static GtkWidget *
make_title (OdlMessages *self, const char *text)
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
  // A hyphen at a line break would look like part of a file name.
  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  gtk_label_set_attributes (label, attributes);
  odl_window_connect (self->parts, widget, "map", G_CALLBACK (fit_title), self);
  g_signal_connect (widget, "map", G_CALLBACK (let_through_cb), NULL);
  return widget;
}

// What a toast's button does.
typedef struct {
  const char *label;
  const char *action;
  const char *target; // a string
} Button;

static void
add_toast (OdlMessages *self, int topic, const char *text, const Button *offered)
{
  // A field that loses its focus still speaks while the window closes.
  if (odl_window_is_closed (self->parts))
    return;
  g_autofree char *valid = odl_names_in_text (odl_names_of (self->parts->session), text);
  odl_messages_set_last (self, valid);
  make_room (self, topic, valid);
  AdwToast *toast = adw_toast_new ("");
  GtkWidget *title = make_title (self, valid);
  g_signal_connect_object (title, "map", G_CALLBACK (shown_cb), toast, G_CONNECT_SWAPPED);
  adw_toast_set_custom_title (toast, title);
  adw_toast_set_timeout (toast, 8);
  const Button details = { _ ("_Details"), "win.show-details", valid };
  const Button *button = offered ? offered : is_long (valid) ? &details : NULL;
  if (button) {
    adw_toast_set_button_label (toast, button->label);
    adw_toast_set_action_name (toast, button->action);
    adw_toast_set_action_target (toast, "s", button->target);
  }
  g_object_set_data (G_OBJECT (toast), TOPIC, GINT_TO_POINTER (topic));
  g_ptr_array_add (self->said, g_object_ref (toast));
  odl_window_connect (self->parts, toast, "dismissed", G_CALLBACK (dismissed_cb), self);
  adw_toast_overlay_add_toast (odl_window_child (self->parts, "toasts"), toast);
  leave_later (self);
}

void
odl_messages_say (OdlMessages *self, const char *text)
{
  add_toast (self, OF_WINDOW, text, NULL);
}

void
odl_messages_say_of_file (OdlMessages *self, const char *text, const char *path)
{
  g_autofree char *whole = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (whole);
  // Escaped: names of files may be no text.
  g_autofree char *uri = g_filename_to_uri (folder, NULL, NULL);
  const Button button = { _ ("Open _Folder"), "win.show-folder", uri };
  add_toast (self, OF_WINDOW, text, uri ? &button : NULL);
}

void
odl_messages_say_of_state (OdlMessages *self, const char *text)
{
  add_toast (self, OF_STATE, text, NULL);
}

void
odl_messages_say_of_layout (OdlMessages *self, const char *text)
{
  add_toast (self, OF_LAYOUT, text, NULL);
}

void
odl_messages_say_of_source (OdlMessages *self, const char *text)
{
  g_autofree char *sentence = odl_diagnostics_sentence (text);
  add_toast (self, OF_SOURCE, sentence, NULL);
}

void
odl_messages_say_of_frame (OdlMessages *self, const char *text, bool playing)
{
  // Each damaged frame has a mark during playback; a message would be repeated in every
  // loop.
  if (self->told_frame && playing)
    return;
  self->told_frame = true;
  add_toast (self, OF_FRAME, text, NULL);
}

void
odl_messages_offer (OdlMessages *self,
                    const char *text,
                    const char *label,
                    const char *action,
                    const char *target)
{
  const Button button = { label, action, target };
  add_toast (self, OF_OFFER, text, &button);
}

void
odl_messages_say_of_refusal (OdlMessages *self, const char *text)
{
  add_toast (self, OF_REFUSAL, text, NULL);
}

static void
hush (OdlMessages *self, int topic)
{
  for (guint i = self->said->len; i-- > 0;)
    if (topic_of (self->said->pdata[i]) == topic)
      dismiss (self, i);
}

void
odl_messages_hush_state (OdlMessages *self)
{
  hush (self, OF_STATE);
  hush (self, OF_LAYOUT);
}

void
odl_messages_hush_refusal (OdlMessages *self)
{
  hush (self, OF_REFUSAL);
}

void
odl_messages_hush_source (OdlMessages *self)
{
  self->told_frame = false;
  for (guint i = self->said->len; i-- > 0;)
    if (topic_of (self->said->pdata[i]) != OF_WINDOW
        && topic_of (self->said->pdata[i]) != OF_LAYOUT)
      dismiss (self, i);
}

// Those that name something that is hidden now.
void
odl_messages_names_changed (OdlMessages *self)
{
  for (guint i = self->said->len; i-- > 0;) {
    AdwToast *toast = self->said->pdata[i];
    GtkLabel *title = GTK_LABEL (adw_toast_get_custom_title (toast));
    const char *text = gtk_label_get_text (title);
    g_autofree char *shown
        = odl_names_in_text (odl_names_of (self->parts->session), text);
    if (!g_str_equal (text, shown)) {
      gtk_label_set_text (title, shown); // it may still appear
      dismiss (self, i);
    }
  }
}

void
odl_messages_set_last (OdlMessages *self, const char *text)
{
  g_free (self->last);
  self->last = g_strdup (text);
}

const char *
odl_messages_last (const OdlMessages *self)
{
  return self->last;
}

const GPtrArray *
odl_messages_waiting (const OdlMessages *self)
{
  return self->said;
}

static void
free_cb (void *data)
{
  OdlMessages *self = data;
  g_clear_handle_id (&self->leave_id, g_source_remove);
  g_clear_handle_id (&self->fit_id, g_source_remove);
  g_ptr_array_unref (self->leaving);
  g_ptr_array_unref (self->said);
  g_free (self->last);
  g_free (self);
}

OdlMessages *
odl_messages_new (const OdlWindowParts *parts)
{
  OdlMessages *self = g_new0 (OdlMessages, 1);
  self->parts = parts;
  self->said = g_ptr_array_new_with_free_func (g_object_unref);
  self->leaving = g_ptr_array_new_with_free_func (g_object_unref);
  odl_window_own (parts, "odl-messages", self, free_cb);
  // What an action changes puts a message about the state before it out of date.
  odl_window_connect (parts, parts->window, "told::acting",
                      G_CALLBACK (odl_messages_hush_state), self);
  odl_window_connect (parts, parts->window, "notify::default-width",
                      G_CALLBACK (resized_cb), self);
  return self;
}
