// SPDX-License-Identifier: MIT
#include "base/error.h"

GQuark
odl_error_quark (void)
{
  return g_quark_from_static_string ("odl-error-quark");
}
