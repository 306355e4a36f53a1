// SPDX-License-Identifier: MIT
// Names of patients, and of files, folders and other programs' arrays, which often have
// them: hidden in a window for demonstrations, all at once. Main thread.
#pragma once

#include "session/session.h"

#define ODL_TYPE_NAMES (odl_names_get_type ())
G_DECLARE_FINAL_TYPE (OdlNames, odl_names, ODL, NAMES, GObject)

// Those of the session's window; borrowed. It learns from the session which files are
// opened. Emits "changed" when names are hidden or shown again.
OdlNames *odl_names_of (OdlSession *session);
// Another session of the same window, before anything asks for its names.
void odl_names_share (OdlNames *names, OdlSession *session);

void odl_names_set_hidden (OdlNames *names, bool hidden);
bool odl_names_are_hidden (const OdlNames *names);

// How the name of a file (or what `name` says of it, NULL: that name) is shown: as it is,
// or other words. All of the file's names are hidden in texts from then on. Transfer
// full.
char *odl_names_of_file (OdlNames *names, const char *path, const char *name);

// How the source that a session shows, or `location` that is on its way, is called:
// cameras and phantoms are no secret. NULL: there is none. Transfer full.
char *odl_names_of_source (OdlSession *session);

// Whose picture it is and of which series, which names of files from hospitals do not
// say: "Doe, Jane · CT · Series 3 · Thorax". Transfer full; NULL: it names no patient, or
// names are hidden.
char *odl_names_of_examination (OdlSession *session);
// The same with the study: "Doe, Jane · 2024-01-31 · Chest · CT · Series 3 · Thorax".
char *odl_names_of_series (OdlSession *session);
char *odl_names_of_location (OdlNames *names, const char *location);

// Where a file chooser for something beside `location` begins: its folder (NULL: there is
// none), or that of the user, since the chooser would show names that are hidden; without
// any folder GTK's would list recent files. Transfer full.
GFile *odl_names_folder_of (const OdlNames *names, const char *location);

// How much of `location` stands before a path, as in "volume:series:PATH" and
// "layer:NAME:PATH"; 0: nothing.
size_t odl_names_before_path (const char *location);

// What stands for a file's name in texts about recipes (odl_recipe_with_files_as); NULL:
// names are shown.
const char *odl_names_word (const OdlNames *names);

// A text, an error's for instance, without names that are known. Transfer full.
char *odl_names_in_text (OdlNames *names, const char *text);
