// SPDX-License-Identifier: MIT
// What waits on this machine until a node takes it: copies of files that a window was to
// send (queue.h), in a folder of the user's state for each node. Beside the folder lies a
// note of whose it is, and of what was tried last. Any thread, and any process of the
// user's.
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef struct {
  char *node; // "TITLE@HOST:PORT"; "": nothing says whose it is
  char *folder;
  guint n_files;
  guint n_tries; // in turn, none of which ended well
  gint64 tried_s; // when that was last, since 1970; 0: never
  char *why; // a sentence of the last one; "": there was none
} OdlWaiting;

void odl_waiting_free (OdlWaiting *self);

// OdlWaiting, where there are files, in the order of the names of the nodes.
GPtrArray *odl_waiting_list (void);
// What waits for one, if anything does.
OdlWaiting *odl_waiting_of (const char *node);

// Seconds after the last try until the next one, which grow with their number up to ten
// minutes.
guint odl_waiting_pause (guint n_tries);
// Seconds from now until the next one; 0: it is due.
guint odl_waiting_is_due_in (const OdlWaiting *self);

// Makes the folder if need be, and lets nobody else use it. Returns what is to be closed
// in the end; −1: ODL_ERROR_IO, ODL_ERROR_BUSY.
int odl_waiting_lock (const OdlWaiting *self, GError **error);

// Notes how it stands, or removes the note where nothing waits. `why` NULL: it went well.
// ODL_ERROR_IO.
bool odl_waiting_note (const OdlWaiting *self, const char *why, GError **error);

// Removes the files and the note. ODL_ERROR_IO, ODL_ERROR_BUSY.
bool odl_waiting_remove (const OdlWaiting *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlWaiting, odl_waiting_free)
