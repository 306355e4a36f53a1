// SPDX-License-Identifier: MIT
// The entry points that GCC's parallel loops call, served by the team instead of
// libgomp, whose threads spin for milliseconds after every loop and synchronise at its
// start and end. Hidden, so that other libraries keep their libgomp: each program and
// library with loops of its own has its own.
#include "base/team.h"

#if defined(_OPENMP) && !defined(__clang__)
#define COMPILED_IN __attribute__ ((visibility ("hidden"), used))

void GOMP_parallel (void (*func) (void *), void *data, unsigned n, unsigned flags);
int omp_get_thread_num (void);
int omp_get_num_threads (void);

COMPILED_IN void
GOMP_parallel (void (*func) (void *), void *data, unsigned n, unsigned flags)
{
  odl_team_run ((int) n, func, data);
}

COMPILED_IN int
omp_get_thread_num (void)
{
  return odl_team_member ();
}

COMPILED_IN int
omp_get_num_threads (void)
{
  return odl_team_members ();
}
#endif
