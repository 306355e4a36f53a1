// SPDX-License-Identifier: MIT
// A workspace: what a window shows, as a text file. Its panes, and of each one the
// source, the place in it, both recipes, how it is looked at; and the list of a
// presentation. Any thread.
//
// The files hold no pictures and nothing from their headers, but names of files, which
// may be those of people. Of pictures that came from nowhere to go back to, such as the
// clipboard's, the pane is kept empty.
#pragma once

#include "filter/recipe.h"
#include "image/display/display.h"
#include "image/display/view.h"
#include "image/volume/planes.h"

#define ODL_WORKSPACE_ENDING ".odlworkspace"
#define ODL_WORKSPACE_MOST_PANES 4
#define ODL_WORKSPACE_MOST_BYTES (1 << 20)

typedef struct {
  char *location; // NULL: empty, and the rest does not count
  int64_t position; // frame or slice, from 0; −1: where it opens
  bool playing;
  char *recipe; // the one in force, as text; NULL: the one that it opens with
  char *other; // the one of A and B that is not; NULL: as that in force
  char *letter; // of the one in force: "A", "B"
  char *comparison; // action “comparison” of the window
  OdlView view; // zoom and centre count where it does not fit
  OdlWindowMode mode; // a table is kept as the file's own window
  double centre, width; // in values, of ODL_WINDOW_CUSTOM
  int choice; // of ODL_WINDOW_FILE
  bool invert;
  char *colours; // name of the colour map; NULL: grey
  bool planes; // three planes of a volume
  OdlVoxel voxel; // the cross-hair
  // Another volume that lies over it in colours; NULL: none, and the rest does not count.
  char *fusion;
  double fusion_share;
  char *fusion_colours; // name of the colour map
  double fusion_centre, fusion_width; // in its values; width 0: those of its file
} OdlWorkspacePane;

typedef struct {
  char *layout; // action “layout” of the window: rows × columns, as "2x2"
  int active; // pane, from 0
  bool alone; // it is shown alone
  char *folder; // whose patients, studies and series are listed; NULL: others are
  char **links; // actions that are on, such as “link-view”
  bool ended; // the window was closed; else it is open, or the program was killed
  int64_t process; // of that window
  int64_t begun; // when that process was begun, as the system has it; 0: not known
  // The list of a presentation that was left, of which there is always one of both; NULL:
  // there is none.
  char **show_locations;
  char **show_recipes; // as texts
  double show_dwell_s;
  // What is calculated in the window of calculations, by name, and from what: for each of
  // its inputs “pane kind frame numbers”, panes and frames from 1, or “”. NULL: that
  // window is closed.
  char *calculation;
  char **calculated_from;
  int n_panes;
  OdlWorkspacePane panes[ODL_WORKSPACE_MOST_PANES];
} OdlWorkspace;

OdlWorkspace *odl_workspace_new (void);
void odl_workspace_free (OdlWorkspace *workspace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlWorkspace, odl_workspace_free)

// No pane has a source.
bool odl_workspace_is_empty (const OdlWorkspace *workspace);

// The text, transfer full, and back. Errors: ODL_ERROR_CORRUPT, which names the pane and
// the word, and `shown`, the file.
char *odl_workspace_to_text (const OdlWorkspace *workspace);
OdlWorkspace *
odl_workspace_from_text (const char *text, const char *shown, GError **error);

// Files. Errors: ODL_ERROR_IO too; ODL_ERROR_TOO_LARGE beyond ODL_WORKSPACE_MOST_BYTES.
bool odl_workspace_save (const OdlWorkspace *workspace, const char *path, GError **error);
OdlWorkspace *odl_workspace_load (const char *path, GError **error);

// The file of the window that is open now, and of the one that was open before, in the
// user's state folder. Transfer full.
char *odl_workspace_current_path (void);
char *odl_workspace_previous_path (void);
// Keeps the current one, for its user alone; what cannot be written is not told of.
void odl_workspace_keep (const char *text);
// When a process was begun, in clock ticks since the system was; 0: it does not run.
// Another process may have its number later, but was begun later, too.
int64_t odl_workspace_begun (int64_t process);
// A window opens: the current one becomes the previous one, unless the process that it is
// of still runs. Returns the previous one, whose `ended` tells how it went; NULL: there
// is none that can be read. Transfer full.
OdlWorkspace *odl_workspace_begin (void);
// Both are removed.
void odl_workspace_forget (void);
