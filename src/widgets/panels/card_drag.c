// SPDX-License-Identifier: MIT
#include "widgets/panels/card_drag.h"

#include <glib/gi18n-lib.h>

#define BEFORE "drop-before"
#define BEHIND "drop-behind"
#define DROPPED "dropped"

// Near the upper and lower end of what is seen of the cards, they move under the pointer.
#define SCROLLS "drag-scrolls" // of the scrolled window; its callback
#define EDGE 48.0 // logical pixels
#define STEP 10.0 // likewise, a frame

static GdkContentProvider *
prepare_cb (GtkDragSource *source, double x, double y, GtkWidget *card)
{
  return gdk_content_provider_new_typed (G_OBJECT_TYPE (card), card);
}

static bool
is_behind (GtkWidget *card, double y)
{
  return y > gtk_widget_get_height (card) / 2.0;
}

static gboolean
scroll_cb (GtkWidget *scroller, GdkFrameClock *clock, void *data)
{
  GtkAdjustment *at
      = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
  gtk_adjustment_set_value (at, gtk_adjustment_get_value (at)
                                    + GPOINTER_TO_INT (data) * STEP);
  return G_SOURCE_CONTINUE;
}

// By −1, 0 or 1 steps in each frame.
static void
scroll (GtkWidget *card, int by)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (card, GTK_TYPE_SCROLLED_WINDOW);
  if (!scroller)
    return;
  const guint running
      = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (scroller), SCROLLS));
  if (running)
    gtk_widget_remove_tick_callback (scroller, running);
  const guint id = by ? gtk_widget_add_tick_callback (scroller, scroll_cb,
                                                      GINT_TO_POINTER (by), NULL)
                      : 0;
  g_object_set_data (G_OBJECT (scroller), SCROLLS, GUINT_TO_POINTER (id));
}

static void
scroll_at (GtkWidget *card, double y)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (card, GTK_TYPE_SCROLLED_WINDOW);
  double across, down;
  if (!scroller
      || !gtk_widget_translate_coordinates (card, scroller, 0, y, &across, &down))
    return;
  scroll (card, (down > gtk_widget_get_height (scroller) - EDGE) - (down < EDGE));
}

static void
begin_cb (GtkDragSource *source, GdkDrag *drag, GtkWidget *card)
{
  // The name and what is beside it: all of a card would hide where it goes.
  GtkWidget *handle = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (source));
  GtkWidget *header = gtk_widget_get_ancestor (handle, GTK_TYPE_LIST_BOX_ROW);
  g_autoptr (GdkPaintable) picture = gtk_widget_paintable_new (header ? header : card);
  gtk_drag_source_set_icon (source, picture, 0, 0);
  gtk_widget_add_css_class (card, "dragged");
}

static void
end_cb (GtkDragSource *source, GdkDrag *drag, gboolean moved, GtkWidget *card)
{
  scroll (card, 0);
  gtk_widget_remove_css_class (card, "dragged");
}

static void
unmark (GtkWidget *card)
{
  scroll (card, 0);
  gtk_widget_remove_css_class (card, BEFORE);
  gtk_widget_remove_css_class (card, BEHIND);
}

static GdkDragAction
motion_cb (GtkDropTarget *target, double x, double y, GtkWidget *card)
{
  unmark (card);
  gtk_widget_add_css_class (card, is_behind (card, y) ? BEHIND : BEFORE);
  scroll_at (card, y);
  return GDK_ACTION_MOVE;
}

static void
leave_cb (GtkDropTarget *target, GtkWidget *card)
{
  unmark (card);
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, GtkWidget *card)
{
  const OdlCardDropped dropped
      = (OdlCardDropped) g_object_get_data (G_OBJECT (target), DROPPED);
  unmark (card);
  dropped (card, GTK_WIDGET (g_value_get_object (value)), is_behind (card, y));
  return TRUE;
}

GtkWidget *
odl_card_drag_handle_new (GtkWidget *card, OdlCardDropped dropped)
{
  GtkWidget *handle = gtk_image_new_from_icon_name ("list-drag-handle-symbolic");
  GtkDragSource *source = gtk_drag_source_new ();
  GtkDropTarget *target = gtk_drop_target_new (G_OBJECT_TYPE (card), GDK_ACTION_MOVE);
  gtk_widget_set_cursor_from_name (handle, "grab");
  gtk_widget_set_tooltip_text (handle, _ ("Drag to another place, or Alt and an arrow"));
  gtk_widget_set_size_request (handle, 20, -1);
  gtk_drag_source_set_actions (source, GDK_ACTION_MOVE);
  g_signal_connect_object (source, "prepare", G_CALLBACK (prepare_cb), card, 0);
  g_signal_connect_object (source, "drag-begin", G_CALLBACK (begin_cb), card, 0);
  g_signal_connect_object (source, "drag-end", G_CALLBACK (end_cb), card, 0);
  gtk_widget_add_controller (handle, GTK_EVENT_CONTROLLER (source));
  g_object_set_data (G_OBJECT (target), DROPPED, (void *) dropped);
  g_signal_connect_object (target, "motion", G_CALLBACK (motion_cb), card, 0);
  g_signal_connect_object (target, "leave", G_CALLBACK (leave_cb), card, 0);
  g_signal_connect_object (target, "drop", G_CALLBACK (drop_cb), card, 0);
  gtk_widget_add_controller (card, GTK_EVENT_CONTROLLER (target));
  return handle;
}
