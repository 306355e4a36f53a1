// SPDX-License-Identifier: MIT
// Loops that threads run together.
#include "base/team.h"

#include <glib.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/parallel.h"

#define MOST 300
#define LEAST_PRIORITY 19

typedef struct {
  int n;
  int count[MOST]; // by member, which nobody else may be
  atomic_int wrong;
} Roll;

static void
call_roll (void *data)
{
  Roll *roll = data;

  if (odl_team_members () != roll->n || odl_team_member () >= roll->n)
    atomic_fetch_add (&roll->wrong, 1);
  else
    roll->count[odl_team_member ()]++;
}

static void
check_roll (int n)
{
  Roll roll = { .n = n };

  odl_team_run (n, call_roll, &roll);
  g_assert_cmpint (atomic_load (&roll.wrong), ==, 0);
  for (int i = 0; i < MOST; i++)
    g_assert_cmpint (roll.count[i], ==, i < n ? 1 : 0);
  g_assert_cmpint (odl_team_members (), ==, 1);
  g_assert_cmpint (odl_team_member (), ==, 0);
}

// While there are no more threads than processors, they look for work before they sleep.
static void
test_two_at_a_time (void)
{
  for (int i = 0; i < 3000; i++)
    check_roll (2);
}

// Numbers that grow and shrink, around those of the bits in a word.
static void
test_each_member_once (void)
{
  static const int numbers[] = { 1, 2, 3, 8, 2, 31, 32, 33, 63, 64, 65, 300, 5 };

  for (int round = 0; round < 10; round++)
    for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++)
      check_roll (numbers[i]);
}

static void *
roll_thread (void *data)
{
  for (int i = 0; i < 300; i++)
    check_roll (2 + (i + GPOINTER_TO_INT (data)) % 7);
  return NULL;
}

static void
test_loops_of_several_threads (void)
{
  GThread *threads[6];

  for (int i = 0; i < 6; i++)
    threads[i] = g_thread_new ("roll", roll_thread, GINT_TO_POINTER (i));
  for (int i = 0; i < 6; i++)
    g_thread_join (threads[i]);
}

// The loops of the project, with numbers that do not divide each other.
static void
test_iterations_once (void)
{
  const int before = odl_parallel_threads ();
  int count[1009] = { 0 }, most[3] = { 0 };

  for (int threads = 1; threads < 80; threads += 7) {
    odl_parallel_set_threads (threads);
    g_assert_cmpint (odl_parallel_at_most (5), ==, MIN (threads, 5));
    ODL_PARALLEL_FOR
    for (int i = 0; i < 1009; i++)
      count[i]++;
    ODL_PARALLEL_FOR_AT_MOST (3)
    for (int i = 0; i < 3; i++)
      most[i] = odl_team_members ();
    for (int i = 0; i < 3; i++)
      g_assert_cmpint (most[i], ==, MIN (threads, 3));
  }
  for (int i = 0; i < 1009; i++)
    g_assert_cmpint (count[i], ==, 12);
  odl_parallel_set_threads (before);
}

static void
run_inner (void *data)
{
  Roll inner = { .n = 1 };

  odl_team_run (4, call_roll, &inner);
  atomic_fetch_add ((atomic_int *) data, inner.count[0] == 1
                                             && atomic_load (&inner.wrong) == 0
                                             && odl_team_members () == 3);
}

static void
test_loops_within_loops (void)
{
  atomic_int right = 0;

  odl_team_run (3, run_inner, &right);
  g_assert_cmpint (atomic_load (&right), ==, 3);
}

// Holds every thread that comes until it is let go.
typedef struct {
  GMutex mutex;
  GCond cond;
  int held;
  bool open;
} Gate;

static void
pass_gate (void *data)
{
  Gate *gate = data;

  g_mutex_lock (&gate->mutex);
  gate->held++;
  g_cond_broadcast (&gate->cond);
  while (!gate->open)
    g_cond_wait (&gate->cond, &gate->mutex);
  g_mutex_unlock (&gate->mutex);
}

