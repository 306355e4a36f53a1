// SPDX-License-Identifier: MIT
#include "work/rehearsal.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "rehearsal/protocol.h"
#include "source/helper/process.h"
#include "work/python.h"

// Of processor time: software draws with all processors.
#define PATIENCE_NS ((int64_t) 4 * ODL_REHEARSAL_SECONDS * 1000000000)

static const OdlHelperKind kind = { "ondelette-rehearsal", "rehearsal", "ODL_REHEARSAL" };

typedef struct {
  GMutex turn; // one at a time, so that each is tried once
  GMutex lock; // guards `good`
  GHashTable *good; // "ENGINE HASH": those that went well, until exit; NULL: none yet
} Tried;

static Tried *
tried (void)
{
  static Tried known;

  return &known;
}

static bool
say_too_long (const OdlOwnCode *code, GError **error)
{
  return odl_error_set (
      error, ODL_ERROR_TOO_LARGE,
      _ ("%s: compiling and running it on %d × %d samples took more than %d seconds, so "
         "that it was stopped. Give it shorter loops"),
      code->name, ODL_REHEARSAL_SIDE, ODL_REHEARSAL_SIDE, ODL_REHEARSAL_SECONDS);
}

// What is said of helpers is about files.
static bool
say_dead (const OdlOwnCode *code, const GError *cause, GError **error)
{
  if (g_error_matches (cause, ODL_ERROR, ODL_ERROR_INSTALLATION)) {
    g_propagate_error (error, g_error_copy (cause));
    return false;
  }
  if (g_error_matches (cause, ODL_ERROR, ODL_ERROR_TOO_LARGE))
    return say_too_long (code, error);
  return odl_error_set (
      error, ODL_ERROR_GPU,
      _ ("%s: the graphics driver crashed when it was tried with this code, in a process "
         "of its own; nothing was written. Write it more simply, or choose another "
         "engine"),
      code->name);
}

static bool
judge (const OdlOwnCode *code, OdlRehearsalAnswer *told, size_t n, GError **error)
{
  const GError invalid = { ODL_ERROR, ODL_ERROR_CORRUPT, (char *) "" };

  if (n != sizeof *told || told->magic != ODL_REHEARSAL_MAGIC)
    return say_dead (code, &invalid, error);
  told->reason[sizeof told->reason - 1] = '\0';
  if (told->end == ODL_REHEARSAL_TOO_LONG)
    return say_too_long (code, error);
  if (told->end != ODL_REHEARSAL_DONE)
    return odl_error_set (error, ODL_ERROR_GPU, "%s", told->reason);
  odl_own_set_loops_are_ended (code, told->ends_loops != 0);
  return true;
}

static bool
rehearse (const OdlOwnCode *code,
          const double *values,
          const char *engine,
          GError **error)
{
  const char *const none[] = { NULL };
  const OdlHelperStart how = { .arguments = none, .patience_ns = PATIENCE_NS };
  OdlRehearsalOrder order
      = { .magic = ODL_REHEARSAL_MAGIC, .n_bytes = (uint32_t) code->length };
  OdlRehearsalAnswer told = { 0 };
  const OdlMessage sent
      = { .parts = { { &order, sizeof order }, { code->bytes, code->length } } };
  OdlMessage received = { .parts = { { &told, sizeof told } } };
  g_autoptr (GError) cause = NULL;
  size_t n = 0;

  g_strlcpy (order.engine, engine, sizeof order.engine);
  g_strlcpy (order.name, code->name, sizeof order.name);
  memcpy (order.values, values, sizeof order.values);
  OdlHelperProcess *process = odl_helper_process_start (&kind, &how, &cause);
  if (process != NULL && odl_helper_process_send (process, &sent, &cause))
    n = odl_helper_process_receive (process, &received, NULL, &cause);
  odl_helper_process_end (process);
  return cause != NULL ? say_dead (code, cause, error) : judge (code, &told, n, error);
}

static bool
is_good (Tried *known, const char *key)
{
  g_mutex_lock (&known->lock);
  const bool good = known->good != NULL && g_hash_table_contains (known->good, key);
  g_mutex_unlock (&known->lock);
  return good;
}

static void
note_good (Tried *known, const char *key)
{
  g_mutex_lock (&known->lock);
  if (known->good == NULL)
    known->good = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_add (known->good, g_strdup (key));
  g_mutex_unlock (&known->lock);
}

// Python is the same for every engine, and another function for volumes.
static char *
key_of (const OdlOwnCode *code, bool of_volume, const char *engine)
{
  const bool is_python = code->language == ODL_OWN_PYTHON;

  return g_strconcat (!is_python  ? engine
                      : of_volume ? "volume"
                                  : "",
                      " ", code->hash, NULL);
}

bool
odl_rehearse_code (const OdlOwnCode *code,
                   const double *values,
                   bool of_volume,
                   const char *engine,
                   GError **error)
{
  Tried *known = tried ();

  g_return_val_if_fail (code != NULL && values != NULL && engine != NULL, false);

  g_autofree char *key = key_of (code, of_volume, engine);
  g_mutex_lock (&known->turn);
  const bool good = is_good (known, key)
                    || (code->language == ODL_OWN_PYTHON
                            ? odl_python_rehearse (code, values, of_volume, error)
                            : rehearse (code, values, engine, error));
  if (good)
    note_good (known, key);
  g_mutex_unlock (&known->turn);
  return good;
}

static bool
is_of_volume (const OdlStep *step)
{
  return step->kind == ODL_STEP_PYTHON && step->rule == 1;
}

const OdlStep *
odl_rehearsal_needed (const OdlPlan *plan, const char *engine)
{
  g_return_val_if_fail (plan != NULL && engine != NULL, NULL);

  for (int i = 0; i < plan->n_steps; i++) {
    const OdlOwnCode *code = plan->steps[i].code;
    g_autofree char *key
        = code != NULL ? key_of (code, is_of_volume (&plan->steps[i]), engine) : NULL;
    if (key != NULL && !is_good (tried (), key))
      return &plan->steps[i];
  }
  return NULL;
}

bool
odl_rehearse (const OdlPlan *plan, const char *engine, GError **error)
{
  bool good = true;

  g_return_val_if_fail (plan != NULL && engine != NULL, false);
  for (int i = 0; i < plan->n_steps && good; i++) {
    const OdlStep *step = &plan->steps[i];
    good = step->code == NULL
           || odl_rehearse_code (step->code, step->parameters.values, is_of_volume (step),
                                 engine, error);
  }
  return good;
}
