// SPDX-License-Identifier: MIT
#include "source/camera/error.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <gst/gst.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"

// Looks for phrases from PipeWire, Video4Linux and the system, including strerror in
// the current language.
static bool
mentions (const char *text, int number, const char *const *words)
{
  if (text == NULL)
    return false;
  g_autofree char *folded = g_ascii_strdown (text, -1);
  g_autofree char *system = g_ascii_strdown (g_strerror (number), -1);
  bool found = strstr (folded, system) != NULL;
  for (; *words != NULL; words++)
    found = found || strstr (folded, *words) != NULL;
  return found;
}

GError *
odl_camera_explain (const char *name, const GError *cause, const char *details)
{
  static const char *const busy[]
      = { "busy", "no node available", "no target node", "exclusive", NULL };
  static const char *const denied[]
      = { "permission denied", "access denied", "operation not permitted", NULL };

  if (g_error_matches (cause, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_BUSY)
      || mentions (cause->message, EBUSY, busy) || mentions (details, EBUSY, busy))
    return g_error_new (ODL_ERROR, ODL_ERROR_BUSY,
                        _ ("The camera “%s” is in use by another program. Close that "
                           "program and try again."),
                        name);
  if (g_error_matches (cause, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_AUTHORIZED)
      || mentions (cause->message, EACCES, denied) || mentions (details, EACCES, denied))
    return g_error_new (ODL_ERROR, ODL_ERROR_DENIED,
                        _ ("The camera “%s” may not be used from this account. Allow it "
                           "in the system's settings, or add the account to the group "
                           "“video”."),
                        name);
  if (g_error_matches (cause, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND))
    return g_error_new (ODL_ERROR, ODL_ERROR_NO_DEVICE,
                        _ ("The camera “%s” was unplugged. Plug it in again."), name);
  return g_error_new (ODL_ERROR, ODL_ERROR_IO,
                      _ ("The camera “%s” failed (%s). Unplug it, plug it in again and "
                         "try once more."),
                      name, cause->message);
}
