// SPDX-License-Identifier: MIT
#include "widgets/window/own_keys.h"

#include <gtk/gtk.h>

static GHashTable *own; // id -> accelerators

static GHashTable *
all (void)
{
  if (!own)
    own = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return own;
}

static bool
are_valid (const char *keys)
{
  g_auto (GStrv) each = g_strsplit (keys, " ", -1);
  for (int i = 0; *keys && each[i]; i++) {
    guint key;
    GdkModifierType state;
    if (!gtk_accelerator_parse (each[i], &key, &state) || key == 0)
      return false;
  }
  return true;
}

void
odl_own_keys_load (OdlSettings *settings)
{
  g_autofree char *text = odl_settings_get_string (settings, ODL_OWN_KEYS);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_hash_table_remove_all (all ());
  for (int i = 0; lines[i]; i++) {
    const char *tab = strchr (lines[i], '\t');
    if (tab && tab > lines[i] && are_valid (tab + 1))
      g_hash_table_insert (all (), g_strndup (lines[i], (gsize) (tab - lines[i])),
                           g_strdup (tab + 1));
  }
}

static void
keep (OdlSettings *settings)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GList) ids
      = g_list_sort (g_hash_table_get_keys (all ()), (GCompareFunc) strcmp);
  for (GList *id = ids; id; id = id->next)
    g_string_append_printf (text, "%s\t%s\n", (const char *) id->data,
                            (const char *) g_hash_table_lookup (all (), id->data));
  odl_settings_set_string (settings, ODL_OWN_KEYS, text->str);
}

const char *
odl_own_keys_of (const char *id)
{
  return id ? g_hash_table_lookup (all (), id) : NULL;
}

void
odl_own_keys_set (OdlSettings *settings, const char *id, const char *keys)
{
  if (keys)
    g_hash_table_insert (all (), g_strdup (id), g_strdup (keys));
  else
    g_hash_table_remove (all (), id);
  keep (settings);
}

void
odl_own_keys_clear (OdlSettings *settings)
{
  g_hash_table_remove_all (all ());
  keep (settings);
}
