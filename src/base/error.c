// SPDX-License-Identifier: MIT
#include "base/error.h"

GQuark
odl_error_quark (void)
{
  return g_quark_from_static_string ("odl-error-quark");
}

bool
odl_error_set (GError **error, OdlErrorCode code, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_propagate_error (error,
                     g_error_new_valist (ODL_ERROR, (int) code, format, arguments));
  va_end (arguments);
  return false;
}

void *
odl_error_null (GError **error, OdlErrorCode code, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_propagate_error (error,
                     g_error_new_valist (ODL_ERROR, (int) code, format, arguments));
  va_end (arguments);
  return NULL;
}
