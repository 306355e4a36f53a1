// SPDX-License-Identifier: MIT
// Recording what the canvas shows or the processed frames, and exporting the frames of a
// source. Main thread.
#pragma once

#include "session/save/derived_preview.h"
#include "widgets/window/window.h"

typedef struct _OdlRecording OdlRecording;

OdlRecording *odl_recording_new (const OdlWindowParts *parts);

// Writes a derived DICOM file, as an export of its own.
typedef struct {
  const char *location; // of the DICOM file that it is made from
  int64_t first, count; // frames; count 0: to the end
  const OdlDerivedChoice *choice;
  const char *path;
  bool replace;
} OdlDerivedExport;

void odl_recording_export_derived (OdlRecording *recording,
                                   const OdlDerivedExport *derived);

// Enables the actions that can do something now.
void odl_recording_update_actions (OdlRecording *recording);

// Asks whether an export is to be stopped, and closes the window then. False: nothing is
// being exported.
bool odl_recording_asks_to_stop (OdlRecording *recording);

// Hides names in what is recorded from now on, or shows them again.
void odl_recording_names_changed (OdlRecording *recording);

// Completes the recording, waits for it, and cancels an export.
void odl_recording_end (OdlRecording *recording);
