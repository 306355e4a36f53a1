// SPDX-License-Identifier: MIT
#include "widgets/archive/node_list.h"

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
