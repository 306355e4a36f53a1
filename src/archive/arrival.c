// SPDX-License-Identifier: MIT
#include "archive/arrival.h"

#include <glib/gi18n-lib.h>

guint32
odl_arrival_check (const OdlNetworkReport *report, const char *no_file, char **why)
{
  if (no_file != NULL) {
    *why = g_strdup_printf (_ ("no file can be made for it: %s"), no_file);
    return ODL_STATUS_NO_RESOURCES;
  }
  if (report->code != 0) {
    *why = g_strdup (g_strerror ((int) report->code));
    return ODL_STATUS_NO_RESOURCES;
  }
  if (report->status == ODL_STATUS_MISMATCH) {
    *why = g_strdup (_ ("its data set is of another instance than the one announced"));
    return report->status;
  }
  if (report->status != ODL_STATUS_SUCCESS) {
    *why = g_strdup (_ ("its data set is damaged, or does not say of which study and "
                        "series it is"));
    return ODL_STATUS_CANNOT_UNDERSTAND;
  }
  return ODL_STATUS_SUCCESS;
}

const char *
odl_arrival_comment (guint32 status)
{
  return status == ODL_STATUS_NO_RESOURCES     ? "not kept: no room, or over a limit"
         : status == ODL_STATUS_MISMATCH       ? "data set of another instance"
         : status == ODL_STATUS_NOT_AUTHORISED ? "not asked for"
         : status == ODL_STATUS_SUCCESS        ? ""
                                               : "data set is damaged or incomplete";
}
