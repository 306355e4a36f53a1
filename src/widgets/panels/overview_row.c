// SPDX-License-Identifier: MIT
#include "widgets/panels/overview_row.h"

#include <glib/gi18n-lib.h>

#include "filter/inside.h"
#include "plan/title.h"
#include "widgets/names.h"
#include "widgets/panels/filter_switch.h"
#include "widgets/panels/parameters/control.h"
#include "widgets/units.h"

struct _OdlOverviewRow {
  GtkListBoxRow parent_instance;
  OdlSession *session;
  int item;
  GtkImage *arrow;
  GtkLabel *name;
  GtkLabel *words;
  GtkWidget *text; // both
  GtkWidget *note; // seen where there is something to say of the filter
  GtkWidget *acts;
};

G_DEFINE_FINAL_TYPE (OdlOverviewRow, odl_overview_row, GTK_TYPE_LIST_BOX_ROW)

void
odl_overview_row_drop (OdlOverviewRow *self, OdlOverviewRow *dragged, bool behind)
{
  const int to = self->item + behind;
  if (dragged->session == self->session)
    gtk_widget_activate_action (GTK_WIDGET (self), "panel.move", "(iib)", dragged->item,
                                to > dragged->item ? to - 1 : to, FALSE);
}

static void
dropped_cb (GtkWidget *widget, GtkWidget *dragged, bool behind)
{
  odl_overview_row_drop (ODL_OVERVIEW_ROW (widget), ODL_OVERVIEW_ROW (dragged), behind);
}

// Alt and an arrow.
static gboolean
move_key (GtkWidget *widget, GVariant *by, void *data)
{
  const int item = ODL_OVERVIEW_ROW (widget)->item;
  gtk_widget_activate_action (widget, "panel.move", "(iib)", item,
                              item + g_variant_get_int32 (by), FALSE);
  return TRUE;
}

static void
mark (GtkWidget *widget, const char *class, bool on)
{
  if (on)
    gtk_widget_add_css_class (widget, class);
  else
    gtk_widget_remove_css_class (widget, class);
}

// The card says it in words, but only that of one filter is seen.
static void
show_note (OdlOverviewRow *self)
{
  const char *note = odl_filter_note (self->session, self->item);
  gtk_widget_set_visible (self->note, note != NULL);
  gtk_widget_set_tooltip_text (self->note, note);
  odl_control_name (self->note, note ? note : "");
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, note ? note : "", -1);
}

void
odl_overview_row_set_unfolded (OdlOverviewRow *self, bool unfolded)
{
  gtk_image_set_from_icon_name (self->arrow,
                                unfolded ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_EXPANDED,
                               unfolded, -1);
}

void
odl_overview_row_update (OdlOverviewRow *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  if (self->item >= recipe->n_items)
    return;
  OdlRecipe told
      = odl_recipe_with_files_as (recipe, odl_names_word (odl_names_of (self->session)));
  odl_units_tell (self->session, &told);
  const OdlRecipeItem *item = &told.items[self->item];
  g_autofree char *name
      = g_strdup_printf ("%d  %s", self->item + 1, _ (item->filter->label));
  g_autofree char *words = odl_plan_item_words (&told, self->item);
  gtk_label_set_text (self->name, name);
  gtk_label_set_text (self->words, words);
  gtk_widget_set_visible (GTK_WIDGET (self->words), *words != '\0');
  gtk_widget_set_tooltip_text (self->text,
                               *words ? words : _ (item->filter->description));
  odl_filter_switch_update (self->acts);
  show_note (self);
  mark (self->text, "dim-label", item->bypassed);
  mark (GTK_WIDGET (self), "inside",
        odl_recipe_transform_around (recipe, self->item) >= 0);
  odl_control_name (GTK_WIDGET (self), name);
}

static GtkWidget *
make_label (GtkLabel **label, const char *class)
{
  GtkWidget *made = gtk_label_new (NULL);
  *label = GTK_LABEL (made);
  gtk_label_set_xalign (*label, 0);
  gtk_label_set_ellipsize (*label, PANGO_ELLIPSIZE_END);
  if (class)
    gtk_widget_add_css_class (made, class);
  return made;
}

static void
odl_overview_row_dispose (GObject *object)
{
  g_clear_object (&ODL_OVERVIEW_ROW (object)->session);
  G_OBJECT_CLASS (odl_overview_row_parent_class)->dispose (object);
}

static void
odl_overview_row_class_init (OdlOverviewRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = odl_overview_row_dispose;
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Up, GDK_ALT_MASK, move_key, "i",
                                -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Down, GDK_ALT_MASK, move_key, "i",
                                1);
}

// A handle by which `card` is dragged; `card` takes others, of the same type, which it
// puts before itself, or behind, by `dropped`.
typedef void (*CardDropped) (GtkWidget *card, GtkWidget *dragged, bool behind);

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
  const CardDropped dropped
      = (CardDropped) g_object_get_data (G_OBJECT (target), DROPPED);
  unmark (card);
  dropped (card, GTK_WIDGET (g_value_get_object (value)), is_behind (card, y));
  return TRUE;
}

static GtkWidget *
drag_handle_new (GtkWidget *card, CardDropped dropped)
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

static void
odl_overview_row_init (OdlOverviewRow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->text = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_hexpand (self->text, TRUE);
  gtk_widget_set_valign (self->text, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (self->text), make_label (&self->name, NULL));
  gtk_box_append (GTK_BOX (self->text), make_label (&self->words, "caption"));
  gtk_widget_add_css_class (GTK_WIDGET (self->words), "dim-label");
  self->note = gtk_image_new_from_icon_name ("dialog-information-symbolic");
  gtk_widget_set_visible (self->note, FALSE);
  gtk_box_append (GTK_BOX (box), drag_handle_new (GTK_WIDGET (self), dropped_cb));
  self->arrow = GTK_IMAGE (gtk_image_new_from_icon_name ("pan-end-symbolic"));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->arrow));
  gtk_box_append (GTK_BOX (box), self->text);
  gtk_box_append (GTK_BOX (box), self->note);
  gtk_widget_add_css_class (GTK_WIDGET (self), "overview");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
}

GtkWidget *
odl_overview_row_new (OdlSession *session, int item)
{
  OdlOverviewRow *self = g_object_new (ODL_TYPE_OVERVIEW_ROW, NULL);
  self->session = g_object_ref (session);
  self->item = item;
  self->acts = odl_filter_switch_new (session, item);
  gtk_box_append (GTK_BOX (gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (self))),
                  self->acts);
  odl_overview_row_update (self);
  return GTK_WIDGET (self);
}
