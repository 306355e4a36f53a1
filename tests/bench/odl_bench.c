// SPDX-License-Identifier: MIT
// The benchmark alone, for a bare machine: core library, nothing else.
#include <locale.h>

#include "engine/bench_main.h"

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  return odl_bench_main (argc, argv, NULL);
}
