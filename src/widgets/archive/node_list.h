// SPDX-License-Identifier: MIT
// The DICOM nodes that the settings name. Main thread.
#pragma once

#include "session/archive/nodes.h"
#include "widgets/settings.h"

// OdlArchiveNode; transfer full.
GPtrArray *odl_nodes_load (OdlSettings *settings);
void odl_nodes_save (OdlSettings *settings, const GPtrArray *nodes);

// Where it is, and whether what is said with it is encrypted. Transfer full.
char *odl_node_place (const OdlArchiveNode *node);
