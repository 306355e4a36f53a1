// SPDX-License-Identifier: MIT
// Lines of advice below an error message. Main thread.
#pragma once

#include <gtk/gtk.h>

// Replaces the children of `box` by a row for each line of `text`. Lines may begin with
// "• ".
void odl_advice_fill (GtkBox *box, const char *text);

// `text` as markup whose words are broken without hyphens, which would be read as a part
// of a file's name. Transfer full.
char *odl_advice_markup (const char *text);
