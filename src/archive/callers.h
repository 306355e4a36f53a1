// SPDX-License-Identifier: MIT
// Who may call: titles of application entities (PS3.5 6.2), which authenticate nobody,
// with the addresses that they may have.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

typedef struct _OdlCallers OdlCallers;

// Parses "TITLE[@ADDRESS],…", where "any" stands for every title and ADDRESS is in
// numbers, of a machine or a network (192.168.4.0/24). ODL_ERROR_USAGE.
OdlCallers *odl_callers_parse (const char *text, GError **error);
void odl_callers_free (OdlCallers *self);

// Whether anybody may call from there, and whether this one may.
bool odl_callers_know_address (const OdlCallers *self, GInetAddress *address);
bool odl_callers_know (const OdlCallers *self, const char *title, GInetAddress *address);

// 1 to 16 printable ASCII characters, not blanks alone, without backslash, comma and @.
bool odl_title_is_valid (const char *title);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlCallers, odl_callers_free)
