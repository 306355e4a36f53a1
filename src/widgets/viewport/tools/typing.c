// SPDX-License-Identifier: MIT
// Words of annotations: typed in a small entry below their place, while they are seen on
// the picture, and hit by the pointer where they are drawn.
#include <glib/gi18n-lib.h>
#include <string.h>

#include "widgets/viewport/drawn_words.h"
#include "widgets/viewport/private.h"

// Lengths in logical pixels.
#define ENTRY_WIDTH 280
#define ENTRY_HEIGHT 22
#define MOST_HEIGHT 160

// ---- places --------------------------------------------------------------------------

static OdlDrawnOn
drawn_on (OdlViewport *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const int scale = gtk_widget_get_scale_factor (widget);
  const int width = gtk_widget_get_width (widget) * scale;
  return (OdlDrawnOn){ &self->view, odl_viewport_panes (self, width).width,
                       gtk_widget_get_height (widget) * scale, odl_viewport_font (self) };
}

static bool
is_in (const OdlPlacingBox *box, OdlPoint at)
{
  return at.x >= box->x && at.x <= box->x + box->width && at.y >= box->y
         && at.y <= box->y + box->height;
}

const OdlAnnotation *
odl_viewport_words_at (OdlViewport *self, OdlPoint at)
{
  OdlAnnotations *all = odl_session_annotations (self->session);
  const OdlDrawnOn on = drawn_on (self);
  const OdlPoint place = odl_view_to_canvas (on.view, on.width, on.height, at);
  for (int i = odl_annotations_count (all) - 1; i >= 0; i--) {
    const OdlAnnotation *annotation = odl_annotations_at (all, i);
    OdlAnnotation laid;
    OdlPlacingBox box;
    if (!odl_annotation_is_words (annotation)
        || !odl_viewport_lay (self, annotation, &laid))
      continue;
    g_autoptr (PangoLayout) layout = odl_drawn_words_of (
        gtk_widget_get_pango_context (GTK_WIDGET (self)), &on, &laid, &box);
    if (layout && is_in (&box, place))
      return annotation;
  }
  return NULL;
}

// The part of the widget that the words of the draft take.
static GdkRectangle
place_of_draft (OdlViewport *self)
{
  const OdlAnnotating *annotating = &self->annotating;
  const OdlAnnotation laid = odl_ground_lay (&annotating->ground, &annotating->draft);
  const OdlDrawnOn on = drawn_on (self);
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const OdlPoint at = odl_view_to_canvas (on.view, on.width, on.height, laid.points[0]);
  OdlPlacingBox box = { at.x, at.y, scale, 1.5 * on.font };
  g_autoptr (PangoLayout) layout = odl_drawn_words_of (
      gtk_widget_get_pango_context (GTK_WIDGET (self)), &on, &laid, &box);
  return (GdkRectangle){ (int) (box.x / scale), (int) (box.y / scale),
                         MAX ((int) (box.width / scale), 1),
                         MAX ((int) (box.height / scale), 1) };
}

// ---- the entry -----------------------------------------------------------------------

static char *
typed_words (GtkTextBuffer *buffer)
{
  GtkTextIter start, end;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
}

static void
changed_cb (GtkTextBuffer *buffer, OdlViewport *self)
{
  g_autofree char *words = typed_words (buffer);
  if (!self->annotating.typing)
    return;
  odl_annotation_set_words (&self->annotating.draft, words);
  odl_viewport_annotation_changed (self);
  const GdkRectangle place = place_of_draft (self);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->typing), &place);
}

// What has no room is not taken, wherever it is put.
static void
insert_cb (GtkTextBuffer *buffer,
           GtkTextIter *at,
           char *text,
           int length,
           OdlViewport *self)
{
  g_autofree char *before = typed_words (buffer);
  const gsize used = strlen (before), most = ODL_ANNOTATION_MAX_WORDS - 1;
  const gsize n = length < 0 ? strlen (text) : (gsize) length;
  if (used + n <= most)
    return;
  g_signal_stop_emission_by_name (buffer, "insert-text");
  gtk_widget_error_bell (GTK_WIDGET (self));
  const char *end = text;
  while (used + (gsize) (g_utf8_next_char (end) - text) <= most)
    end = g_utf8_next_char (end);
  if (end > text)
    gtk_text_buffer_insert (buffer, at, text, (int) (end - text));
}

