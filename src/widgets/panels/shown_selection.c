// SPDX-License-Identifier: MIT
#include "widgets/panels/shown_selection.h"

struct _OdlShownSelection {
  GObject parent_instance;
  GListModel *model;
  guint position;
};

static GType
get_item_type (GListModel *list)
{
  return g_list_model_get_item_type (ODL_SHOWN_SELECTION (list)->model);
}

static guint
get_n_items (GListModel *list)
{
  return g_list_model_get_n_items (ODL_SHOWN_SELECTION (list)->model);
}

static void *
get_item (GListModel *list, guint position)
{
  return g_list_model_get_item (ODL_SHOWN_SELECTION (list)->model, position);
}

static void
list_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static gboolean
is_selected (GtkSelectionModel *model, guint position)
{
  return ODL_SHOWN_SELECTION (model)->position == position;
}

static GtkBitset *
get_selection_in_range (GtkSelectionModel *model, guint position, guint n_items)
{
  const guint at = ODL_SHOWN_SELECTION (model)->position;
  GtkBitset *set = gtk_bitset_new_empty ();
  if (at != GTK_INVALID_LIST_POSITION && at >= position && at - position < n_items)
    gtk_bitset_add (set, at);
  return set;
}

static void
selection_init (GtkSelectionModelInterface *iface)
{
  // Requests to select are refused, as GTK does without these functions.
  iface->is_selected = is_selected;
  iface->get_selection_in_range = get_selection_in_range;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (OdlShownSelection,
                               odl_shown_selection,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_init)
                                   G_IMPLEMENT_INTERFACE (GTK_TYPE_SELECTION_MODEL,
                                                          selection_init))

static void
items_changed_cb (OdlShownSelection *self, guint position, guint removed, guint added)
{
  if (self->position != GTK_INVALID_LIST_POSITION && self->position >= position)
    self->position = self->position < position + removed
                         ? GTK_INVALID_LIST_POSITION
                         : self->position - removed + added;
  g_list_model_items_changed (G_LIST_MODEL (self), position, removed, added);
}

static void
odl_shown_selection_finalize (GObject *object)
{
  g_clear_object (&ODL_SHOWN_SELECTION (object)->model);
  G_OBJECT_CLASS (odl_shown_selection_parent_class)->finalize (object);
}

static void
odl_shown_selection_class_init (OdlShownSelectionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = odl_shown_selection_finalize;
}

static void
odl_shown_selection_init (OdlShownSelection *self)
{
  self->position = GTK_INVALID_LIST_POSITION;
}

OdlShownSelection *
odl_shown_selection_new (GListModel *model)
{
  OdlShownSelection *self = g_object_new (ODL_TYPE_SHOWN_SELECTION, NULL);
  self->model = g_object_ref (model);
  g_signal_connect_object (model, "items-changed", G_CALLBACK (items_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return self;
}

void
odl_shown_selection_set (OdlShownSelection *self, guint position)
{
  const guint before = self->position;
  if (before == position)
    return;
  self->position = position;
  GtkSelectionModel *model = GTK_SELECTION_MODEL (self);
  if (before != GTK_INVALID_LIST_POSITION)
    gtk_selection_model_selection_changed (model, before, 1);
  if (position != GTK_INVALID_LIST_POSITION)
    gtk_selection_model_selection_changed (model, position, 1);
}

guint
odl_shown_selection_get (OdlShownSelection *self)
{
  return self->position;
}
