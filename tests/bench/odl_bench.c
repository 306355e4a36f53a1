// SPDX-License-Identifier: MIT
// The benchmark alone, for a bare machine: core library, nothing else.
#include <locale.h>
#include <stdio.h>

#include "engine/bench_main.h"

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  const int status = odl_bench_main (argc, argv, NULL);
  // What was printed and did not arrive is a failure, too.
  if (fflush (stdout) == 0 && ferror (stdout) == 0)
    return status;
  fputs ("odl-bench: standard output cannot be written\n", stderr);
  return 1;
}
