// SPDX-License-Identifier: MIT
#include "widgets/panels/sources/source_row.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "widgets/diagnostics.h"
#include "widgets/panels/sources/source_item.h"

#define NAME_LINES 2
#define SERIES_LINES 4
#define INDENT 10 // of what stands below a heading
#define HEADING_SIDE 16

#define LARGE_SIDE 96 // then the name stands below

#define LIST_ITEM "odl-list-item" // of a row
#define SIDE "odl-side" // of its thumbnail

typedef struct {
  int side;
  void (*bound) (void *data);
  void *data;
} Notice;

static int
side_of (GtkWidget *row)
{
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (row), SIDE));
}

// The labels of a row: its name, and how much it has.
static GtkWidget *
name_of (GtkWidget *row)
{
  return gtk_widget_get_first_child (
      gtk_widget_get_next_sibling (gtk_widget_get_first_child (row)));
}

static GtkWidget *
count_of (GtkWidget *row)
{
  return gtk_widget_get_next_sibling (name_of (row));
}

static const char *
icon_of (OdlThumbnailState state)
{
  switch (state) {
  case ODL_THUMBNAIL_FAILED:
    return "dialog-warning-symbolic";
  case ODL_THUMBNAIL_SAVED_LOOK:
    return "document-properties-symbolic";
  case ODL_THUMBNAIL_REPORT:
    return "text-x-generic-symbolic";
  case ODL_THUMBNAIL_KEYS:
    return "starred-symbolic";
  case ODL_THUMBNAIL_OUTLINES:
    return "odl-polygon-symbolic";
  case ODL_THUMBNAIL_CAMERA:
    return "camera-web-symbolic";
  case ODL_THUMBNAIL_PATIENT:
    return "avatar-default-symbolic";
  case ODL_THUMBNAIL_STUDY:
    return "x-office-calendar-symbolic";
  default:
    return "image-x-generic-symbolic";
  }
}

// Describes the emblem to screen readers.
static void
tell_emblem (GtkWidget *row, GtkWidget *image, OdlSourceItem *item)
{
  const OdlThumbnailState state = odl_source_item_state (item);
  const char *name = odl_source_item_name (item);
  const char *said = state == ODL_THUMBNAIL_FAILED ? _ ("Cannot be opened")
                     : state == ODL_THUMBNAIL_SAVED_LOOK
                         ? _ ("No picture, but how others were saved to be looked at: "
                              "they offer it among their grey levels")
                     : state == ODL_THUMBNAIL_REPORT
                         ? _ ("No picture, but a report in words and numbers")
                     : state == ODL_THUMBNAIL_KEYS
                         ? _ ("No picture, but which ones are key pictures: a click goes "
                              "to the first one")
                     : state == ODL_THUMBNAIL_OUTLINES
                         ? _ ("No picture, but what was outlined in others: a click "
                              "draws it over these")
                         : NULL;
  g_autofree char *tip = said ? g_strdup_printf ("%s\n%s", name, said) : NULL;
  gtk_widget_set_tooltip_text (row, tip ? tip : name);
  gtk_accessible_update_state (GTK_ACCESSIBLE (image), GTK_ACCESSIBLE_STATE_HIDDEN, !said,
                               -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (image), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  said ? said : "", -1);
  if (state == ODL_THUMBNAIL_FAILED)
    gtk_widget_add_css_class (image, "broken");
  else
    gtk_widget_remove_css_class (image, "broken");
}

// How much there is stands by itself, where a long name cuts nothing off it.
static void
show_name (GtkWidget *row, OdlSourceItem *item)
{
  const char *name = odl_source_item_name (item), *count = odl_source_item_count (item);
  g_autofree char *end = g_strconcat (" · ", count, NULL);
  const bool parted = *count && g_str_has_suffix (name, end);
  g_autofree char *shown = g_strndup (name, strlen (name) - (parted ? strlen (end) : 0));
  g_autofree char *breakable = odl_diagnostics_breakable (shown);
  gtk_label_set_text (GTK_LABEL (name_of (row)), breakable);
  gtk_label_set_text (GTK_LABEL (count_of (row)), parted ? count : "");
  gtk_widget_set_visible (count_of (row), parted);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, -1);
}

