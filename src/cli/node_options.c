// SPDX-License-Identifier: MIT
#include "cli/node_options.h"

#include <glib/gi18n-lib.h>

#include "archive/callers.h"
#include "archive/notes.h"
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
  if (self->idle < 0)
    return odl_usage_error (error, _ ("Limits are positive numbers."));
  if (self->tls.any_host && !encrypted)
    return odl_usage_error (error, _ ("--tls-any-host is of use with --tls-ca alone."));
  if (!odl_node_name_parse (self->node, &self->name, error)
      || (encrypted && !odl_peer_tls_check (&self->tls, false, error)))
    return false;
  self->link = (OdlLinkParams){ .to = &self->name,
                                .calling = calling,
                                .tls = encrypted ? &self->tls : NULL,
                                .idle_seconds = (guint) self->idle };
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

static void
say_cb (const char *text, void *data)
{
  odl_report_note (data, text);
}

void
odl_node_options_tell (const OdlNodeOptions *self, const OdlFound *found, bool done)
{
  odl_found_say (found, done, say_cb, self->node);
}
