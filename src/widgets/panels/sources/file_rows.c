// SPDX-License-Identifier: MIT
#include "widgets/panels/sources/file_rows.h"

#include <glib/gi18n-lib.h>

#include "session/browse/folder.h"
#include "session/browse/presentations.h"
#include "widgets/diagnostics.h"
#include "widgets/panels/sources/source_item.h"

bool
odl_file_rows_has (GListModel *items, guint index)
{
  g_autoptr (OdlSourceItem) item = g_list_model_get_item (items, index);
  const char *location = item ? odl_source_item_location (item) : "";
  return g_path_is_absolute (location) || odl_folder_file_of_series (location);
}

void
odl_file_rows_add (GListStore *items, const char *location, const char *name, guint at)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (items));
  g_autofree char *base = name ? g_strdup (name) : g_filename_display_basename (location);
  g_autofree char *shown = odl_diagnostics_short_name (base, ODL_SOURCE_NAME_CHARS);
  g_autoptr (OdlSourceItem) item = odl_source_item_new (location, shown);
  odl_source_item_set_words (item, base);
  g_list_store_insert (items, MIN (at, n), item);
}

void
odl_file_rows_add_generated (GListStore *items,
                             const char *location,
                             const char *picture,
                             const char *name)
{
  odl_file_rows_add (items, location, name, G_MAXUINT);
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (items));
  g_autoptr (OdlSourceItem) item = g_list_model_get_item (G_LIST_MODEL (items), n - 1);
  odl_source_item_set_picture (item, picture);
}

void
odl_file_rows_add_all (GListStore *items, char **paths)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  for (char **path = paths; path && *path; path++) {
    g_autofree char *name = g_filename_display_basename (*path);
    g_autofree char *shown = odl_diagnostics_short_name (name, ODL_SOURCE_NAME_CHARS);
    OdlSourceItem *item = odl_source_item_new (*path, shown);
    odl_source_item_set_words (item, name);
    g_ptr_array_add (rows, item);
  }
  g_list_store_splice (items, g_list_model_get_n_items (G_LIST_MODEL (items)), 0,
                       rows->pdata, rows->len);
}

void
odl_file_rows_name (GListModel *items, bool hidden)
{
  const guint n = g_list_model_get_n_items (items);
  int number = 0;
  for (guint i = 0; i < n; i++) {
    g_autoptr (OdlSourceItem) item = g_list_model_get_item (items, i);
    if (!odl_file_rows_has (items, i))
      continue;
    // Translators: the number of a file in a list, in the place of its name.
    g_autofree char *numbered = g_strdup_printf (_ ("File %d"), ++number);
    g_autofree char *name = g_filename_display_basename (odl_source_item_location (item));
    g_autofree char *shown = odl_diagnostics_short_name (name, ODL_SOURCE_NAME_CHARS);
    odl_source_item_set_name (item, hidden ? numbered : shown);
    odl_source_item_set_words (item, hidden ? numbered : name);
  }
}

guint
odl_file_rows_place (GListModel *items, const char *path)
{
  guint at = 0;
  while (odl_file_rows_has (items, at))
    at++;
  while (at > 0) {
    g_autoptr (OdlSourceItem) before = g_list_model_get_item (items, at - 1);
    if (odl_folder_compare (odl_source_item_location (before), path) < 0)
      break;
    at--;
  }
  return at;
}

// A file that keys stop at: what says how pictures are looked at is none of them.
static bool
is_stop (GListModel *items, guint index)
{
  g_autoptr (OdlSourceItem) item = g_list_model_get_item (items, index);
  return odl_file_rows_has (items, index) && !odl_source_item_is_object (item)
         && !odl_presentation_is_file (odl_source_item_location (item));
}

guint
odl_file_rows_next (GListModel *items, guint index, int by)
{
  const guint n = g_list_model_get_n_items (items);
  // A source without a row counts as before the first row and after the last one.
  int64_t at = index != GTK_INVALID_LIST_POSITION ? index : by > 0 ? -1 : (int64_t) n;
  do
    at += by;
  while (at >= 0 && at < n && !is_stop (items, (guint) at));
  return at >= 0 && at < n ? (guint) at : GTK_INVALID_LIST_POSITION;
}
