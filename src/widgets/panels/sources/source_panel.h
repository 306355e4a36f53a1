// SPDX-License-Identifier: MIT
// The left panel: the phantoms, the cameras and the media files of a folder, or the
// patients, studies and series in it, with thumbnails. Main thread. Signal: message
// (text).
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"
#include "widgets/settings.h"

#define ODL_TYPE_SOURCE_PANEL (odl_source_panel_get_type ())
G_DECLARE_FINAL_TYPE (OdlSourcePanel, odl_source_panel, ODL, SOURCE_PANEL, GtkWidget)

// What the panel's phantoms open.
#define ODL_PHANTOM_LOCATION "phantom:512x512"
#define ODL_BEAMS_LOCATION "phantom:beams"
#define ODL_XRAY_LOCATION "phantom:xray"
#define ODL_FACE_LOCATION "phantom:face"

void odl_source_panel_set_up (OdlSourcePanel *panel,
                              OdlSession *session,
                              OdlSettings *settings);
// Another session of the same window opens what is chosen, and shows what is selected.
void odl_source_panel_set_session (OdlSourcePanel *panel, OdlSession *session);

// The location that the camera of last time is opened with, its format included.
void odl_source_panel_set_last_camera (OdlSourcePanel *panel, const char *location);

// Lists another folder, without blocking. NULL: no folder.
void odl_source_panel_set_folder (OdlSourcePanel *panel, const char *folder);

// Lists a folder and opens its first picture, unless something else is opened before the
// list is complete; what is being opened is cancelled. A folder with DICOM files in it is
// listed as below, unless people prefer files. `recipe` as in odl_session_open.
void odl_source_panel_open_folder (OdlSourcePanel *panel,
                                   const char *folder,
                                   const OdlRecipe *recipe);

// Of the folder that is being opened so, the picture with that SOP Instance UID is
// wanted, which is shown already: its series comes in its place, at that slice. Where it
// is not in the folder that is said, and the first picture comes.
void odl_source_panel_await_slice (OdlSourcePanel *panel, const char *instance);

// Lists the patients, studies and series of a folder, or of a disc by its table
// (DICOMDIR), in the place of files, and opens the first series; else as above. The list
// grows while more is read; the first series is that of the first folder by name, and is
// opened when that was read.
void odl_source_panel_open_studies (OdlSourcePanel *panel,
                                    const char *path,
                                    const OdlRecipe *recipe);

// Lists them, and opens nothing.
void odl_source_panel_list_studies (OdlSourcePanel *panel, const char *folder);

// The DICOM slice that was opened becomes the stack of its series, and its folder's
// patients, studies and series are listed; unless it was chosen as a file, or people
// prefer files. False: so it is, or it is no such slice.
bool odl_source_panel_open_whole (OdlSourcePanel *panel);

// The slice that is opened next was asked for by itself, from its stack.
void odl_source_panel_choose (OdlSourcePanel *panel, const char *location);

// OdlSeries of the patients, studies and series that are listed; NULL: files are.
// Borrowed until the main loop runs.
const GPtrArray *odl_source_panel_studies (OdlSourcePanel *panel);

// The folder whose studies are listed, or being read; NULL: files are listed. Borrowed.
const char *odl_source_panel_studies_folder (OdlSourcePanel *panel);
// A folder is being listed: there may be more than these.
bool odl_source_panel_is_listing (OdlSourcePanel *panel);

// A failure page about `location` is shown: its row is selected and its folder listed.
// NULL: the canvas shows the session's source.
void odl_source_panel_set_failed (OdlSourcePanel *panel, const char *location);

// Begins a search over the list.
void odl_source_panel_search (OdlSourcePanel *panel);

// Opens the file `by` places after the shown one, if it exists.
void odl_source_panel_step (OdlSourcePanel *panel, int by);
