// SPDX-License-Identifier: MIT
// The question whether code of the user's own may run: the whole file, before it does.
#pragma once

#include <gtk/gtk.h>

#include "filter/own/own.h"

typedef enum {
  ODL_CODE_WAS_CHOSEN, // by the user, in this window
  ODL_CODE_CAME, // with a recipe: a preset, a workspace, a text
  ODL_CODE_IS_SHOWN, // it runs already, and is looked at
} OdlCodeOrigin;

// Called once; closing the window is no.
typedef void (*OdlCodeAnswerCb) (const OdlOwnCode *code, bool trusts, void *data);

// `cb` NULL: nothing is asked.
GtkWindow *odl_code_window_present (GtkWindow *parent,
                                    const OdlOwnCode *code,
                                    OdlCodeOrigin origin,
                                    OdlCodeAnswerCb cb,
                                    void *data);

// The text as a person reads it: what draws nothing, or turns the direction of writing,
// is shown by its number. Transfer full.
char *odl_code_window_text (const OdlOwnCode *code);
