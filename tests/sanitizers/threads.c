// SPDX-License-Identifier: MIT
// Where one thread hands something to another, once more in terms that the thread
// sanitizer sees: it knows neither the futexes of GLib nor what libraries do.
// Locks, reference counts and g_once are made anew on pthread and compiled-in atomics, in
// GLib's place; for main contexts, queues, tasks and cancellables the libraries'
// own functions run, and the sanitizer is told what they order. Part of all programs
// built with -Db_sanitize=thread.
#include <errno.h>
#include <gio/gio.h>
#include <pthread.h>
#include <sanitizer/tsan_interface.h>
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

// Whoever owns the lock knows when it begins and ends, by means that are not always seen.
static void *
exchange (void *place)
{
  return __atomic_exchange_n ((void **) place, NULL, __ATOMIC_ACQ_REL);
}

void
g_mutex_init (GMutex *mutex)
{
  exchange (&mutex->p);
}

void
g_mutex_clear (GMutex *mutex)
{
  pthread_mutex_t *made = exchange (&mutex->p);

  if (made != NULL)
    pthread_mutex_destroy (made);
  free (made);
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
  exchange (&cond->p);
}

void
g_cond_clear (GCond *cond)
{
  pthread_cond_t *made = exchange (&cond->p);

  if (made != NULL)
    pthread_cond_destroy (made);
  free (made);
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

// ---- What is made once ----

static pthread_mutex_t once_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t once_changed = PTHREAD_COND_INITIALIZER;
static GSList *once_running; // locations

gboolean (g_once_init_enter) (volatile void *location)
{
  gsize *value = (gsize *) location;

  pthread_mutex_lock (&once_mutex);
  while (__atomic_load_n (value, __ATOMIC_ACQUIRE) == 0
         && g_slist_find (once_running, value) != NULL)
    pthread_cond_wait (&once_changed, &once_mutex);
  const gboolean first = __atomic_load_n (value, __ATOMIC_ACQUIRE) == 0;
  if (first)
    once_running = g_slist_prepend (once_running, value);
  pthread_mutex_unlock (&once_mutex);
  return first;
}

void (g_once_init_leave) (volatile void *location, gsize result)
{
  pthread_mutex_lock (&once_mutex);
  __atomic_store_n ((gsize *) location, result, __ATOMIC_RELEASE);
  once_running = g_slist_remove (once_running, (gsize *) location);
  pthread_cond_broadcast (&once_changed);
  pthread_mutex_unlock (&once_mutex);
}

// ---- What GLib orders itself ----

// The linker's --wrap sends calls of this project here, and nobody else's.

// A plain callback with what it was given.
typedef struct {
  GSourceFunc func;
  void *data;
  GDestroyNotify notify;
} Call;

static gboolean
call_cb (void *data)
{
  const Call *call = data;

  __tsan_acquire (g_main_current_source ());
  return call->func (call->data);
}

static void
call_free (void *data)
{
  Call *call = data;

  if (call->notify != NULL)
    call->notify (call->data);
  g_free (call);
}

void __real_g_source_set_callback (GSource *source,
                                   GSourceFunc func,
                                   void *data,
                                   GDestroyNotify notify);
void __wrap_g_source_set_callback (GSource *source,
                                   GSourceFunc func,
                                   void *data,
                                   GDestroyNotify notify);
guint __real_g_source_attach (GSource *source, GMainContext *context);
guint __wrap_g_source_attach (GSource *source, GMainContext *context);

void
__wrap_g_source_set_callback (GSource *source,
                              GSourceFunc func,
                              void *data,
                              GDestroyNotify notify)
{
  Call *call = g_new (Call, 1);

  *call = (Call){ func, data, notify };
  __real_g_source_set_callback (source, call_cb, call, call_free);
}

// What was done before a source is attached is done before it is called.
guint
__wrap_g_source_attach (GSource *source, GMainContext *context)
{
  __tsan_release (source);
  return __real_g_source_attach (source, context);
}

// ---- Queues ----

void __real_g_async_queue_push (GAsyncQueue *queue, void *data);
void __wrap_g_async_queue_push (GAsyncQueue *queue, void *data);
void *__real_g_async_queue_pop (GAsyncQueue *queue);
void *__wrap_g_async_queue_pop (GAsyncQueue *queue);

void
__wrap_g_async_queue_push (GAsyncQueue *queue, void *data)
{
  __tsan_release (queue);
  __real_g_async_queue_push (queue, data);
}

void *
__wrap_g_async_queue_pop (GAsyncQueue *queue)
{
  void *data = __real_g_async_queue_pop (queue);

  __tsan_acquire (queue);
  return data;
}

// ---- Tasks ----

void __real_g_task_run_in_thread (GTask *task, GTaskThreadFunc func);
void __wrap_g_task_run_in_thread (GTask *task, GTaskThreadFunc func);
void __real_g_task_return_pointer (GTask *task, void *result, GDestroyNotify free_result);
void __wrap_g_task_return_pointer (GTask *task, void *result, GDestroyNotify free_result);
void __real_g_task_return_boolean (GTask *task, gboolean result);
void __wrap_g_task_return_boolean (GTask *task, gboolean result);
void __real_g_task_return_error (GTask *task, GError *error);
void __wrap_g_task_return_error (GTask *task, GError *error);
gboolean __real_g_task_propagate_boolean (GTask *task, GError **error);
gboolean __wrap_g_task_propagate_boolean (GTask *task, GError **error);
void *__real_g_task_propagate_pointer (GTask *task, GError **error);
void *__wrap_g_task_propagate_pointer (GTask *task, GError **error);

#define THREAD_FUNC "odl-thread-func"

static void
task_thread (GTask *task, void *source, void *data, GCancellable *cancellable)
{
  __tsan_acquire (task);
  GTaskThreadFunc func
      = (GTaskThreadFunc) g_object_get_data (G_OBJECT (task), THREAD_FUNC);
  func (task, source, data, cancellable);
}

void
__wrap_g_task_run_in_thread (GTask *task, GTaskThreadFunc func)
{
  g_object_set_data (G_OBJECT (task), THREAD_FUNC, (void *) func);
  __tsan_release (task);
  __real_g_task_run_in_thread (task, task_thread);
}

void
__wrap_g_task_return_pointer (GTask *task, void *result, GDestroyNotify free_result)
{
  __tsan_release (task);
  __real_g_task_return_pointer (task, result, free_result);
}

void
__wrap_g_task_return_boolean (GTask *task, gboolean result)
{
  __tsan_release (task);
  __real_g_task_return_boolean (task, result);
}

void
__wrap_g_task_return_error (GTask *task, GError *error)
{
  __tsan_release (task);
  __real_g_task_return_error (task, error);
}

gboolean
__wrap_g_task_propagate_boolean (GTask *task, GError **error)
{
  __tsan_acquire (task);
  return __real_g_task_propagate_boolean (task, error);
}

void *
__wrap_g_task_propagate_pointer (GTask *task, GError **error)
{
  __tsan_acquire (task);
  return __real_g_task_propagate_pointer (task, error);
}

// ---- Cancellables ----

gulong __real_g_cancellable_connect (GCancellable *cancellable,
                                     GCallback callback,
                                     void *data,
                                     GDestroyNotify notify);
gulong __wrap_g_cancellable_connect (GCancellable *cancellable,
                                     GCallback callback,
                                     void *data,
                                     GDestroyNotify notify);
void __real_g_cancellable_disconnect (GCancellable *cancellable, gulong handler);
void __wrap_g_cancellable_disconnect (GCancellable *cancellable, gulong handler);
void __real_g_cancellable_cancel (GCancellable *cancellable);
void __wrap_g_cancellable_cancel (GCancellable *cancellable);
gboolean __real_g_cancellable_is_cancelled (GCancellable *cancellable);
gboolean __wrap_g_cancellable_is_cancelled (GCancellable *cancellable);

gulong
__wrap_g_cancellable_connect (GCancellable *cancellable,
                              GCallback callback,
                              void *data,
                              GDestroyNotify notify)
{
  __tsan_release (cancellable);
  return __real_g_cancellable_connect (cancellable, callback, data, notify);
}

void
__wrap_g_cancellable_disconnect (GCancellable *cancellable, gulong handler)
{
  __real_g_cancellable_disconnect (cancellable, handler);
  __tsan_acquire (cancellable);
}

// Calls back whoever connected, in this thread.
void
__wrap_g_cancellable_cancel (GCancellable *cancellable)
{
  __tsan_acquire (cancellable);
  __tsan_release (cancellable);
  __real_g_cancellable_cancel (cancellable);
  __tsan_release (cancellable);
}

gboolean
__wrap_g_cancellable_is_cancelled (GCancellable *cancellable)
{
  const gboolean cancelled = __real_g_cancellable_is_cancelled (cancellable);

  if (cancelled)
    __tsan_acquire (cancellable);
  return cancelled;
}
