// SPDX-License-Identifier: MIT
// Parallel loops. Only the compiler's half of OpenMP is used: it splits the loop, and
// the threads of team.h run the shares.
#pragma once

// Precedes a `for` over rows or tiles with independent iterations.
#ifdef _OPENMP
#define ODL_PARALLEL_FOR \
  _Pragma ("omp parallel for schedule(static) num_threads(odl_parallel_threads ())")
#else
#define ODL_PARALLEL_FOR
#endif

// Likewise, with at most `n` threads.
#define ODL_PARALLEL_PRAGMA(text) _Pragma (#text)
#ifdef _OPENMP
#define ODL_PARALLEL_FOR_AT_MOST(n) \
  ODL_PARALLEL_PRAGMA (omp parallel for schedule(static) \
                           num_threads(odl_parallel_at_most (n)))
#else
#define ODL_PARALLEL_FOR_AT_MOST(n)
#endif

// Number of threads that ODL_PARALLEL_FOR uses, 1 … 1024: OMP_NUM_THREADS, or the number
// of processors limited by control groups. Any thread.
int odl_parallel_threads (void);

// min (n, odl_parallel_threads ()), at least 1.
int odl_parallel_at_most (int n);

// Limits ODL_PARALLEL_FOR to `threads` (at least 1) for loops started by the calling
// thread.
void odl_parallel_set_threads (int threads);

// Gives the calling thread, and threads it starts from now on, the lowest priority.
// Cannot be undone.
void odl_parallel_lower_priority (void);
