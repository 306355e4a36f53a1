// SPDX-License-Identifier: MIT
#include "filter/own/run.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"

static OdlOwnRunner **
offered (void)
{
  static OdlOwnRunner *runner;

  return &runner;
}

void
odl_own_offer (OdlOwnRunner *runner)
{
  g_atomic_pointer_set (offered (), runner);
}

bool
odl_own_run (const OdlOwnRun *run, GError **error)
{
  g_return_val_if_fail (run != NULL && run->code != NULL, false);

  OdlOwnRunner *runner = g_atomic_pointer_get (offered ());
  const OdlOwnState state = odl_own_state (run->code);
  if (state == ODL_OWN_WAITS || state == ODL_OWN_REFUSED)
    return odl_error_set (error, ODL_ERROR_DENIED,
                          _ ("%s: nobody has said that it may run"), run->code->name);
  if (odl_own_is_withdrawn (run->code))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("%s: this filter was withdrawn"), run->code->name);
  if (run->code->call != NULL)
    return run->code->call (run, error);
  if (runner == NULL)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("%s: this program does not run Python"), run->code->name);
  return runner (run, error);
}
