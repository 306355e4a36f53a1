// SPDX-License-Identifier: MIT
// ondelette-rehearsal: compiles code of the user's own and runs it once, in a process
// that may die of it. See protocol.h. It is no sandbox: drivers of graphics cards need
// devices and files. What code may do is what its words let it (filter/own/tokens.h).
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "base/helper.h"
#include "base/language.h"
#include "engine/choice.h"
#include "engine/gl/platform/headless.h"
#include "rehearsal/protocol.h"

#define MEMORY ((rlim_t) 4 << 30) // bytes of its own, not of mapped devices

static void
answer (OdlRehearsalEnd end, const char *reason)
{
  OdlRehearsalAnswer told = { .magic = ODL_REHEARSAL_MAGIC, .end = end };
  const OdlMessage message = { .parts = { { &told, sizeof told } } };

  g_strlcpy (told.reason, reason, sizeof told.reason);
  odl_message_send (ODL_HELPER_SOCKET_FD, &message, 0);
}

// Says that it takes too long, whatever the driver waits for.
static void *
watch (void *unused)
{
  (void) unused;
  g_usleep (ODL_REHEARSAL_SECONDS * G_USEC_PER_SEC);
  answer (ODL_REHEARSAL_TOO_LONG, "");
  _exit (0);
}

static void
limit (void)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  setrlimit (RLIMIT_CORE, &(struct rlimit){ 0, 0 });
#ifndef __SANITIZE_ADDRESS__
  setrlimit (RLIMIT_DATA, &(struct rlimit){ MEMORY, MEMORY });
#endif
}

static bool
receive (OdlRehearsalOrder *order, char *bytes)
{
  OdlMessage message
      = { .parts = { { order, sizeof *order }, { bytes, ODL_OWN_MOST_BYTES } } };
  const size_t n = odl_message_receive (ODL_HELPER_SOCKET_FD, &message, 0);

  return n >= sizeof *order && order->magic == ODL_REHEARSAL_MAGIC
         && order->n_bytes == n - sizeof *order
         && memchr (order->engine, '\0', sizeof order->engine) != NULL
         && memchr (order->name, '\0', sizeof order->name) != NULL;
}

// Colours without order, black and white among them.
static OdlImage *
picture (GError **error)
{
  const OdlImageInfo info = { .extent = { ODL_REHEARSAL_SIDE, ODL_REHEARSAL_SIDE, 1, 1 },
                              .channels = 3,
                              .type = ODL_SAMPLE_U8 };
  void *samples;
  OdlImage *image = odl_image_alloc_unset (&info, &samples, error);
  guint8 *bytes = samples;
  guint32 state = 1;

  for (int i = 0; image != NULL && i < 3 * ODL_REHEARSAL_SIDE * ODL_REHEARSAL_SIDE; i++) {
    state = state * 1664525u + 1013904223u;
    bytes[i] = (guint8) (state >> 24);
  }
  return image;
}

static bool
make_recipe (const OdlRehearsalOrder *order,
             const char *bytes,
             OdlRecipe *recipe,
             GError **error)
{
  const OdlOwnCode *code = odl_own_code_new (order->name, bytes, order->n_bytes, error);

  if (code == NULL)
    return false;
  odl_recipe_init (recipe);
  odl_recipe_append (recipe, &code->filter);
  for (size_t p = 0; p < code->filter.n_parameters; p++) {
    const OdlParameter *parameter = &code->filter.parameters[p];
    if (parameter->count == 1)
      recipe->items[0].values[parameter->offset]
          = odl_parameter_clamp (parameter, order->values[parameter->offset]);
  }
  if (code->reads_other)
    odl_recipe_set_file (recipe, 0, "other");
  return true;
}

static bool
run (const OdlRehearsalOrder *order, const char *bytes, GError **error)
{
  g_autoptr (OdlImage) image = picture (error);
  g_autoptr (OdlOperands) operands = odl_operands_new ();
  OdlEngineChoice choice;
  OdlRecipe recipe;

  if (image == NULL || !make_recipe (order, bytes, &recipe, error)
      || !odl_operands_add (operands, "other", image, error)
      || !odl_engine_choice_parse (order->engine, &choice, error))
    return false;
  OdlGeometry geometry = odl_geometry_of (image);
  geometry.operands = operands;
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, error);
  g_autoptr (OdlGlHeadless) headless = plan != NULL ? odl_gl_headless_new (error) : NULL;
  g_autoptr (OdlEngine) engine
      = headless != NULL ? odl_engine_open_choice (choice, error) : NULL;
  g_autoptr (OdlImage) result
      = engine != NULL ? odl_engine_process (engine, plan, image, error) : NULL;
  return result != NULL;
}

int
main (int argc, char **argv)
{
  static char bytes[ODL_OWN_MOST_BYTES];
  OdlRehearsalOrder order;
  g_autoptr (GError) error = NULL;

  if (argc != 1) {
    g_printerr ("ondelette-rehearsal is started by Ondelette; it is of no use alone.\n");
    return 2;
  }
  odl_language_init ();
  limit ();
  if (!receive (&order, bytes))
    return 2;
  g_thread_unref (g_thread_new ("watch", watch, NULL));
  if (run (&order, bytes, &error))
    answer (ODL_REHEARSAL_DONE, "");
  else
    answer (ODL_REHEARSAL_REFUSED, error->message);
  // A driver may not end in order.
  _exit (0);
}
