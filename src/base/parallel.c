// SPDX-License-Identifier: MIT
#include "base/parallel.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/machine.h"
#include "base/team.h"

#define LEAST_PRIORITY 19
#define MOST_THREADS 1024

// A container may use fewer processors than the machine has; more threads than its quota
// would be throttled by the scheduler.
static int
usual_threads (void)
{
  static gsize usual = 0;

  if (g_once_init_enter (&usual)) {
    const char *asked = g_getenv ("OMP_NUM_THREADS");
    const long number = asked != NULL ? strtol (asked, NULL, 10) : 0;
    const double quota = number > 0 ? 0 : odl_machine_cpu_quota ("");
    long threads = number > 0 ? number : (long) g_get_num_processors ();
    if (quota > 0 && quota < threads)
      threads = (long) ceil (quota);
    g_once_init_leave (&usual, (gsize) CLAMP (threads, 1, MOST_THREADS));
  }
  return (int) usual;
}

// The limit set for the calling thread; 0: none.
static int *
chosen_threads (void)
{
  static _Thread_local int chosen = 0;

  return &chosen;
}

int
odl_parallel_threads (void)
{
#ifdef _OPENMP
  const int chosen = *chosen_threads ();
  return chosen > 0 ? chosen : usual_threads ();
#else
  return 1;
#endif
}

int
odl_parallel_at_most (int n)
{
  return CLAMP (n, 1, odl_parallel_threads ());
}

void
odl_parallel_set_threads (int threads)
{
  *chosen_threads () = CLAMP (threads, 1, MOST_THREADS);
}

// Linux keeps the nice value per thread, and new threads inherit it.
void
odl_parallel_lower_priority (void)
{
  if (setpriority (PRIO_PROCESS, (id_t) gettid (), LEAST_PRIORITY) != 0)
    g_debug ("the priority of a thread cannot be lowered");
  odl_team_forget_priority ();
}
