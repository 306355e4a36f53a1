// SPDX-License-Identifier: MIT
// What the window says in passing, as toasts. Main thread.
#pragma once

#include "widgets/window/window.h"

typedef struct _OdlMessages OdlMessages;

OdlMessages *odl_messages_new (const OdlWindowParts *parts);

// Shows a sentence; the whole of a long one is behind a button.
void odl_messages_say (OdlMessages *messages, const char *text);

// The same about a file that was written, with a button for the folder it lies in.
void odl_messages_say_of_file (OdlMessages *messages, const char *text, const char *path);

// The same about what is in force now, or how a tool is used, in the place of what was
// said of that before: else toasts that no longer hold would wait for their turn.
void odl_messages_say_of_state (OdlMessages *messages, const char *text);
void odl_messages_hush_state (OdlMessages *messages); // it holds no longer

// The same about how the panes lie, whose sources are only about to come.
void odl_messages_say_of_layout (OdlMessages *messages, const char *text);

// The same about filters that were not taken, until others are.
void odl_messages_say_of_refusal (OdlMessages *messages, const char *text);
void odl_messages_hush_refusal (OdlMessages *messages);

// The same about the source in place, or about one of its frames; dismissed by
// odl_messages_hush_source, when the canvas shows another source. While a source plays,
// only the first of its frames is told of.
void odl_messages_say_of_source (OdlMessages *messages, const char *text);
void odl_messages_say_of_frame (OdlMessages *messages, const char *text, bool playing);
// The same about the source in place, with a button for an action with a string.
void odl_messages_offer (OdlMessages *messages,
                         const char *text,
                         const char *label,
                         const char *action,
                         const char *target);
void odl_messages_hush_source (OdlMessages *messages);

// Takes away those that name something that is hidden now.
void odl_messages_names_changed (OdlMessages *messages);

// The text of the last toast or failure page; NULL: none yet. Borrowed.
const char *odl_messages_last (const OdlMessages *messages);
void odl_messages_set_last (OdlMessages *messages, const char *text);

// The toasts that are shown or waiting, of AdwToast. For tests.
const GPtrArray *odl_messages_waiting (const OdlMessages *messages);
