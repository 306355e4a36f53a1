// SPDX-License-Identifier: MIT
// What is typed before the list that it is meant for is on screen: kept for that, so that
// no key is lost, and none reaches the picture. Main thread.
#pragma once

#include <gtk/gtk.h>
#include <stdbool.h>

typedef struct _OdlKeysAhead OdlKeysAhead;

// From now on the keys of the window below `widget` are kept.
OdlKeysAhead *odl_keys_ahead_new (GtkWidget *widget);

// Escape was pressed.
bool odl_keys_ahead_given_up (const OdlKeysAhead *keys);

// Whoever searches has `entry`: gets what was typed, and Return if that was pressed.
void odl_keys_ahead_hand_over (OdlKeysAhead *keys, GtkEditable *entry);

// Keys go their ways again. NULL: nothing.
void odl_keys_ahead_free (OdlKeysAhead *keys);