// However it was closed, but by Escape, what was typed is kept.
static void
closed_cb (OdlViewport *self)
{
  const bool typing = self->annotating.typing;
  self->annotating.typing = false;
  if (typing)
    odl_viewport_keep_draft (self);
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

static gboolean
key_cb (GtkEventControllerKey *keys,
        guint key,
        guint code,
        GdkModifierType state,
        OdlViewport *self)
{
  GtkWidget *view = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (keys));
  const bool enter = key == GDK_KEY_Return || key == GDK_KEY_KP_Enter;
  if (key == GDK_KEY_Escape) {
    odl_viewport_stop_typing (self);
    return TRUE;
  }
  // Words that are put together by several keys may end with it.
  if (!enter || (state & GDK_SHIFT_MASK)
      || gtk_text_view_im_context_filter_keypress (
          GTK_TEXT_VIEW (view),
          gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (keys))))
    return FALSE;
  gtk_popover_popdown (GTK_POPOVER (self->typing));
  return TRUE;
}

static GtkTextBuffer *
buffer_of (OdlViewport *self)
{
  return g_object_get_data (G_OBJECT (self->typing), "odl-words");
}

static GtkWidget *
make_entry (OdlViewport *self)
{
  GtkWidget *view = gtk_text_view_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Words on the picture"), -1);
  g_signal_connect (buffer, "insert-text", G_CALLBACK (insert_cb), self);
  g_signal_connect (buffer, "changed", G_CALLBACK (changed_cb), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (view, keys);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled),
                                              ENTRY_HEIGHT);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled),
                                              MOST_HEIGHT);
  gtk_widget_set_size_request (scrolled, ENTRY_WIDTH, -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  g_object_set_data (G_OBJECT (self->typing), "odl-words", buffer);
  g_object_set_data (G_OBJECT (self->typing), "odl-view", view);
  return scrolled;
}

static void
make_popover (OdlViewport *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *hint = gtk_label_new (_ ("Enter: done · Shift and Enter: another line"));
  self->typing = gtk_popover_new ();
  gtk_widget_add_css_class (hint, "caption");
  gtk_widget_add_css_class (hint, "dim-label");
  gtk_label_set_wrap (GTK_LABEL (hint), TRUE);
  gtk_label_set_xalign (GTK_LABEL (hint), 0);
  gtk_box_append (GTK_BOX (box), make_entry (self));
  gtk_box_append (GTK_BOX (box), hint);
  gtk_popover_set_child (GTK_POPOVER (self->typing), box);
  gtk_popover_set_position (GTK_POPOVER (self->typing), GTK_POS_BOTTOM);
  gtk_widget_set_parent (self->typing, GTK_WIDGET (self));
  g_signal_connect_swapped (self->typing, "closed", G_CALLBACK (closed_cb), self);
}

void
odl_viewport_type_words (OdlViewport *self)
{
  const GdkRectangle place = place_of_draft (self);
  g_autofree char *words = g_strdup (self->annotating.draft.words);
  GtkTextIter start, end;
  if (!self->typing)
    make_popover (self);
  self->annotating.typing = false;
  gtk_text_buffer_set_text (buffer_of (self), words, -1);
  gtk_text_buffer_get_bounds (buffer_of (self), &start, &end);
  gtk_text_buffer_select_range (buffer_of (self), &end, &start);
  self->annotating.typing = true;
  gtk_popover_set_pointing_to (GTK_POPOVER (self->typing), &place);
  gtk_popover_popup (GTK_POPOVER (self->typing));
  gtk_widget_grab_focus (g_object_get_data (G_OBJECT (self->typing), "odl-view"));
}

void
odl_viewport_stop_typing (OdlViewport *self)
{
  const bool typing = self->annotating.typing;
  self->annotating.typing = false;
  if (!typing)
    return;
  self->annotating.drafting = false;
  odl_viewport_annotation_changed (self);
  gtk_popover_popdown (GTK_POPOVER (self->typing));
}
