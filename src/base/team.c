// SPDX-License-Identifier: MIT
#include "base/team.h"

#include <glib.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"

// How long a thread spins for work, or for others to finish, before it sleeps.
#define LOOK_NS 50000
#define LOOKS 32 // polls between two clock reads

// Threads that one thread wakes; each of these wakes as many.
#define WAKES 2

#define LEAST_PRIORITY 19
#define BITS 64
#define WAKE_BITS 32

// Flag in Job.inside: the thread that started the loop sleeps.
#define SLEEPS 0x80000000u

// A loop in progress, on the stack of the thread that started it.
typedef struct Job {
  OdlTeamFunc func;
  void *data;
  int n;
  atomic_uint_fast64_t taken; // one bit per member, if there are at most 64
  atomic_int next; // next member, if there are more
  _Atomic uint32_t inside; // other threads working on it; a futex
  struct Job *link;
} Job;

typedef struct {
  atomic_flag lock; // guards what follows; held for a few instructions
  Job *jobs;
  int threads;
  _Atomic uint32_t posted; // changes with every job; a futex
  atomic_int sleepers;
  atomic_bool crowded; // more threads than processors
} Pool;

typedef struct {
  Pool *pool;
  int index;
} Worker;

// State of a thread.
typedef struct {
  int member, members; // members 0: in no loop
  Pool *pool; // NULL: not assigned yet
} Own;

static Own *
own_state (void)
{
  static _Thread_local Own own = { 0 };

  return &own;
}

