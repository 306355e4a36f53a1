// SPDX-License-Identifier: MIT
#include "base/error.h"

GQuark
odl_error_quark (void)
{
  return g_quark_from_static_string ("odl-error-quark");
}

bool
odl_usage_error (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_USAGE, message);
  return false;
}
