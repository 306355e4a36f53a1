// SPDX-License-Identifier: MIT
#include "cli/node_options.h"

#include <glib/gi18n-lib.h>

#include "archive/callers.h"
#include "base/error.h"
#include "cli/verb.h"

#define USUAL_TITLE "ONDELETTE"

bool
odl_node_options_check (OdlNodeOptions *self, const char *missing, GError **error)
{
  const char *calling = self->title != NULL ? self->title : USUAL_TITLE;
  const bool encrypted = self->tls.key != NULL || self->tls.certificate != NULL
                         || self->tls.authorities != NULL;

  if (self->node == NULL)
    return odl_usage_error (error, "%s", missing);
  if (!odl_title_is_valid (calling))
    return odl_usage_error (error,
                            _ ("--aet takes a title of 1 to 16 letters and digits."));
  if (!odl_node_name_parse (self->node, &self->name, error)
      || (encrypted && !odl_peer_tls_check (&self->tls, false, error)))
    return false;
  self->link = (OdlLinkParams){ .to = &self->name,
                                .calling = calling,
                                .tls = encrypted ? &self->tls : NULL,
                                .idle_seconds = (guint) MAX (self->idle, 0) };
  return true;
}

void
odl_node_options_clear (OdlNodeOptions *self)
{
  g_free (self->node);
  g_free (self->title);
  g_free (self->tls.key);
  g_free (self->tls.certificate);
  g_free (self->tls.authorities);
  odl_node_name_clear (&self->name);
}

// Takes the text.
static void
note (const char *node, char *text)
{
  odl_report_note (node, text);
  g_free (text);
}

void
odl_node_options_tell (const OdlNodeOptions *self, const OdlFound *found, bool done)
{
  const char *node = self->node;

  if (found->modalities_here)
    odl_report_note (node,
                     _ ("it does not look at the modalities of studies; their series "
                        "were asked for them, and what does not match is left out"));
  for (int i = 0; i < ODL_N_KEYS; i++)
    if (found->n_lacking[i] > 0)
      note (node,
            g_strdup_printf (_ ("left out, since it does not say their “%s”, so that "
                                "this was not compared: %u"),
                             odl_keys[i].name, found->n_lacking[i]));
  if (found->n_different > 0)
    note (node,
          g_strdup_printf (_ ("left out, since they are not what was asked for: %u"),
                           found->n_different));
  if (found->n_invalid > 0)
    note (node, g_strdup_printf (_ ("left out, since they are damaged or have no valid "
                                    "UID: %u"),
                                 found->n_invalid));
  if (found->n_told == 0 && done)
    odl_report_note (node, _ ("nothing there matches"));
}
