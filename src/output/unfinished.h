// SPDX-License-Identifier: MIT
// Videos that were being written when the program was killed: parts (output.h) that
// nobody writes any more. Notes in the user's state folder tell where they are.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  char *note; // path of what is known about it
  char *part; // what was written, Matroska
  char *target; // what it was to become
  int64_t bytes;
} OdlUnfinished;

OdlUnfinished *odl_unfinished_copy (const OdlUnfinished *unfinished);
void odl_unfinished_free (OdlUnfinished *unfinished);

// Those of this user that no program writes now. Notes whose file has gone are removed.
// Elements are OdlUnfinished. Transfer full.
GPtrArray *odl_unfinished_list (void);

// Makes a whole video of it, which gets the name that it was to have, or that name with a
// number where it is taken, and removes the rest. Gives the path; transfer full. On an
// error nothing changes: ODL_ERROR_IO; ODL_ERROR_UNSUPPORTED where GStreamer lacks
// something. Starts GStreamer and may take long: not on the main thread.
char *odl_unfinished_finish (const OdlUnfinished *unfinished, GError **error);

// Removes what was written.
void odl_unfinished_discard (const OdlUnfinished *unfinished);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlUnfinished, odl_unfinished_free)

G_END_DECLS
