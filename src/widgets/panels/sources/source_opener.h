// SPDX-License-Identifier: MIT
// Opens what was chosen in the list of sources, or its first picture when that is
// known. Stacks begin where they were left, else at their first or their middle slice,
// as the preferences say. Main thread.
#pragma once

#include "session/session.h"
#include "widgets/settings.h"

typedef struct _OdlSourceOpener OdlSourceOpener;

OdlSourceOpener *odl_source_opener_new (OdlSettings *settings);
void odl_source_opener_free (OdlSourceOpener *self);

// As odl_session_open, of what was chosen in the list.
void odl_source_opener_open (OdlSourceOpener *self,
                             OdlSession *session,
                             const char *location,
                             const OdlRecipe *recipe);

// What is opened next was asked for by itself, a slice from its stack, say.
void odl_source_opener_choose (OdlSourceOpener *self, const char *location);

// The first picture of a list that is being made shall be opened; what is being opened is
// cancelled, since it would take the list to its own folder. `recipe` as in
// odl_session_open.
void odl_source_opener_await (OdlSourceOpener *self,
                              OdlSession *session,
                              const OdlRecipe *recipe);
bool odl_source_opener_awaits (const OdlSourceOpener *self);

// Of that list it is the picture with that SOP Instance UID, if the list has it, whose
// series comes in the place of what is shown. NULL: it is the first one, or none.
void odl_source_opener_await_slice (OdlSourceOpener *self, const char *instance);
const char *odl_source_opener_slice (const OdlSourceOpener *self);
// It is known: opens its series at it, as odl_session_open_whole does, or it itself where
// the series has no other.
void odl_source_opener_open_slice (OdlSourceOpener *self, const char *location);

// The first picture of that list is known: opens it. NULL: it has none.
void odl_source_opener_open_awaited (OdlSourceOpener *self, const char *location);

// What was opened of that list was the first picture of a series, all of which is known
// now, and comes in its place; what people have set stays.
void odl_source_opener_complete (OdlSourceOpener *self,
                                 OdlSession *session,
                                 const char *location);

// The series of the DICOM slice that is shown, to be opened in its place; NULL: it is
// none, or was asked for by itself, from the list or from its stack. Transfer full.
char *odl_source_opener_whole (OdlSourceOpener *self, OdlSession *session);

// Another source is about to come: the slice of the stack that is shown is remembered,
// what was asked for by itself before is not, and the first picture is not awaited any
// longer.
void odl_source_opener_leave (OdlSourceOpener *self, OdlSession *session);

// A stack that was chosen in the list, and is there, goes to its place. What was opened
// elsewhere begins as it does.
void odl_source_opener_begin (OdlSourceOpener *self, OdlSession *session);
