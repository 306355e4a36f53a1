// SPDX-License-Identifier: MIT
// Files of our own, as instances of a folder.
#pragma once

#include "archive/instances.h"
#include "archive/peer.h"

// Copies a DICOM file into the folder, under the name that its data set says. `path` is
// below the folder; transfer full. `peer` is a helper that looks at files, of which there
// is none at first (*peer NULL); the caller ends it after the last file. ODL_ERROR_IO,
// ODL_ERROR_CORRUPT.
bool odl_keep_file (OdlInstances *instances,
                    OdlPeer **peer,
                    const char *file,
                    OdlKept *kept,
                    char **path,
                    GError **error);

// What a DICOM file is, of whatever kind: report->facts. `peer` as above.
// ODL_ERROR_CORRUPT: it does not say of which study and series it is.
bool odl_look_at_file (OdlPeer **peer, int fd, OdlNetworkReport *report, GError **error);

// Appends what is in a file to another one. ODL_ERROR_IO.
bool odl_copy_file (int from, int to, GError **error);
