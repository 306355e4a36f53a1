// SPDX-License-Identifier: MIT
#include "archive/notes.h"

#include <glib/gi18n-lib.h>

void
odl_found_say (const OdlFound *found,
               bool done,
               void (*say) (const char *text, void *data),
               void *data)
{
  if (found->modalities_here)
    say (_ ("it does not look at the modalities of studies; their series were asked for "
            "them, and what does not match is left out"),
         data);
  for (int i = 0; i < ODL_N_KEYS; i++)
    if (found->n_lacking[i] > 0) {
      g_autofree char *text
          = g_strdup_printf (_ ("left out, since it does not say their “%s”, so that "
                                "this was not compared: %u"),
                             odl_keys[i].name, found->n_lacking[i]);
      say (text, data);
    }
  if (found->n_different > 0) {
    g_autofree char *text = g_strdup_printf (
        _ ("left out, since they are not what was asked for: %u"), found->n_different);
    say (text, data);
  }
  if (found->n_invalid > 0) {
    g_autofree char *text = g_strdup_printf (
        _ ("left out, since they are damaged or have no valid UID: %u"),
        found->n_invalid);
    say (text, data);
  }
  if (found->n_told == 0 && done)
    say (_ ("nothing there matches"), data);
}
