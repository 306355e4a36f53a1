// SPDX-License-Identifier: MIT
// Asks where a recording or an export goes, what it is written as, and what of it. The
// answers are kept in the settings. Main thread.
#pragma once

#include "session/save/save_format.h"
#include "widgets/window/window.h"

// Of an export.
typedef struct {
  bool range; // the frames of the range and not all
  bool rendered; // the rendered view and not slices
} OdlSaveWhat;

typedef void (*OdlSaveChosen) (GFile *file, OdlSaveWhat what, void *data);

// When recording, the dialog asks whether the canvas or the frames are recorded. Does
// nothing while there is such a dialog already. `chosen` is not called when the dialog is
// cancelled or the window closed.
void odl_save_dialog_ask (const OdlWindowParts *parts,
                          const char *title,
                          bool recording,
                          OdlSaveChosen chosen,
                          void *data);

// The format from the settings, and *path, the file to write (transfer full). *replace:
// the user has agreed to replace that file.
OdlSaveFormat odl_save_dialog_format (const OdlWindowParts *parts,
                                      GFile *file,
                                      char **path,
                                      bool *replace);
