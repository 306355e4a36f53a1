// SPDX-License-Identifier: MIT
// A file with code of the user's own that is watched: what is saved in an editor takes
// the place of what runs, when it was read, allowed and tried. Main thread.
#pragma once

#include "session/session.h"
#include "session/trust.h"

typedef struct _OdlCodeWatch OdlCodeWatch;

// `to` is another version of `from` and runs. Or, where `to` is NULL, something is to be
// said of the one that goes on (odl_own_fault).
typedef void (*OdlCodeWatchCb) (const OdlOwnCode *from, const OdlOwnCode *to, void *data);

// `code` was read from `path`. `session` says which engine tries it.
OdlCodeWatch *odl_code_watch_new (const char *path,
                                  const OdlOwnCode *code,
                                  OdlSession *session,
                                  OdlCodeWatchCb cb,
                                  void *data);
void odl_code_watch_free (OdlCodeWatch *watch);

// The version that runs.
const OdlOwnCode *odl_code_watch_code (const OdlCodeWatch *watch);

// Whether nobody but the user may change the file: it is his, neither his group nor
// others may write it or its folder, and no link leads to it.
bool odl_code_file_is_private (const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlCodeWatch, odl_code_watch_free)
