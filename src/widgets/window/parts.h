// SPDX-License-Identifier: MIT
// The objects that make up a window. Each has its state to itself, in its own file, and
// gets this table, so that it can call the others. Main thread.
#pragma once

#include "session/reference.h"
#include "session/save/workspace.h"
#include "widgets/names.h"
#include "widgets/panels/sources/source_panel.h"
#include "widgets/window/files/files.h"
#include "widgets/window/last_camera.h"
#include "widgets/window/layout/layout.h"
#include "widgets/window/messages.h"
#include "widgets/window/page.h"
#include "widgets/window/readout.h"
#include "widgets/window/recording.h"
#include "widgets/window/screen.h"
#include "widgets/window/show.h"
#include "widgets/window/window.h"

// What parts say of themselves, for those that stand below them. Each field is set by the
// part that it names.
typedef struct {
  bool panels; // screen.c: a source was opened, or was to be, so that there are panels
  bool presenting; // show.c: a presentation is on
  int n_panes; // layout.c
  bool recording; // recording.c: until the file is written; exports do not count
  const OdlViewport *recorded; // recording.c: whose pictures are taken; NULL: nobody's
} OdlWindowState;

// All are borrowed, and there until the window is disposed; the parts in this folder are
// freed when it is finalized. Session, playback, viewport, filter panel and page are
// those of the active pane: others when the window has emitted “pane-changed”.
struct _OdlWindowParts {
  OdlMainWindow *window;
  OdlWindowState *state;
  OdlSession *session;
  OdlPlayback *playback; // of the session
  OdlSettings *settings;
  OdlViewport *viewport;
  OdlSourcePanel *source_panel;
  OdlFilterPanel *filter_panel;
  OdlReference *reference;
  OdlMessages *messages;
  OdlFiles *files;
  OdlLastCamera *camera;
  OdlLayout *layout;
  OdlPage *page;
  OdlReadout *readout;
  OdlRecording *recording;
  OdlScreen *screen;
  OdlShow *show;
};

// What the window object holds its parts as.
#define ODL_WINDOW_PARTS "odl-parts"

// The widget of the template with this id, which there must be.
void *odl_window_child (const OdlWindowParts *parts, const char *id);

// The window was closed, and what comes late has held it: it has no children left.
bool odl_window_is_closed (const OdlWindowParts *parts);

// An action of the window. `activate` is called with the object of
// odl_window_add_actions, or the part that the row names, and the parameter, a GVariant
// or NULL.
typedef struct {
  const char *name;
  GCallback activate;
  const char *parameter; // type; NULL: none
  const char *state; // as text; NULL: stateless
  // Whether the action is enabled; where a page covers the picture it never is. NULL: it
  // always is, or its part enables it.
  bool (*when) (const OdlWindowParts *parts);
  // 1 + the offset of the part in OdlWindowParts, which is looked up at each call, since
  // those of the active pane are others from time to time; 0: the object.
  size_t part;
} OdlWindowAction;

// The rows are static.
void odl_window_add_actions (const OdlWindowParts *parts,
                             const OdlWindowAction *actions,
                             int n_actions,
                             void *object);
// Enables those actions whose rows say when they are; while the picture is covered none.
void odl_window_enable_actions (const OdlWindowParts *parts, bool covered);
void odl_window_enable (const OdlWindowParts *parts, const char *action, bool enabled);
void odl_window_set_switch (const OdlWindowParts *parts, const char *action, bool on);

// Calls `cb` with `data` first, until the window is disposed. Signals of the session and
// the viewport of `parts` become those of the active pane.
void odl_window_connect (const OdlWindowParts *parts,
                         void *object,
                         const char *signal,
                         GCallback cb,
                         void *data);
// Another pane is active; `session` and `viewport` were those of the one before.
void odl_window_follow (const OdlWindowParts *parts,
                        OdlSession *session,
                        OdlViewport *viewport);

// A part calls those below it. To those above it tells what has happened, by the signal
// “told” of the window with a detail, which they connect to:
//
// acting          an action begins                          messages.c
// actions         what actions depend on has changed        actions.c
// title           what the title depends on has changed     window.c
// page            a page covers the picture, or has gone    window.c
// layout          there are other panes                     screen.c
// panels          there is to be something to choose from   screen.c
// parameters      a GtkExpander: they were shown or hidden  screen.c
// readout         the lines about the picture are new       screen.c, show.c
// presets         other grey levels have names              presets.c
// segments        others are there, or shown                windows/segments_window.c
// preferences     settings have changed                     layout.c
// pane-opened     an OdlPane that is not the active one     window.c
// open            an OdlWindowRequest                       window.c
// end             the window is to close without a question window.c
void odl_window_tell (const OdlWindowParts *parts, const char *what, const void *about);

