// SPDX-License-Identifier: MIT
// The program's settings: GSettings where the schema is installed (or in the build tree),
// else defaults in memory. Main thread.
#pragma once

#include <gio/gio.h>

#define ODL_TYPE_SETTINGS (odl_settings_get_type ())
G_DECLARE_FINAL_TYPE (OdlSettings, odl_settings, ODL, SETTINGS, GObject)

OdlSettings *odl_settings_new (void);

// False where the settings are lost at the end of the program.
gboolean odl_settings_are_kept (OdlSettings *settings);

// The built-in default; NULL for an unknown key. Transfer full.
GVariant *odl_settings_default (const char *key);

gboolean odl_settings_get_boolean (OdlSettings *settings, const char *key);
int odl_settings_get_int (OdlSettings *settings, const char *key);
char *odl_settings_get_string (OdlSettings *settings, const char *key); // transfer full

void odl_settings_set_boolean (OdlSettings *settings, const char *key, gboolean value);
void odl_settings_set_int (OdlSettings *settings, const char *key, int value);
void odl_settings_set_string (OdlSettings *settings, const char *key, const char *value);
