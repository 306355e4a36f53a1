// SPDX-License-Identifier: MIT
// Folders of which one file alone can be seen: a program in a sandbox is given what
// somebody chose (the document portal shows each such file in a folder of its own), and
// of some folders nobody may list what they hold.
#pragma once

#include <gio/gio.h>

// What the folder of a file is called, as far as that is known, if the others in it
// cannot be seen; NULL: they can, or it is alone. Transfer full. Blocks for as long as a
// folder takes to be opened. Any thread.
char *odl_unseen_folder (const char *path);

// The same in the background.
void odl_unseen_ask (const char *path,
                     GCancellable *cancellable,
                     GAsyncReadyCallback cb,
                     void *data);
// NULL also where it was cancelled. Transfer full.
char *odl_unseen_ask_finish (GAsyncResult *result);
