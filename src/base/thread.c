// SPDX-License-Identifier: MIT
#include "base/thread.h"

#include <glib/gi18n-lib.h>

#include "base/debug.h"
#include "base/error.h"

GThread *
odl_thread_new (const char *name, GThreadFunc func, void *data, GError **error)
{
  g_autoptr (GError) cause = NULL;
  GThread *thread = odl_debug_fault ("thread", "new", &cause)
                        ? NULL
                        : g_thread_try_new (name, func, data, &cause);

  if (thread == NULL)
    g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                 _ ("the system allows no more threads (%s); close other programs"),
                 cause->message);
  return thread;
}

GThread *
odl_thread_or_here (const char *name, GThreadFunc func, void *data)
{
  GThread *thread = odl_thread_new (name, func, data, NULL);

  if (thread == NULL)
    func (data);
  return thread;
}

void
odl_thread_join (GThread *thread)
{
  if (thread != NULL)
    g_thread_join (thread);
}