// A patient, the studies below, and the series below these.
static void
show_place (GtkWidget *row, GtkWidget *image, OdlSourceItem *item)
{
  GtkWidget *name = name_of (row);
  const bool heading = odl_source_item_is_heading (item);
  const int depth = odl_source_item_depth (item);
  const int side = heading ? HEADING_SIDE : side_of (row);
  const bool below = !heading && side >= LARGE_SIDE;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (row), below
                                                            ? GTK_ORIENTATION_VERTICAL
                                                            : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_halign (image, below ? GTK_ALIGN_START : GTK_ALIGN_FILL);
  // The end of a file's name says more than its middle.
  const bool of_study = heading || depth > 1;
  gtk_label_set_lines (GTK_LABEL (name), of_study ? SERIES_LINES : NAME_LINES);
  gtk_label_set_ellipsize (GTK_LABEL (name),
                           of_study ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_margin_start (row, depth * INDENT);
  gtk_widget_set_size_request (image, side, heading ? -1 : side);
  if (heading) {
    gtk_image_set_pixel_size (GTK_IMAGE (image), side);
    gtk_widget_remove_css_class (image, "thumbnail");
  } else {
    gtk_widget_add_css_class (image, "thumbnail");
  }
  if (heading && depth == 0)
    gtk_widget_add_css_class (name, "heading");
  else
    gtk_widget_remove_css_class (name, "heading");
}

// A star at the end, beside how many there are.
static void
show_keys (GtkWidget *row, OdlSourceItem *item)
{
  GtkWidget *star = gtk_widget_get_last_child (row);
  const int n = odl_source_item_n_keys (item);
  g_autofree char *said
      = g_strdup_printf (ngettext ("%d key picture", "%d key pictures", (gulong) n), n);
  gtk_widget_set_visible (star, n > 0);
  gtk_widget_set_tooltip_text (star, said);
  gtk_accessible_update_property (GTK_ACCESSIBLE (star), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  said, -1);
}

static void
show_item (GtkListItem *list_item)
{
  OdlSourceItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *row = gtk_list_item_get_child (list_item);
  if (!item || !row)
    return;
  show_name (row, item);
  GtkImage *image = GTK_IMAGE (gtk_widget_get_first_child (row));
  GdkTexture *texture = odl_source_item_thumbnail (item);
  gtk_image_set_pixel_size (image, texture ? side_of (row) : side_of (row) / 2);
  show_place (row, GTK_WIDGET (image), item);
  if (texture)
    gtk_image_set_from_paintable (image, GDK_PAINTABLE (texture));
  else
    gtk_image_set_from_icon_name (image, icon_of (odl_source_item_state (item)));
  tell_emblem (row, GTK_WIDGET (image), item);
  show_keys (row, item);
}

static GtkWidget *
make_name (void)
{
  GtkLabel *label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (label, 0);
  gtk_label_set_ellipsize (label, PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_wrap (label, TRUE);
  gtk_label_set_wrap_mode (label, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (label, NAME_LINES);
  // The narrowest layouts of short names confuse GTK 4.8.
  gtk_label_set_natural_wrap_mode (label, GTK_NATURAL_WRAP_NONE);
  gtk_widget_set_hexpand (GTK_WIDGET (label), TRUE);
  // A hyphen at a line break would look like part of the name.
  PangoAttrList *attributes = pango_attr_list_new ();
  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  gtk_label_set_attributes (label, attributes);
  pango_attr_list_unref (attributes);
  return GTK_WIDGET (label);
}

static GtkWidget *
make_count (void)
{
  GtkLabel *label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (label, 0);
  gtk_label_set_wrap (label, TRUE);
  gtk_label_set_natural_wrap_mode (label, GTK_NATURAL_WRAP_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (label), "dim-label");
  return GTK_WIDGET (label);
}

static GtkWidget *
make_texts (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (box, TRUE);
  gtk_box_append (GTK_BOX (box), make_name ());
  gtk_box_append (GTK_BOX (box), make_count ());
  return box;
}

static GtkWidget *
make_star (void)
{
  GtkWidget *star = gtk_image_new_from_icon_name ("starred-symbolic");
  gtk_widget_set_visible (star, FALSE);
  gtk_widget_set_valign (star, GTK_ALIGN_CENTER);
  gtk_widget_set_halign (star, GTK_ALIGN_START);
  return star;
}

// ---- into a pane ---------------------------------------------------------------------

// NULL: a heading.
static OdlSourceItem *
item_of (GtkWidget *row)
{
  OdlSourceItem *item
      = gtk_list_item_get_item (g_object_get_data (G_OBJECT (row), LIST_ITEM));
  return item && !odl_source_item_is_heading (item) ? item : NULL;
}

// Taken by panes of this program only.
static GdkContentProvider *
prepare_cb (GtkWidget *row)
{
  OdlSourceItem *item = item_of (row);
  return item ? gdk_content_provider_new_typed (ODL_TYPE_SOURCE_ITEM, item) : NULL;
}

static void
drag_begin_cb (GtkWidget *row, GdkDrag *drag, GtkDragSource *source)
{
  g_autoptr (GdkPaintable) picture
      = gtk_widget_paintable_new (gtk_widget_get_first_child (row));
  gtk_drag_source_set_icon (source, picture, 0, 0);
}

static gboolean
close_cb (void *menu)
{
  gtk_widget_unparent (menu);
  return G_SOURCE_REMOVE;
}

// The chosen action has yet to run.
static void
closed_cb (GtkPopover *menu)
{
  g_idle_add_full (G_PRIORITY_LOW, close_cb, g_object_ref (menu), g_object_unref);
}

static void
show_menu (GtkWidget *row, double x, double y)
{
  OdlSourceItem *item = item_of (row);
  if (!item)
    return;
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenuItem) entry = g_menu_item_new (_ ("Open in _Other Pane"), NULL);
  g_menu_item_set_action_and_target (entry, "win.open-in-other", "s",
                                     odl_source_item_location (item));
  g_menu_append_item (menu, entry);
  if (odl_source_item_depth (item) > 1 && !odl_source_item_is_object (item)) {
    g_autoptr (GMenuItem) over = g_menu_item_new (_ ("_Lay over the Picture"), NULL);
    g_menu_item_set_action_and_target (over, "win.fuse", "s",
                                       odl_source_item_location (item));
    g_menu_append_item (menu, over);
  }
  GtkWidget *popover = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
  gtk_widget_set_parent (popover, row);
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover),
                               &(GdkRectangle){ (int) x, (int) y, 1, 1 });
  g_signal_connect (popover, "closed", G_CALLBACK (closed_cb), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
}

static void
right_click_cb (GtkWidget *row, int n_press, double x, double y)
{
  show_menu (row, x, y);
}

static void
add_ways_into_panes (GtkWidget *row)
{
  GtkDragSource *source = gtk_drag_source_new ();
  g_signal_connect_swapped (source, "prepare", G_CALLBACK (prepare_cb), row);
  g_signal_connect_swapped (source, "drag-begin", G_CALLBACK (drag_begin_cb), row);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (source));
  GtkGesture *click = gtk_gesture_click_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (right_click_cb), row);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (click));
}

