// SPDX-License-Identifier: MIT
#include "session/render/chooser.h"

#include "base/debug.h"
#include "base/parallel.h"
#include "base/thread.h"
#include "engine/choice_cache.h"
#include "engine/choice_measure.h"
#include "engine/prices.h"

// Delay, so that the first picture and changes by a slider come first.
#define DELAY_MS 600
// Attempts after a time-out: the first one may have been spent on compiling programs; if
// the second one times out, other programs are the cause.
#define RETRY_SOON_MS 1500
#define RETRY_MS 10000
#define MOST_ATTEMPTS 3

// What is to be measured.
typedef struct {
  OdlPlan *plan;
  OdlImage *image;
  char *gpu;
  bool thorough;
  OdlRanking *ranking; // earlier results; completed by the thread
} Work;

// Prices that are measured.
typedef struct {
  char *gpu;
  GSource *timer; // to begin; NULL: not wanted, or begun
  GThread *thread;
  int stopped, ended; // atomic
} Pricing;

struct _OdlChooser {
  char *path;
  OdlChooserCb changed;
  void *data;
  GMainContext *context;
  GHashTable *known; // key -> OdlRanking
  GHashTable *attempts; // key -> number of measurements in this run

  // The plan of the last look-up; its key is cached.
  const OdlPlan *plan; // referenced
  char *gpu;
  OdlRanking *current; // of `known`

  Pricing pricing;

  Work *next; // to be started by the timer
  GSource *timer;
  Work *running;
  GThread *thread;
  int cancelled; // atomic
  GMutex mutex; // guards `delivery`
  GSource *delivery;
};

static void
work_free (Work *work)
{
  if (!work)
    return;
  odl_plan_unref (work->plan);
  odl_image_unref (work->image);
  g_free (work->gpu);
  odl_ranking_free (work->ranking);
  g_free (work);
}

// ---- what is known -------------------------------------------------------------------

static OdlRanking *
ranking_for (OdlChooser *chooser, const char *key)
{
  OdlRanking *ranking = g_hash_table_lookup (chooser->known, key);
  if (ranking)
    return ranking;
  ranking = odl_choice_cache_load (chooser->path, key);
  if (!ranking)
    ranking = odl_ranking_new (key);
  g_hash_table_insert (chooser->known, g_strdup (key), ranking);
  return ranking;
}

const OdlRanking *
odl_chooser_look_up (OdlChooser *chooser, const OdlPlan *plan, const char *gpu)
{
  if (chooser->current && chooser->plan == plan && g_strcmp0 (chooser->gpu, gpu) == 0)
    return chooser->current;
  g_autofree char *key = odl_choice_key (plan, ODL_TARGET_GL_CANVAS, gpu);
  chooser->current = ranking_for (chooser, key);
  g_clear_pointer ((OdlPlan **) &chooser->plan, odl_plan_unref);
  chooser->plan = odl_plan_ref ((OdlPlan *) plan);
  g_free (chooser->gpu);
  chooser->gpu = g_strdup (gpu);
  return chooser->current;
}

// ---- measuring -----------------------------------------------------------------------

static bool
is_cancelled (void *data)
{
  return g_atomic_int_get (&((OdlChooser *) data)->cancelled) != 0;
}

static void
keep (OdlChooser *chooser, OdlRanking *ranking)
{
  chooser->current = NULL;
  g_hash_table_replace (chooser->known, g_strdup (ranking->key), ranking);
}

static gboolean
measured_cb (void *data)
{
  OdlChooser *chooser = data;
  g_thread_join (g_steal_pointer (&chooser->thread));
  g_mutex_lock (&chooser->mutex);
  g_clear_pointer (&chooser->delivery, g_source_unref);
  g_mutex_unlock (&chooser->mutex);
  Work *work = g_steal_pointer (&chooser->running);
  if (!is_cancelled (chooser))
    keep (chooser, g_steal_pointer (&work->ranking));
  work_free (work);
  chooser->changed (chooser->data);
  return G_SOURCE_REMOVE;
}