static void *
gate_thread (void *data)
{
  odl_team_run (3, pass_gate, data);
  return NULL;
}

// All that could help are held; who starts a loop then does everything.
static void
test_nobody_waits_for_busy_threads (void)
{
  Gate gate = { .held = 0 };

  check_roll (3);
  g_mutex_init (&gate.mutex);
  g_cond_init (&gate.cond);
  GThread *thread = g_thread_new ("gate", gate_thread, &gate);
  g_mutex_lock (&gate.mutex);
  while (gate.held < 3)
    g_cond_wait (&gate.cond, &gate.mutex);
  g_mutex_unlock (&gate.mutex);
  for (int i = 0; i < 20; i++)
    check_roll (3);
  g_mutex_lock (&gate.mutex);
  gate.open = true;
  g_cond_broadcast (&gate.cond);
  g_mutex_unlock (&gate.mutex);
  g_thread_join (thread);
  g_cond_clear (&gate.cond);
  g_mutex_clear (&gate.mutex);
}

static double
busy_seconds (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double) time.tv_sec + 1e-9 * (double) time.tv_nsec;
}

// Threads that looked for work all the time would use a processor each.
static void
test_threads_sleep (void)
{
  check_roll (16);
  const double before = busy_seconds ();
  g_usleep (400000);
  g_assert_cmpfloat (busy_seconds () - before, <, 0.2);
}

typedef struct {
  Gate gate; // so that each member has a thread of its own
  int n;
  atomic_int least;
} Priorities;

static void
count_least (void *data)
{
  Priorities *all = data;

  if (getpriority (PRIO_PROCESS, (id_t) gettid ()) == LEAST_PRIORITY)
    atomic_fetch_add (&all->least, 1);
  g_mutex_lock (&all->gate.mutex);
  all->gate.held++;
  g_cond_broadcast (&all->gate.cond);
  while (all->gate.held < all->n)
    g_cond_wait (&all->gate.cond, &all->gate.mutex);
  g_mutex_unlock (&all->gate.mutex);
}

static int
least_of (int n)
{
  Priorities all = { .n = n };

  g_mutex_init (&all.gate.mutex);
  g_cond_init (&all.gate.cond);
  odl_team_run (n, count_least, &all);
  g_cond_clear (&all.gate.cond);
  g_mutex_clear (&all.gate.mutex);
  return atomic_load (&all.least);
}

static void *
yielding_thread (void *data)
{
  const int before = least_of (3);

  odl_parallel_lower_priority ();
  return GINT_TO_POINTER (10 * before + least_of (3));
}

static void
test_priorities_stay_apart (void)
{
  if (getpriority (PRIO_PROCESS, 0) == LEAST_PRIORITY) {
    g_test_skip ("the test itself has the least priority");
    return;
  }
  g_assert_cmpint (least_of (4), ==, 0);
  GThread *thread = g_thread_new ("yields", yielding_thread, NULL);
  g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (thread)), ==, 3);
  g_assert_cmpint (least_of (4), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/team/two-at-a-time", test_two_at_a_time);
  g_test_add_func ("/team/each-member-is-called-once", test_each_member_once);
  g_test_add_func ("/team/threads-start-loops-side-by-side",
                   test_loops_of_several_threads);
  g_test_add_func ("/team/each-iteration-runs-once", test_iterations_once);
  g_test_add_func ("/team/loops-within-loops-run-alone", test_loops_within_loops);
  g_test_add_func ("/team/nobody-waits-for-busy-threads",
                   test_nobody_waits_for_busy_threads);
  g_test_add_func ("/team/idle-threads-sleep", test_threads_sleep);
  g_test_add_func ("/team/priorities-stay-apart", test_priorities_stay_apart);
  return g_test_run ();
}