// A location that is to be opened; `recipe` as in odl_session_open.
typedef struct {
  const char *location;
  const OdlRecipe *recipe;
} OdlWindowRequest;

// In reference.c: what the results are compared with.
OdlReference *odl_window_make_reference (const OdlWindowParts *parts);

// In actions.c.
void odl_window_add_menu_actions (const OdlWindowParts *parts);

// In picture.c: saving, copying and printing what is shown.
void odl_window_add_picture_actions (const OdlWindowParts *parts);

// In presets.c: grey levels by name, their menu and keys.
void odl_window_add_presets (const OdlWindowParts *parts);
// Lists those that the file offers; told as “presets”.
void odl_window_update_presets (const OdlWindowParts *parts);

// In presentations.c: how somebody saved that the picture is to be looked at.
void odl_window_add_presentations (const OdlWindowParts *parts);
void odl_window_append_presentations (const OdlWindowParts *parts, GMenu *menu);

// In segments.c: what segmentations and structure sets beside the picture outline in it.
void odl_window_add_segments (const OdlWindowParts *parts);
void odl_window_append_segments (const OdlWindowParts *parts, GMenu *menu);
// Those of all files, in their order.
typedef struct {
  char *name; // transfer full
  const char *path; // of their file
  double colour[3]; // sRGB
  bool hidden;
} OdlWindowSegment;
int odl_window_count_segments (const OdlWindowParts *parts);
OdlWindowSegment odl_window_segment (const OdlWindowParts *parts, int index);
void odl_window_show_segments (const OdlWindowParts *parts, bool shown); // all of them

// In own_code.c: code of the user's own, and questions about it.
void odl_window_add_own_code (const OdlWindowParts *parts);
// Whether a file that is dropped is to be a filter rather than a picture, and what makes
// it one, after a question.
bool odl_window_is_code (const char *path);
void odl_window_insert_code (const OdlWindowParts *parts, const char *path);

// In library.c: the user's presets. What was opened without filters begins with the one
// that its user wants for such pictures.
void odl_window_add_library (const OdlWindowParts *parts);
void odl_window_begin_with_preset (const OdlWindowParts *parts, const OdlPane *pane);

// In hanging.c: how the series of a study are laid out.
void odl_window_add_hanging (const OdlWindowParts *parts);

// In compare.c: recipes A and B, and what is compared.
void odl_window_add_compare (const OdlWindowParts *parts);
// For a lab book: which of A and B is in force, and the other one, in lines that begin
// with `start`. NULL: there is one recipe only. Transfer full.
char *odl_window_pair_text (const OdlWindowParts *parts, const char *start);
// A and B of a pane, and what is compared, in a workspace and back.
void odl_window_save_pair (OdlSession *session, OdlWorkspacePane *pane);
void odl_window_restore_pair (const OdlWindowParts *parts,
                              OdlSession *session,
                              const OdlWorkspacePane *pane);

// In views.c: views, colours of grey levels, the menu of the right button.
void odl_window_add_views (const OdlWindowParts *parts);
void odl_window_choose_view (const OdlWindowParts *parts, GVariant *parameter);
void odl_window_update_views (const OdlWindowParts *parts);
const char *odl_window_colour_map (const OdlWindowParts *parts);
const char *odl_window_area (const OdlWindowParts *parts); // where filters act

// In measures.c: the menu of what can be measured, and the button beside it.
void odl_window_add_measures (const OdlWindowParts *parts);
void odl_window_update_measures (const OdlWindowParts *parts);
// What was shown was saved as a derived DICOM file, which reports may refer to.
void odl_window_remember_derived (const OdlWindowParts *parts,
                                  const char *location,
                                  const char *path);

// In keys.c: key pictures.
void odl_window_add_keys (const OdlWindowParts *parts);

// In volumes.c: how volumes are looked at.
void odl_window_add_volumes (const OdlWindowParts *parts);
void odl_window_update_volumes (const OdlWindowParts *parts);

// In volume_work.c: how far the filters of a volume are.
void odl_window_add_volume_work (const OdlWindowParts *parts);

// Frees `part` with the window, under a name of its own.
void odl_window_own (const OdlWindowParts *parts,
                     const char *name,
                     void *part,
                     GDestroyNotify free_part);

// Puts the state of the session and of the parts into the actions, or into the title;
// told as “actions” and “title”.
void odl_window_update_actions (const OdlWindowParts *parts);
void odl_window_update_title (const OdlWindowParts *parts);

// In page.c: whether no page covers the place of the picture.
bool odl_window_is_uncovered (const OdlWindowParts *parts);

// Whether there is a picture and no page covers it.
bool odl_window_shows_picture (const OdlWindowParts *parts);

// Whether there are frames to choose from, as a capture has none, and no page covers
// them.
bool odl_window_has_frames (const OdlWindowParts *parts);
