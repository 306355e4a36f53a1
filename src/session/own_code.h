// SPDX-License-Identifier: MIT
// Code of the user's own (filter/own/own.h) in the sessions of a window. What waits for
// an answer, was refused or failed is passed over: the rest of the chain goes on. Main
// thread.
#pragma once

#include "filter/own/own.h"
#include "session/session.h"

// Code in the recipe may run now, or no more: the picture is made again, and “recipe” is
// notified.
void odl_session_code_changed (OdlSession *session);

// Puts `to`, another version, in the place of `from`, with the values that both have, as
// a step of the history; several within a second are one.
void odl_session_replace_code (OdlSession *session,
                               const OdlOwnCode *from,
                               const OdlOwnCode *to);

// An item of `to` with what it has in common with another version.
OdlRecipeItem odl_own_code_take_values (const OdlRecipeItem *old, const OdlOwnCode *to);
