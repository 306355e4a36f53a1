// SPDX-License-Identifier: MIT
#include "widgets/panels/sources/source_item.h"

#include <gtk/gtk.h>

#include "session/browse/presentations.h"
#include "session/browse/header.h"

struct _OdlSourceItem {
  GObject parent_instance;
  char *location;
  char *picture; // location of its thumbnail
  char *name;
  char *words; // folded
  char *count; // NULL: ""
  bool in_study;
  int n_keys;
  OdlThumbnailState state;
  GdkTexture *thumbnail;
};

enum { PROP_0, PROP_STATE, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (OdlSourceItem, odl_source_item, G_TYPE_OBJECT)

static void
odl_source_item_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_int (value, ODL_SOURCE_ITEM (object)->state);
}

static void
odl_source_item_finalize (GObject *object)
{
  OdlSourceItem *self = ODL_SOURCE_ITEM (object);
  g_free (self->location);
  g_free (self->picture);
  g_free (self->name);
  g_free (self->words);
  g_free (self->count);
  g_clear_object (&self->thumbnail);
  G_OBJECT_CLASS (odl_source_item_parent_class)->finalize (object);
}

static void
odl_source_item_class_init (OdlSourceItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  object_class->finalize = odl_source_item_finalize;
  object_class->get_property = odl_source_item_get_property;
  properties[PROP_STATE]
      = g_param_spec_int ("state", NULL, NULL, ODL_THUMBNAIL_NONE, ODL_THUMBNAIL_STUDY,
                          ODL_THUMBNAIL_NONE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
odl_source_item_init (OdlSourceItem *self)
{
}

OdlSourceItem *
odl_source_item_new (const char *location, const char *name)
{
  OdlSourceItem *self = odl_source_item_new_of (location, location, name);
  self->in_study = false;
  return self;
}

bool
odl_source_item_is_heading (OdlSourceItem *self)
{
  return self->state == ODL_THUMBNAIL_PATIENT || self->state == ODL_THUMBNAIL_STUDY;
}

bool
odl_source_item_is_object (OdlSourceItem *self)
{
  return self->in_study
         && (self->state == ODL_THUMBNAIL_KEYS || self->state == ODL_THUMBNAIL_OUTLINES
             || self->state == ODL_THUMBNAIL_REPORT);
}

int
odl_source_item_n_keys (OdlSourceItem *self)
{
  return self->n_keys;
}

void
odl_source_item_set_n_keys (OdlSourceItem *self, int n_keys)
{
  if (n_keys == self->n_keys)
    return;
  self->n_keys = n_keys;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
}

const char *
odl_source_item_count (OdlSourceItem *self)
{
  return self->count ? self->count : "";
}

void
odl_source_item_set_count (OdlSourceItem *self, const char *count)
{
  if (g_strcmp0 (count, self->count) == 0)
    return;
  g_free (self->count);
  self->count = g_strdup (count);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
}

int
odl_source_item_depth (OdlSourceItem *self)
{
  return !self->in_study || self->state == ODL_THUMBNAIL_PATIENT ? 0
         : self->state == ODL_THUMBNAIL_STUDY                    ? 1
                                                                 : 2;
}

const char *
odl_source_item_picture (OdlSourceItem *self)
{
  return self->picture;
}

void
odl_source_item_set_picture (OdlSourceItem *self, const char *picture)
{
  g_free (self->picture);
  self->picture = g_strdup (picture);
}

OdlSourceItem *
odl_source_item_new_of (const char *location, const char *picture, const char *name)
{
  OdlSourceItem *self = g_object_new (ODL_TYPE_SOURCE_ITEM, NULL);
  self->location = g_strdup (location);
  self->picture = g_strdup (picture);
  self->name = g_strdup (name);
  self->words = odl_source_item_fold (name);
  self->in_study = true;
  return self;
}

char *
odl_source_item_fold (const char *text)
{
  g_autofree char *apart = g_utf8_normalize (text, -1, G_NORMALIZE_ALL);
  g_autoptr (GString) plain = g_string_new (NULL);
  for (const char *at = apart; at && *at; at = g_utf8_next_char (at))
    if (!g_unichar_ismark (g_utf8_get_char (at)))
      g_string_append_unichar (plain, g_utf8_get_char (at));
  return g_utf8_casefold (plain->str, -1);
}

const char *
odl_source_item_words (OdlSourceItem *self)
{
  return self->words;
}

void
odl_source_item_set_words (OdlSourceItem *self, const char *words)
{
  g_free (self->words);
  self->words = odl_source_item_fold (words);
}

guint
odl_source_item_find (GListModel *items, const char *location)
{
  const guint n = g_list_model_get_n_items (items);
  for (guint i = 0; location && i < n; i++) {
    g_autoptr (OdlSourceItem) item = g_list_model_get_item (items, i);
    if (g_str_equal (item->location, location))
      return i;
  }
  return GTK_INVALID_LIST_POSITION;
}

const char *
odl_source_item_location (OdlSourceItem *self)
{
  return self->location;
}

const char *
odl_source_item_name (OdlSourceItem *self)
{
  return self->name;
}

void
odl_source_item_set_name (OdlSourceItem *self, const char *name)
{
  g_free (self->name);
  self->name = g_strdup (name);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
}

GdkTexture *
odl_source_item_thumbnail (OdlSourceItem *self)
{
  return self->thumbnail;
}

OdlThumbnailState
odl_source_item_state (OdlSourceItem *self)
{
  return self->state;
}

void
odl_source_item_set_thumbnail (OdlSourceItem *self,
                               OdlThumbnailState state,
                               GdkTexture *thumbnail)
{
  self->state = state;
  g_set_object (&self->thumbnail, thumbnail);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
}

void
odl_source_item_set_no_picture (OdlSourceItem *self)
{
  odl_source_item_set_thumbnail (
      self,
      odl_presentation_is_file (self->location) ? ODL_THUMBNAIL_SAVED_LOOK
      : odl_report_is_file (self->location)     ? ODL_THUMBNAIL_REPORT
                                                : ODL_THUMBNAIL_FAILED,
      NULL);
}

void
odl_source_item_set_broken (GListModel *items, const char *location, bool broken)
{
  const guint index = odl_source_item_find (items, location);
  g_autoptr (OdlSourceItem) item
      = index != GTK_INVALID_LIST_POSITION ? g_list_model_get_item (items, index) : NULL;
  if (!item || !g_path_is_absolute (location))
    return;
  if (odl_source_item_is_object (item))
    return;
  if (broken)
    odl_source_item_set_no_picture (item);
  else if (item->state == ODL_THUMBNAIL_FAILED)
    odl_source_item_set_thumbnail (item, ODL_THUMBNAIL_NONE, NULL);
}
