// SPDX-License-Identifier: MIT
#include "base/parallel.h"

#ifdef _OPENMP
#include <omp.h>
#endif

int
odl_parallel_threads (void)
{
#ifdef _OPENMP
  return omp_get_max_threads ();
#else
  return 1;
#endif
}

void
odl_parallel_set_threads (int threads)
{
#ifdef _OPENMP
  omp_set_num_threads (threads < 1 ? 1 : threads);
#else
  (void) threads;
#endif
}
