// SPDX-License-Identifier: MIT
// The benchmark alone, for a bare machine: core library, nothing else.
#include <locale.h>
#include <stdio.h>

#include "bench/main.h"
#include "engine/environment.h"

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  setlocale (LC_ALL, "");
  if (!odl_environment_check (&error)) {
    fprintf (stderr, "odl-bench: %s\n", error->message);
    return 2;
  }
  const int status = odl_bench_main (argc, argv, NULL);
  // What was printed and did not arrive is a failure, too.
  if (fflush (stdout) == 0 && ferror (stdout) == 0)
    return status;
  fputs ("odl-bench: standard output cannot be written\n", stderr);
  return 1;
}
