// SPDX-License-Identifier: MIT
#include "base/parallel.h"

#include <glib.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#define LEAST_PRIORITY 19

// libgomp keeps something for each thread on the stack, which ends the program when there
// are millions.
#define MOST_THREADS 1024

int
odl_parallel_threads (void)
{
#ifdef _OPENMP
  const int threads = omp_get_max_threads ();
  return threads < MOST_THREADS ? threads : MOST_THREADS;
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

// libgomp spins only as long as it manages no more threads than there are cores; the wait
// policy itself can be set by the environment alone, before the program starts. One more
// team, asleep for ever, keeps it above that number.
static gpointer
keep_a_team (gpointer data)
{
  odl_parallel_set_threads (2);

  ODL_PARALLEL_FOR
  for (int i = 0; i < 2; i++)
    g_thread_yield ();
  for (;;)
    pause ();
  return NULL;
}

void
odl_parallel_share_cores (void)
{
  static gsize once = 0;

  if (g_once_init_enter (&once)) {
    g_thread_unref (g_thread_new ("odl-idle-team", keep_a_team, NULL));
    g_once_init_leave (&once, 1);
  }
}

// Linux keeps the nice value for each thread, and a new thread inherits it.
void
odl_parallel_yield_to_others (void)
{
  if (setpriority (PRIO_PROCESS, (id_t) gettid (), LEAST_PRIORITY) != 0)
    g_debug ("the priority of a thread cannot be lowered");
}