static gboolean
open_in_other_cb (GtkWidget *list, GVariant *parameter, void *data)
{
  GtkRoot *root = gtk_widget_get_root (list);
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;
  GtkWidget *row = focus ? gtk_widget_get_first_child (focus) : NULL;
  OdlSourceItem *item
      = row && g_object_get_data (G_OBJECT (row), LIST_ITEM) ? item_of (row) : NULL;
  return item
         && gtk_widget_activate_action (list, "win.open-in-other", "s",
                                        odl_source_item_location (item));
}

void
odl_source_row_add_keys (GtkWidget *list)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (controller),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Return, GDK_CONTROL_MASK),
                        gtk_callback_action_new (open_in_other_cb, NULL, NULL)));
  gtk_widget_add_controller (list, controller);
}

// ---- life ----------------------------------------------------------------------------

static void
setup_cb (GtkListItemFactory *factory, GtkListItem *list_item, const Notice *notice)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *image = gtk_image_new ();
  gtk_widget_set_size_request (image, notice->side, notice->side);
  gtk_widget_add_css_class (image, "thumbnail");
  gtk_box_append (GTK_BOX (row), image);
  gtk_box_append (GTK_BOX (row), make_texts ());
  gtk_box_append (GTK_BOX (row), make_star ());
  g_object_set_data (G_OBJECT (row), LIST_ITEM, list_item);
  g_object_set_data (G_OBJECT (row), SIDE, GINT_TO_POINTER (notice->side));
  add_ways_into_panes (row);
  gtk_list_item_set_child (list_item, row);
}

static void
bind_cb (GtkListItemFactory *factory, GtkListItem *list_item, Notice *notice)
{
  OdlSourceItem *item = gtk_list_item_get_item (list_item);
  show_item (list_item);
  g_signal_connect_object (item, "notify::state", G_CALLBACK (show_item), list_item,
                           G_CONNECT_SWAPPED);
  notice->bound (notice->data);
}

static void
unbind_cb (GtkListItemFactory *factory, GtkListItem *list_item)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item), show_item,
                                        list_item);
}

GtkListItemFactory *
odl_source_row_factory_new (int side, void (*bound) (void *data), void *data)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  Notice *notice = g_new (Notice, 1);
  *notice = (Notice){ side, bound, data };
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), notice);
  g_signal_connect_data (factory, "bind", G_CALLBACK (bind_cb), notice,
                         (GClosureNotify) (void (*) (void)) g_free, 0);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cb), NULL);
  return factory;
}
