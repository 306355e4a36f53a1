// SPDX-License-Identifier: MIT
#include "base/parallel.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "base/machine.h"

#define LEAST_PRIORITY 19

// libgomp keeps something for each thread on the stack, which ends the program when there
// are millions.
#define MOST_THREADS 1024

#ifdef _OPENMP
// Whether a number was asked for in the calling thread.
static bool *
is_chosen (void)
{
  static _Thread_local bool chosen = false;

  return &chosen;
}

// libgomp counts the processors of the machine. In a container that may use a few of
// many, the others would take the time of these, and the system would halt all until the
// next tenth of a second.
static int
allowed_threads (void)
{
  static gsize allowed = 0;

  if (g_once_init_enter (&allowed)) {
    const double quota
        = g_getenv ("OMP_NUM_THREADS") == NULL ? odl_machine_cpu_quota ("") : 0;
    g_once_init_leave (&allowed, quota > 0 && quota < MOST_THREADS ? (gsize) ceil (quota)
                                                                   : MOST_THREADS);
  }
  return (int) allowed;
}
#endif

int
odl_parallel_threads (void)
{
#ifdef _OPENMP
  const int threads = omp_get_max_threads ();
  return MIN (threads, *is_chosen () ? MOST_THREADS : allowed_threads ());
#else
  return 1;
#endif
}

void
odl_parallel_set_threads (int threads)
{
#ifdef _OPENMP
  *is_chosen () = true;
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
