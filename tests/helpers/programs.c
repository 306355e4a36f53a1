// SPDX-License-Identifier: MIT
// Several test programs in one file: PROGRAMS lists them as X (NAME) X (NAME) …, each
// with its `main` compiled under the name main_of_NAME. The first argument says which one
// runs; a subprocess that it starts of itself finds the name in the environment.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHOSEN "ODL_TEST_PROGRAM"

#define X(name) int main_of_##name (int argc, char **argv);
PROGRAMS
#undef X

static const struct {
  const char *name;
  int (*run) (int argc, char **argv);
} programs[] = {
#define X(name) { #name, main_of_##name },
  PROGRAMS
#undef X
};

int
main (int argc, char **argv)
{
  const bool named = argc > 1 && argv[1][0] != '-';
  const char *wanted = named ? argv[1] : getenv (CHOSEN);
  for (size_t i = 0; wanted && i < sizeof programs / sizeof programs[0]; i++)
    if (strcmp (programs[i].name, wanted) == 0) {
      setenv (CHOSEN, wanted, 1);
      if (named) {
        argv[1] = argv[0];
        argv++;
        argc--;
      }
      return programs[i].run (argc, argv);
    }
  fprintf (stderr, "usage: %s NAME [OPTION…], where NAME is one of:\n", argv[0]);
  for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
    fprintf (stderr, "  %s\n", programs[i].name);
  return EXIT_FAILURE;
}
