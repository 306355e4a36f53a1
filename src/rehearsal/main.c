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
answer (OdlRehearsalEnd end, bool ends_loops, const char *reason)
{
  OdlRehearsalAnswer told
      = { .magic = ODL_REHEARSAL_MAGIC, .end = end, .ends_loops = ends_loops };
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
  answer (ODL_REHEARSAL_TOO_LONG, false, "");
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

static void
make_recipe (const OdlRehearsalOrder *order, const OdlOwnCode *code, OdlRecipe *recipe)
{
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
}

typedef struct {
  OdlEngine *engine;
  OdlImage *image;
  OdlOperands *operands;
} Stage;

// What the code makes of the picture.
static OdlImage *
play (const Stage *stage,
      const OdlRehearsalOrder *order,
      const OdlOwnCode *code,
      GError **error)
{
  OdlGeometry geometry = odl_geometry_of (stage->image);
  OdlRecipe recipe;

  geometry.operands = stage->operands;
  make_recipe (order, code, &recipe);
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, error);
  return plan != NULL ? odl_engine_process (stage->engine, plan, stage->image, error)
                      : NULL;
}

// Of the twin that counts.
static bool
is_any_above_zero (const OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  g_autofree float *row = g_new (float, (gsize) info->extent.x);

  for (int c = 0; c < info->channels; c++)
    for (int y = 0; y < info->extent.y; y++) {
      odl_image_scaled_row (image, c, y, 0, 0, row);
      for (int x = 0; x < info->extent.x; x++)
        if (row[x] > 0.5f)
          return true;
    }
  return false;
}

// Says nothing where the twin fails: the code itself has run.
static bool
ends_loops (const Stage *stage, const OdlRehearsalOrder *order, const OdlOwnCode *code)
{
  g_autoptr (OdlImage) told
      = odl_own_has_loops (code)
            ? play (stage, order, odl_own_twin (code, ODL_OWN_TWIN_TURNS), NULL)
            : NULL;

  return told != NULL && is_any_above_zero (told);
}

static bool
run (const OdlRehearsalOrder *order, const char *bytes, bool *ended, GError **error)
{
  const OdlOwnCode *code = odl_own_code_new (order->name, bytes, order->n_bytes, error);
  g_autoptr (OdlImage) image = code != NULL ? picture (error) : NULL;
  g_autoptr (OdlOperands) operands = odl_operands_new ();
  OdlEngineChoice choice;

  if (image == NULL || !odl_operands_add (operands, "other", image, error)
      || !odl_engine_choice_parse (order->engine, &choice, error))
    return false;
  g_autoptr (OdlGlHeadless) headless = odl_gl_headless_new (error);
  g_autoptr (OdlEngine) engine
      = headless != NULL ? odl_engine_open_choice (choice, error) : NULL;
  const Stage stage = { engine, image, operands };
  g_autoptr (OdlImage) result = engine != NULL ? play (&stage, order, code, error) : NULL;
  *ended = result != NULL && ends_loops (&stage, order, code);
  return result != NULL;
}

int
main (int argc, char **argv)
{
  static char bytes[ODL_OWN_MOST_BYTES];
  OdlRehearsalOrder order;
  g_autoptr (GError) error = NULL;
  bool ended = false;

  if (argc != 1) {
    g_printerr ("ondelette-rehearsal is started by Ondelette; it is of no use alone.\n");
    return 2;
  }
  odl_language_init ();
  limit ();
  if (!receive (&order, bytes))
    return 2;
  g_thread_unref (g_thread_new ("watch", watch, NULL));
  if (run (&order, bytes, &ended, &error))
    answer (ODL_REHEARSAL_DONE, ended, "");
  else
    answer (ODL_REHEARSAL_REFUSED, false, error->message);
  // A driver may not end in order.
  _exit (0);
}
