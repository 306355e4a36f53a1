// SPDX-License-Identifier: MIT
// The commands of the window, tables: what they are called, by which keys they are given,
// and in which menus they stand. Accelerators, keys and the shortcuts window are made
// from it here, the keys in the help and in ondelette(1) by resources/texts.py. What a
// command does stands with the part that owns its action. Main thread.
#pragma once

#include <gtk/gtk.h>
#include <stdbool.h>

// Accelerators of the command `id`, such as “win.zoom(1)”, as GTK writes them and
// separated by blanks; NULL: there is no such command.
const char *odl_command_key (const char *id);

// A row of the table for people who choose keys.
typedef struct {
  bool is_group; // a heading of the rows below
  const char *id; // NULL: its keys are not to be chosen
  const char *title; // translated; that of the row above where it has none
} OdlCommandRow;

// False: there is no such row.
bool odl_command_at (size_t i, OdlCommandRow *row);

// What the command but `id` is called that has the accelerator; NULL: it is free.
const char *odl_command_with_key (const char *accelerator, const char *id);

// Keys that precede those of a text entry.
void odl_commands_add_accelerators (GtkApplication *application);

// The other keys, which come after a text entry.
void odl_commands_add_keys (GtkWidget *window);

// Accelerators and keys of all windows follow those that people chose (own_keys.h).
void odl_commands_renew (GtkApplication *application);

// Fills the menus of the template of `window`, which its class has bound.
void odl_commands_fill_menus (GtkWidget *window);

// All commands by their groups. Transfer none: GTK keeps windows.
GtkShortcutsWindow *odl_commands_shortcuts_window (void);