static inline void
relax (void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause ();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// Sleeps while `word` equals `value` until a thread of `bits` is woken; may wake
// spuriously.
static void
futex_wait (_Atomic uint32_t *word, uint32_t value, uint32_t bits)
{
  syscall (SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, NULL, NULL, bits);
}

static void
futex_wake (_Atomic uint32_t *word, int threads, uint32_t bits)
{
  syscall (SYS_futex, word, FUTEX_WAKE_BITSET_PRIVATE, threads, NULL, NULL, bits);
}

static void
lock (Pool *pool)
{
  for (int i = 1; atomic_flag_test_and_set_explicit (&pool->lock, memory_order_acquire);
       i++)
    if (i % LOOKS == 0)
      sched_yield (); // the lock's owner may be preempted
    else
      relax ();
}

static void
unlock (Pool *pool)
{
  atomic_flag_clear_explicit (&pool->lock, memory_order_release);
}

// Spins until bits of `word` change; false on time-out.
static bool
look_for_change (const Pool *pool, _Atomic uint32_t *word, uint32_t bits, uint32_t value)
{
  if (atomic_load (&pool->crowded))
    return (atomic_load (word) & bits) != value;
  const int64_t end_ns = odl_clock_now_ns () + LOOK_NS;
  do
    for (int i = 0; i < LOOKS; i++) {
      if ((atomic_load_explicit (word, memory_order_acquire) & bits) != value)
        return true;
      relax ();
    }
  while (odl_clock_now_ns () < end_ns);
  return false;
}

// ---- Members ----

static uint64_t
all_bits (const Job *job)
{
  return job->n < BITS ? (UINT64_C (1) << job->n) - 1 : UINT64_MAX;
}

static bool
has_work (Job *job)
{
  return job->n <= BITS ? (atomic_load (&job->taken) & all_bits (job)) != all_bits (job)
                        : atomic_load (&job->next) < job->n;
}

// Takes a free member, preferably `wanted`: the thread that ran this share in the
// previous loop still has its data in the cache. −1: none left.
static int
take (Job *job, int wanted)
{
  if (job->n > BITS) {
    const int next = atomic_fetch_add (&job->next, 1);
    return next < job->n ? next : -1;
  }
  if (wanted >= job->n)
    wanted = 0;
  for (;;) {
    const uint64_t bit = UINT64_C (1) << wanted;
    if ((atomic_fetch_or (&job->taken, bit) & bit) == 0)
      return wanted;
    const uint64_t left = ~atomic_load (&job->taken) & all_bits (job);
    if (left == 0)
      return -1;
    wanted = __builtin_ctzll (left);
  }
}

static void
run_members (Job *job, int wanted)
{
  Own *own = own_state ();

  own->members = job->n;
  while ((own->member = take (job, wanted)) >= 0)
    job->func (job->data);
  own->member = own->members = 0;
}

// ---- Others ----

static uint32_t
wake_bit (int index)
{
  return UINT32_C (1) << MIN (index, WAKE_BITS - 1);
}

// Wakes threads that may work on the job.
static void
wake_some (Pool *pool, const Job *job)
{
  if (atomic_load (&pool->sleepers) > 0)
    futex_wake (&pool->posted, WAKES,
                job->n < WAKE_BITS ? wake_bit (job->n) - 1 : UINT32_MAX);
}

// Enters a job that has work left; the job then waits for this thread. Threads without a
// share of their own stay out: their caches hold none of the data.
static Job *
enter (Pool *pool, int index)
{
  lock (pool);
  Job *job = pool->jobs;
  while (job != NULL && (index >= job->n || !has_work (job)))
    job = job->link;
  if (job != NULL)
    atomic_fetch_add (&job->inside, 1);
  unlock (pool);
  return job;
}

// After the decrement the job may no longer exist; only its address is used, for the
// futex.
static void
leave (Job *job)
{
  if (atomic_fetch_sub (&job->inside, 1) == (SLEEPS | 1))
    futex_wake (&job->inside, 1, UINT32_MAX);
}

static void *
work (void *data)
{
  const Worker worker = *(Worker *) data;
  Pool *pool = worker.pool;

  g_free (data);
  own_state ()->pool = pool;
  for (;;) {
    const uint32_t seen = atomic_load (&pool->posted);
    for (Job *job; (job = enter (pool, worker.index)) != NULL; leave (job)) {
      wake_some (pool, job);
      run_members (job, worker.index);
    }
    if (look_for_change (pool, &pool->posted, UINT32_MAX, seen))
      continue;
    atomic_fetch_add (&pool->sleepers, 1);
    futex_wait (&pool->posted, seen, wake_bit (worker.index));
    atomic_fetch_sub (&pool->sleepers, 1);
  }
  return NULL;
}

// Starting fewer threads than wanted is no error. New threads inherit this thread's
// priority.
static void
start_threads (Pool *pool, int first, int end)
{
  for (int i = first; i < end; i++) {
    Worker *worker = g_new (Worker, 1);
    *worker = (Worker){ pool, i + 1 };
    GThread *thread = g_thread_try_new ("odl-team", work, worker, NULL);
    if (thread == NULL) {
      g_free (worker);
      return;
    }
    g_thread_unref (thread);
  }
}

// ---- Loops ----

// The pool for this thread's priority. Pools live until the program exits.
static Pool *
own_pool (void)
{
  static Pool usual = { .lock = ATOMIC_FLAG_INIT }, least = { .lock = ATOMIC_FLAG_INIT };
  Own *own = own_state ();

  if (own->pool == NULL)
    own->pool = getpriority (PRIO_PROCESS, (id_t) gettid ()) >= LEAST_PRIORITY ? &least
                                                                               : &usual;
  return own->pool;
}

static void
post (Pool *pool, Job *job)
{
  lock (pool);
  const int before = pool->threads;
  pool->threads = MAX (before, job->n - 1);
  job->link = pool->jobs;
  pool->jobs = job;
  unlock (pool);
  if (job->n - 1 > before) {
    atomic_store (&pool->crowded, job->n > (int) g_get_num_processors ());
    start_threads (pool, before, job->n - 1);
  }
  atomic_fetch_add (&pool->posted, 1);
  wake_some (pool, job);
}

static void
withdraw (Pool *pool, Job *job)
{
  lock (pool);
  Job **place = &pool->jobs;
  while (*place != job)
    place = &(*place)->link;
  *place = job->link;
  unlock (pool);
}

// Waits until all threads that entered have left.
static void
wait_for_others (const Pool *pool, Job *job)
{
  uint32_t inside;

  while ((inside = atomic_load (&job->inside) & ~SLEEPS) > 0)
    if (!look_for_change (pool, &job->inside, ~SLEEPS, inside)) {
      inside = atomic_fetch_or (&job->inside, SLEEPS) | SLEEPS;
      if (inside != SLEEPS)
        futex_wait (&job->inside, inside, UINT32_MAX);
    }
}

void
odl_team_run (int n, OdlTeamFunc func, void *data)
{
  Own *own = own_state ();
  const Own before = *own;
  Job job = { .func = func, .data = data, .n = MAX (n, 1) };

  if (n <= 1 || own->members > 0) {
    own->member = 0;
    own->members = 1;
    func (data);
    own->member = before.member;
    own->members = before.members;
    return;
  }
  Pool *pool = own_pool ();
  post (pool, &job);
  run_members (&job, 0);
  withdraw (pool, &job);
  wait_for_others (pool, &job);
}

int
odl_team_member (void)
{
  return own_state ()->member;
}

int
odl_team_members (void)
{
  return MAX (own_state ()->members, 1);
}

void
odl_team_forget_priority (void)
{
  own_state ()->pool = NULL;
}
