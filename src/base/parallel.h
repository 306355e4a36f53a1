// SPDX-License-Identifier: MIT
// The one place for OpenMP, of which the compiler's part alone is used: loops are divided
// by it and run by the threads of team.h.
#pragma once

// Put before a `for` over rows or tiles whose iterations are independent.
#ifdef _OPENMP
#define ODL_PARALLEL_FOR \
  _Pragma ("omp parallel for schedule(static) num_threads(odl_parallel_threads ())")
#else
#define ODL_PARALLEL_FOR
#endif

// The same where no more than `n` threads find work.
#define ODL_PARALLEL_PRAGMA(text) _Pragma (#text)
#ifdef _OPENMP
#define ODL_PARALLEL_FOR_AT_MOST(n) \
  ODL_PARALLEL_PRAGMA (omp parallel for schedule(static) \
                           num_threads(odl_parallel_at_most (n)))
#else
#define ODL_PARALLEL_FOR_AT_MOST(n)
#endif

// Number of threads that ODL_PARALLEL_FOR uses: at least 1 and at most 1024, whatever
// OMP_NUM_THREADS says; without it, no more than the control groups let run. Any thread.
int odl_parallel_threads (void);

// `n`, at least 1, but no more than that.
int odl_parallel_at_most (int n);

// Limits ODL_PARALLEL_FOR to `threads` (at least 1) for loops started by the calling
// thread.
void odl_parallel_set_threads (int threads);

// Gives the calling thread, and the threads that it starts from now on, the least
// priority. Cannot be undone.
void odl_parallel_yield_to_others (void);
