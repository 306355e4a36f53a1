// SPDX-License-Identifier: MIT
#include "source/helper/sandbox.h"

#include <glib.h>

#include "base/helper.h"

static gint *
setting (void)
{
  static gint optional = 0;

  return &optional;
}

bool
odl_sandbox_is_optional (void)
{
  const char *text = g_getenv ("ODL_SANDBOX");

  return text != NULL && *text != '\0' ? g_str_equal (text, ODL_HELPER_SANDBOX_OPTIONAL)
                                       : g_atomic_int_get (setting ()) != 0;
}

void
odl_sandbox_set_optional (bool optional)
{
  g_atomic_int_set (setting (), optional);
}
