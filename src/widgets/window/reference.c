// SPDX-License-Identifier: MIT
// The actions that choose what the results are compared with.
#include <glib/gi18n-lib.h>

#include "widgets/window/parts.h"

#define STOP "stop-comparing"

static void
changed_cb (const char *message, void *data)
{
  const OdlWindowParts *parts = data;
  odl_window_enable (parts, STOP, odl_reference_file (parts->reference) != NULL);
  if (message)
    odl_messages_say (parts->messages, message);
  odl_readout_update (parts->readout);
}

static void
chosen_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  g_autofree char *path = g_file_get_path (file);
  odl_reference_set_file (data, path);
}

static void
choose_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  odl_file_chooser_ask (parts, _ ("Compare with a Reference"),
                        GTK_FILE_CHOOSER_ACTION_OPEN, NULL, chosen_cb, parts->reference);
}

static void
stop_cb (void *data, GVariant *parameter)
{
  odl_reference_set_file (((const OdlWindowParts *) data)->reference, NULL);
}

OdlReference *
odl_window_make_reference (const OdlWindowParts *parts)
{
  static const OdlWindowAction entries[] = {
    { "compare-reference", G_CALLBACK (choose_cb) },
    { STOP, G_CALLBACK (stop_cb) },
  };
  odl_window_add_actions (parts, entries, G_N_ELEMENTS (entries), (void *) parts);
  odl_window_enable (parts, STOP, false);
  return odl_reference_new (changed_cb, (void *) parts);
}
