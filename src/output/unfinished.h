// SPDX-License-Identifier: MIT
// Interrupted recordings: parts (output.h) whose program was killed. Notes in the
// user's state folder locate them.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  char *note; // path of the note
  char *part; // path of the part, Matroska
  char *target; // intended path
  int64_t bytes;
} OdlUnfinished;

OdlUnfinished *odl_unfinished_copy (const OdlUnfinished *unfinished);
void odl_unfinished_free (OdlUnfinished *unfinished);

// Parts of this user that no program is writing. Removes notes whose file is gone, and
// parts without a byte.
// Elements are OdlUnfinished. Transfer full.
GPtrArray *odl_unfinished_list (void);

// Remuxes the part into a complete video at its intended path, with a number appended
// if that exists; then removes part and note. Returns the path; transfer full.
// ODL_ERROR_IO; ODL_ERROR_UNSUPPORTED if GStreamer plugins are missing; on errors
// nothing changes. Initialises GStreamer and may take long: not on the main thread.
char *odl_unfinished_finish (const OdlUnfinished *unfinished, GError **error);

// Deletes part and note.
void odl_unfinished_discard (const OdlUnfinished *unfinished);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlUnfinished, odl_unfinished_free)
