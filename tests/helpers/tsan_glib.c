// SPDX-License-Identifier: MIT
// GLib's locks and reference counts once more, on pthread and on compiled-in atomics: the
// thread sanitizer sees neither GLib's futexes nor what its library does inside. Linked
// into tests that are built with -Db_sanitize=thread, where it takes GLib's place.
#include <errno.h>
#include <glib.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

// ---- Locks ----

// A lock that was never initialised is made when it is first used.
static pthread_mutex_t *
mutex_of (GMutex *mutex)
{
  pthread_mutex_t *found = __atomic_load_n ((void **) &mutex->p, __ATOMIC_ACQUIRE);
  void *none = NULL;

  if (found != NULL)
    return found;
  pthread_mutex_t *made = malloc (sizeof *made);
  pthread_mutex_init (made, NULL);
  if (__atomic_compare_exchange_n ((void **) &mutex->p, &none, made, FALSE,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return made;
  pthread_mutex_destroy (made);
  free (made);
  return none;
}

void
g_mutex_init (GMutex *mutex)
{
  mutex->p = NULL;
}

void
g_mutex_clear (GMutex *mutex)
{
  if (mutex->p == NULL)
    return;
  pthread_mutex_destroy (mutex->p);
  free (mutex->p);
  mutex->p = NULL;
}

void (g_mutex_lock) (GMutex *mutex)
{
  pthread_mutex_lock (mutex_of (mutex));
}

gboolean (g_mutex_trylock) (GMutex *mutex)
{
  return pthread_mutex_trylock (mutex_of (mutex)) == 0;
}

void (g_mutex_unlock) (GMutex *mutex)
{
  pthread_mutex_unlock (mutex_of (mutex));
}

// ---- Conditions ----

static pthread_cond_t *
cond_of (GCond *cond)
{
  pthread_cond_t *found = __atomic_load_n ((void **) &cond->p, __ATOMIC_ACQUIRE);
  void *none = NULL;

  if (found != NULL)
    return found;
  pthread_condattr_t attributes;
  pthread_cond_t *made = malloc (sizeof *made);
  pthread_condattr_init (&attributes);
  pthread_condattr_setclock (&attributes, CLOCK_MONOTONIC);
  pthread_cond_init (made, &attributes);
  pthread_condattr_destroy (&attributes);
  if (__atomic_compare_exchange_n ((void **) &cond->p, &none, made, FALSE,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return made;
  pthread_cond_destroy (made);
  free (made);
  return none;
}

void
g_cond_init (GCond *cond)
{
  cond->p = NULL;
}

void
g_cond_clear (GCond *cond)
{
  if (cond->p == NULL)
    return;
  pthread_cond_destroy (cond->p);
  free (cond->p);
  cond->p = NULL;
}

void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  pthread_cond_wait (cond_of (cond), mutex_of (mutex));
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end_time)
{
  const struct timespec end
      = { end_time / G_USEC_PER_SEC, end_time % G_USEC_PER_SEC * 1000 };

  return pthread_cond_timedwait (cond_of (cond), mutex_of (mutex), &end) != ETIMEDOUT;
}

void
g_cond_signal (GCond *cond)
{
  pthread_cond_signal (cond_of (cond));
}

void
g_cond_broadcast (GCond *cond)
{
  pthread_cond_broadcast (cond_of (cond));
}

// ---- Reference counts ----

void (g_atomic_ref_count_init) (gatomicrefcount *count)
{
  __atomic_store_n (count, 1, __ATOMIC_SEQ_CST);
}

void (g_atomic_ref_count_inc) (gatomicrefcount *count)
{
  __atomic_fetch_add (count, 1, __ATOMIC_SEQ_CST);
}

gboolean (g_atomic_ref_count_dec) (gatomicrefcount *count)
{
  return __atomic_fetch_sub (count, 1, __ATOMIC_SEQ_CST) == 1;
}
