// SPDX-License-Identifier: MIT
#include "widgets/archive/node_list.h"

#include <glib/gi18n-lib.h>

GPtrArray *
odl_nodes_load (OdlSettings *settings)
{
  g_autofree char *text = odl_settings_get_string (settings, ODL_ARCHIVE_NODES_KEY);

  return odl_archive_nodes_parse (text);
}

void
odl_nodes_save (OdlSettings *settings, const GPtrArray *nodes)
{
  g_autofree char *text = odl_archive_nodes_to_text (nodes);

  odl_settings_set_string (settings, ODL_ARCHIVE_NODES_KEY, text);
}

char *
odl_node_place (const OdlArchiveNode *node)
{
  g_autofree char *address = odl_archive_node_address (node);

  // Translators: a node, and that what is said with it is encrypted.
  return node->encrypted ? g_strdup_printf (_ ("%s, encrypted (TLS)"), address)
                         : g_steal_pointer (&address);
}