static void *
measure_thread (void *data)
{
  OdlChooser *chooser = data;
  Work *work = chooser->running;
  OdlChoiceMeasure params = {
    .plan = work->plan,
    .image = work->image,
    .target = ODL_TARGET_GL_CANVAS,
    .gpu = work->gpu,
    .thorough = work->thorough,
    .cache_path = chooser->path,
    .cancelled = is_cancelled,
    .data = chooser,
  };
  odl_parallel_lower_priority ();
  if (odl_choice_measure (work->ranking, &params)) {
    // Without a cache the next run measures again; not reported.
    g_autoptr (GError) error = NULL;
    if (!odl_choice_cache_save (chooser->path, work->ranking, &error))
      odl_debug (ODL_DEBUG_TIMING, "%s", error->message);
  }
  g_mutex_lock (&chooser->mutex);
  chooser->delivery = g_idle_source_new ();
  g_source_set_callback (chooser->delivery, measured_cb, chooser, NULL);
  g_source_attach (chooser->delivery, chooser->context);
  g_mutex_unlock (&chooser->mutex);
  return NULL;
}

static void
set_timer (OdlChooser *chooser, guint ms, GSourceFunc cb)
{
  if (chooser->timer)
    g_source_destroy (chooser->timer);
  g_clear_pointer (&chooser->timer, g_source_unref);
  chooser->timer = g_timeout_source_new (ms);
  g_source_set_callback (chooser->timer, cb, chooser, NULL);
  g_source_attach (chooser->timer, chooser->context);
}

static gboolean
start_cb (void *data)
{
  OdlChooser *chooser = data;
  if (chooser->running) {
    // The other measurement ends after its current frame.
    g_atomic_int_set (&chooser->cancelled, 1);
    set_timer (chooser, 50, start_cb);
    return G_SOURCE_REMOVE;
  }
  g_clear_pointer (&chooser->timer, g_source_unref);
  chooser->running = g_steal_pointer (&chooser->next);
  g_atomic_int_set (&chooser->cancelled, 0);
  const char *key = chooser->running->ranking->key;
  int attempts = GPOINTER_TO_INT (g_hash_table_lookup (chooser->attempts, key));
  g_hash_table_replace (chooser->attempts, g_strdup (key),
                        GINT_TO_POINTER (attempts + 1));
  chooser->thread = odl_thread_new ("odl-chooser", measure_thread, chooser, NULL);
  // What is not measured is guessed.
  if (!chooser->thread)
    g_clear_pointer (&chooser->running, work_free);
  chooser->changed (chooser->data);
  return G_SOURCE_REMOVE;
}

static bool
is_for (const Work *work, const char *key)
{
  return work && g_str_equal (work->ranking->key, key);
}

void
odl_chooser_measure (OdlChooser *chooser,
                     const OdlPlan *plan,
                     OdlImage *image,
                     const char *gpu,
                     bool afresh)
{
  const OdlRanking *known = odl_chooser_look_up (chooser, plan, gpu);
  int attempts = GPOINTER_TO_INT (g_hash_table_lookup (chooser->attempts, known->key));
  if (!afresh
      && (odl_ranking_is_complete (known) || attempts >= MOST_ATTEMPTS
          || is_for (chooser->next, known->key)
          || (is_for (chooser->running, known->key) && !is_cancelled (chooser))))
    return;
  work_free (chooser->next);
  chooser->next = g_new0 (Work, 1);
  chooser->next->plan = odl_plan_ref ((OdlPlan *) plan);
  chooser->next->image = odl_image_ref (image);
  chooser->next->gpu = g_strdup (gpu);
  chooser->next->thorough = afresh;
  chooser->next->ranking
      = afresh ? odl_ranking_new (known->key) : odl_ranking_copy (known);
  static const guint delays_ms[MOST_ATTEMPTS] = { DELAY_MS, RETRY_SOON_MS, RETRY_MS };
  set_timer (chooser, afresh ? 0 : delays_ms[attempts], start_cb);
}

