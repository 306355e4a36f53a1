// SPDX-License-Identifier: MIT
#include "base/thread.h"

#include <string.h>

#include "base/error.h"

// Returns the thread that it ran in.
static void *
note_thread (void *data)
{
  *(GThread **) data = g_thread_self ();
  return data;
}

static void
one_that_is_had_works_beside_its_maker (void)
{
  g_autoptr (GError) error = NULL;
  GThread *first = NULL, *second = NULL;

  odl_thread_join (odl_thread_new ("new", note_thread, &first, &error));
  g_assert_no_error (error);
  odl_thread_join (odl_thread_or_here ("or-here", note_thread, &second));
  g_assert_true (first != NULL && first != g_thread_self ());
  g_assert_true (second != NULL && second != g_thread_self ());
}

static void
where_none_can_be_had_nothing_runs_or_all_does (void)
{
  g_autoptr (GError) error = NULL;
  GThread *first = NULL, *second = NULL;

  g_setenv ("ODL_FAULT", "thread/new", TRUE);
  g_assert_null (odl_thread_new ("new", note_thread, &first, &error));
  GThread *none = odl_thread_or_here ("or-here", note_thread, &second);
  g_unsetenv ("ODL_FAULT");
  g_assert_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "close other programs"));
  g_assert_null (first);
  g_assert_null (none);
  g_assert_true (second == g_thread_self ());
  odl_thread_join (none);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/thread/one-that-is-had-works-beside-its-maker",
                   one_that_is_had_works_beside_its_maker);
  g_test_add_func ("/base/thread/where-none-can-be-had-nothing-runs-or-all-does",
                   where_none_can_be_had_nothing_runs_or_all_does);
  return g_test_run ();
}
