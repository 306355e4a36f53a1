// SPDX-License-Identifier: MIT
// The one place for OpenMP.
#pragma once

// Put before a `for` over rows or tiles whose iterations are independent.
#ifdef _OPENMP
#define ODL_PARALLEL_FOR \
  _Pragma ("omp parallel for schedule(static) num_threads(odl_parallel_threads ())")
#else
#define ODL_PARALLEL_FOR
#endif

// Number of threads that ODL_PARALLEL_FOR uses: at least 1 and at most 1024, whatever
// OMP_NUM_THREADS says; without it, no more than the control groups let run. Any thread.
int odl_parallel_threads (void);

// Limits ODL_PARALLEL_FOR to `threads` (at least 1) for loops started by the calling
// thread.
void odl_parallel_set_threads (int threads);

// Makes threads that wait for work sleep at once instead of spinning for milliseconds:
// spinning threads starve the others as soon as the program does not own every core.
// Costs two sleeping threads. Acts once; any thread.
void odl_parallel_share_cores (void);

// Gives the calling thread, and the threads that it starts from now on, the least
// priority. Cannot be undone.
void odl_parallel_yield_to_others (void);
