// SPDX-License-Identifier: MIT
// Files in and out of the window: file choosers, recent files, files that are dropped on
// the window, recipes and saved pictures. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "widgets/window/window.h"

typedef struct _OdlFiles OdlFiles;

OdlFiles *odl_files_new (const OdlWindowParts *parts);

// Adds a location to the recent files, if it is a file and the user wants them kept.
void odl_files_remember (OdlFiles *files, const char *location);
// The source of a session, which says whose picture it is.
void odl_files_remember_source (OdlFiles *files, OdlSession *session);
void odl_files_fill_recent (OdlFiles *files); // the menu
void odl_files_forget_recent (OdlFiles *files);

// A file name as a label of a menu: shortened, without mnemonics. Transfer full.
char *odl_files_menu_label (const char *name);

// Where something made from the picture is saved: beside the picture if that is a file,
// else in the folder that was used last; while names are hidden in the user's own. NULL:
// no such folder is known. Transfer full.
GFile *odl_files_save_folder (const OdlWindowParts *parts);

// A name for something made from the picture: the source's name without folder and
// ending, "-processed" if it is, and `ending`. Transfer full.
char *odl_files_save_name (const OdlWindowParts *parts, const char *ending);

// Whether `path` is a file that is shown. Then it must not be written, which the user is
// told.
bool odl_files_is_shown (const OdlWindowParts *parts, const char *path);

// `file` is what was chosen, which has a path: of others the user is told.
typedef void (*OdlFileChosen) (GtkFileChooser *chooser, GFile *file, void *data);

// A modal file chooser, to be shown with gtk_native_dialog_show. With `name`, which is
// the one that is offered, it opens in odl_files_save_folder, else in the folder used
// last. It frees itself when it is answered; an answer after the window's end is ignored.
GtkFileChooser *odl_file_chooser_new (const OdlWindowParts *parts,
                                      const char *title,
                                      GtkFileChooserAction action,
                                      const char *name,
                                      OdlFileChosen chosen,
                                      void *data);

// The same, shown.
void odl_file_chooser_ask (const OdlWindowParts *parts,
                           const char *title,
                           GtkFileChooserAction action,
                           const char *name,
                           OdlFileChosen chosen,
                           void *data);

// Lists files with these patterns (up to NULL) only.
void odl_file_chooser_add_filter (GtkFileChooser *chooser,
                                  const char *name,
                                  const char *const *patterns);

// Says of a derived DICOM file that we wrote which filters made it, and offers them.
void odl_files_offer_recipe (const OdlWindowParts *parts);
