// SPDX-License-Identifier: MIT
#include "base/error.h"

// What is said may hold anything; a caller who does not ask gets none.
static void
errors_are_set_and_answered (void)
{
  g_autoptr (GError) of_bool = NULL;
  g_autoptr (GError) of_pointer = NULL;
  g_autoptr (GError) typed = NULL;

  g_assert_false (odl_error_set (&of_bool, ODL_ERROR_CORRUPT, "%s: %d", "100 %s", 3));
  g_assert_error (of_bool, ODL_ERROR, ODL_ERROR_CORRUPT);
  g_assert_cmpstr (of_bool->message, ==, "100 %s: 3");
  g_assert_null (odl_error_null (&of_pointer, ODL_ERROR_IO, "gone"));
  g_assert_error (of_pointer, ODL_ERROR, ODL_ERROR_IO);
  g_assert_cmpstr (of_pointer->message, ==, "gone");
  g_assert_false (odl_usage_error (&typed, "%s?", "what"));
  g_assert_error (typed, ODL_ERROR, ODL_ERROR_USAGE);
  g_assert_cmpstr (typed->message, ==, "what?");
  g_assert_false (odl_error_set (NULL, ODL_ERROR_IO, "%d", 1));
  g_assert_null (odl_error_null (NULL, ODL_ERROR_IO, "%d", 1));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/error/errors-are-set-and-answered",
                   errors_are_set_and_answered);
  return g_test_run ();
}
