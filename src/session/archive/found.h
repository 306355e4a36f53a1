// SPDX-License-Identifier: MIT
// What a node has, for a list: a study or series, with what is known of it. Made in any
// thread, and never changed.
#pragma once

#include <glib-object.h>

#include "archive/query.h"

#define ODL_TYPE_ARCHIVE_FOUND (odl_archive_found_get_type ())
G_DECLARE_FINAL_TYPE (OdlArchiveFound, odl_archive_found, ODL, ARCHIVE_FOUND, GObject)

OdlArchiveFound *odl_archive_found_new (OdlLevel level, OdlValues values);

OdlLevel odl_archive_found_level (const OdlArchiveFound *self);
// "": the node does not say.
const char *odl_archive_found_value (const OdlArchiveFound *self, OdlKey key);
// As a number; 0: none, or none that is said.
guint odl_archive_found_count (const OdlArchiveFound *self, OdlKey key);