// Cancels the current or planned measurement.
static void
cancel (OdlChooser *chooser)
{
  if (chooser->timer)
    g_source_destroy (chooser->timer);
  g_clear_pointer (&chooser->timer, g_source_unref);
  g_clear_pointer (&chooser->next, work_free);
  g_atomic_int_set (&chooser->cancelled, 1);
}

// ---- prices --------------------------------------------------------------------------

static bool
is_stopped (void *data)
{
  return g_atomic_int_get (&((Pricing *) data)->stopped) != 0;
}

static void *
price_thread (void *data)
{
  Pricing *pricing = data;
  odl_parallel_lower_priority ();
  odl_prices_measure (pricing->gpu, is_stopped, pricing);
  g_atomic_int_set (&pricing->ended, 1);
  return NULL;
}

// One that was stopped may still compile a program.
static gboolean
price_cb (void *data)
{
  Pricing *pricing = data;
  if (pricing->thread && !g_atomic_int_get (&pricing->ended))
    return G_SOURCE_CONTINUE;
  g_clear_pointer (&pricing->timer, g_source_unref);
  g_clear_pointer (&pricing->thread, g_thread_join);
  g_atomic_int_set (&pricing->stopped, 0);
  g_atomic_int_set (&pricing->ended, 0);
  // What is not measured is as shipped.
  pricing->thread = odl_thread_new ("odl-prices", price_thread, pricing, NULL);
  return G_SOURCE_REMOVE;
}

void
odl_chooser_price (OdlChooser *chooser, const char *gpu)
{
  Pricing *pricing = &chooser->pricing;
  if (pricing->timer || (pricing->thread && !is_stopped (pricing)))
    return;
  // A run is for one GPU.
  if (!pricing->gpu)
    pricing->gpu = g_strdup (gpu);
  pricing->timer = g_timeout_source_new (DELAY_MS);
  g_source_set_callback (pricing->timer, price_cb, pricing, NULL);
  g_source_attach (pricing->timer, chooser->context);
}

void
odl_chooser_stop_pricing (OdlChooser *chooser)
{
  Pricing *pricing = &chooser->pricing;
  if (pricing->timer)
    g_source_destroy (pricing->timer);
  g_clear_pointer (&pricing->timer, g_source_unref);
  if (!g_atomic_int_get (&pricing->ended))
    g_atomic_int_set (&pricing->stopped, 1);
}

bool
odl_chooser_is_measuring (const OdlChooser *chooser)
{
  return chooser->running != NULL;
}

// ---- life ----------------------------------------------------------------------------

OdlChooser *
odl_chooser_new (const char *path, OdlChooserCb changed, void *data)
{
  OdlChooser *chooser = g_new0 (OdlChooser, 1);
  chooser->path = g_strdup (path);
  chooser->changed = changed;
  chooser->data = data;
  chooser->context = g_main_context_ref_thread_default ();
  chooser->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                          (GDestroyNotify) odl_ranking_free);
  chooser->attempts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_mutex_init (&chooser->mutex);
  return chooser;
}

void
odl_chooser_free (OdlChooser *chooser)
{
  if (!chooser)
    return;
  cancel (chooser);
  odl_chooser_stop_pricing (chooser);
  g_clear_pointer (&chooser->pricing.thread, g_thread_join);
  g_free (chooser->pricing.gpu);
  if (chooser->thread)
    g_thread_join (chooser->thread);
  if (chooser->delivery)
    g_source_destroy (chooser->delivery);
  g_clear_pointer (&chooser->delivery, g_source_unref);
  work_free (chooser->running);
  g_clear_pointer ((OdlPlan **) &chooser->plan, odl_plan_unref);
  g_hash_table_unref (chooser->known);
  g_hash_table_unref (chooser->attempts);
  g_main_context_unref (chooser->context);
  g_mutex_clear (&chooser->mutex);
  g_free (chooser->gpu);
  g_free (chooser->path);
  g_free (chooser);
}
