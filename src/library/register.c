// SPDX-License-Identifier: MIT
// Functions of a program as filters.
#include "library/ondelette.h"

#include "config.h"
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "filter/own/run.h"
#include "library/message.h"

#define MESSAGE_BYTES 1024

// Kept as long as its code: until exit.
typedef struct {
  OndeletteFunction function;
  void *data;
} Function;

static bool
call (const OdlOwnRun *run, GError **error)
{
  const Function *own = run->code->call_data;
  const size_t n = (size_t) run->width * (size_t) run->height
                   * (size_t) MAX (run->depth, 1) * (size_t) run->channels;
  g_autofree float *samples = g_try_new (float, n);
  g_autofree float *result = g_try_new0 (float, n);
  char message[MESSAGE_BYTES] = "";
  const OndeletteCall call = { .width = run->width,
                               .height = run->height,
                               .depth = run->depth,
                               .channels = run->channels,
                               .samples = samples,
                               .values = run->values,
                               .n_values = (int) run->code->n_named,
                               .result = result };

  if (samples == NULL || result == NULL)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("%s: there is not enough memory for its pictures"),
                          run->code->name);
  run->put (run->data, 0, samples);
  if (!own->function (&call, own->data, message, sizeof message)) {
    message[sizeof message - 1] = '\0';
    g_autofree char *said = g_utf8_make_valid (message, -1);
    return odl_error_set (error, ODL_ERROR_CORRUPT, "%s: %s", run->code->name, said);
  }
  run->take (run->data, result);
  return true;
}

int
ondelette_register (const char *name,
                    const char *signature,
                    OndeletteFunction function,
                    void *data,
                    char **message)
{
  GError *error = NULL;
  bool done = false;

  if (name == NULL || signature == NULL || function == NULL) {
    odl_library_refuse (&error, _ ("a name, a signature and a function are needed"));
  } else {
    Function *own = g_new (Function, 1);
    *own = (Function){ function, data };
    done = odl_own_register (name, signature, call, own, &error) != NULL;
    if (!done)
      g_free (own);
  }
  odl_library_tell (message, error);
  return done;
}

void
ondelette_withdraw (const char *name)
{
  const OdlOwnCode *code = name != NULL ? odl_own_registered (name) : NULL;

  if (code != NULL)
    odl_own_withdraw (code);
}
