// SPDX-License-Identifier: MIT
#include "source/unpacking.h"

static OdlUnpackingFunc *
told (void)
{
  static OdlUnpackingFunc cb;

  return &cb;
}

void
odl_unpacking_tell (OdlUnpackingFunc cb)
{
  *told () = cb;
}

static GQuark
quark (void)
{
  return g_quark_from_static_string ("odl-unpacking");
}

// Kept as a number of thousandths above 0, since nothing is NULL.
double
odl_unpacking_share (GCancellable *cancellable)
{
  void *kept = cancellable != NULL ? g_object_get_qdata (G_OBJECT (cancellable), quark ())
                                   : NULL;

  return kept != NULL ? (GPOINTER_TO_INT (kept) - 1) / 1000.0 : -1;
}

void
odl_unpacking_note (GCancellable *cancellable, const OdlUnpacking *unpacking)
{
  const double share = unpacking->total > 0
                           ? MIN ((double) unpacking->done / (double) unpacking->total, 1)
                           : 0;

  if (cancellable != NULL)
    g_object_set_qdata (G_OBJECT (cancellable), quark (),
                        unpacking->ended ? NULL
                                         : GINT_TO_POINTER (1 + (int) (1000 * share)));
  if (*told () != NULL)
    (*told ()) (unpacking);
}
