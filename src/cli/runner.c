// SPDX-License-Identifier: MIT
#include "config.h"

#include "cli/runner.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/gl/headless.h"

#define GPU_ENGINE "gl-fragment"

struct _OdlRunner {
  bool automatic;
  OdlGlHeadless *headless; // NULL: no GL was needed
  OdlEngine *engine;
};

// On the CPU, the fastest first.
static const char *const cpu_engines[] = { "cpu", "reference" };

static void
close_engine (OdlRunner *runner)
{
  g_clear_pointer (&runner->engine, odl_engine_close);
  g_clear_pointer (&runner->headless, odl_gl_headless_free);
}

static bool
open_engine (OdlRunner *runner, const OdlEngineClass *klass, GError **error)
{
  if (klass->needs_gl) {
    runner->headless = odl_gl_headless_new (error);
    if (runner->headless == NULL)
      return false;
    if (runner->automatic && odl_gl_headless_is_software (runner->headless)) {
      g_set_error_literal (error, ODL_ERROR, ODL_ERROR_GPU,
                           _ ("OpenGL renders in software here."));
      close_engine (runner);
      return false;
    }
  }
  runner->engine = odl_engine_open (klass, error);
  if (runner->engine == NULL)
    close_engine (runner);
  return runner->engine != NULL;
}

// The fastest engine on the CPU that can run `plan`; NULL stands for any plan.
static bool
open_on_cpu (OdlRunner *runner, const OdlPlan *plan, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cpu_engines); i++) {
    const OdlEngineClass *klass = odl_engine_find (cpu_engines[i]);
    if (klass != NULL && (plan == NULL || odl_engine_can_run (klass, plan, NULL)))
      return open_engine (runner, klass, error);
  }
  g_assert_not_reached ();
}

OdlRunner *
odl_runner_new (const char *engine, GError **error)
{
  g_autoptr (OdlRunner) runner = g_new0 (OdlRunner, 1);
  const OdlEngineClass *klass = odl_engine_find (engine);

  runner->automatic = g_str_equal (engine, "auto");
  if (runner->automatic) {
    const OdlEngineClass *gpu = odl_engine_find (GPU_ENGINE);
    if ((gpu == NULL || !open_engine (runner, gpu, NULL))
        && !open_on_cpu (runner, NULL, error))
      return NULL;
  } else if (klass == NULL) {
    g_autoptr (GString) names = g_string_new ("auto");
    for (gsize i = 0; i < odl_engine_count (); i++)
      g_string_append_printf (names, ", %s", odl_engine_at (i)->name);
    g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
                 _ ("“%s” is no engine. There are: %s."), engine, names->str);
    return NULL;
  } else if (!open_engine (runner, klass, error)) {
    g_prefix_error (error, _ ("the engine %s cannot run here: "), klass->name);
    return NULL;
  }
  return g_steal_pointer (&runner);
}

void
odl_runner_free (OdlRunner *runner)
{
  if (runner == NULL)
    return;
  close_engine (runner);
  g_free (runner);
}

const char *
odl_runner_engine (const OdlRunner *runner)
{
  return runner->engine->klass->name;
}

OdlImage *
odl_runner_process (OdlRunner *runner,
                    const OdlRecipe *recipe,
                    OdlImage *input,
                    OdlPlan **plan,
                    char **note,
                    GError **error)
{
  OdlGeometry geometry = odl_geometry_of (input);
  g_autoptr (OdlPlan) made = odl_plan_new (recipe, &geometry, error);
  g_autoptr (GError) cause = NULL;

  *note = NULL;
  if (made == NULL)
    return NULL;

  OdlImage *result = odl_engine_process (runner->engine, made, input, &cause);
  if (result == NULL && runner->automatic
      && (runner->engine->klass->needs_gl
          || g_error_matches (cause, ODL_ERROR, ODL_ERROR_UNSUPPORTED))) {
    close_engine (runner);
    if (open_on_cpu (runner, made, error)) {
      result = odl_engine_process (runner->engine, made, input, error);
      *note = g_strdup_printf (_ ("done by the engine “%s” instead: %s"),
                               runner->engine->klass->name, cause->message);
    }
  } else if (result == NULL) {
    g_propagate_error (error, g_steal_pointer (&cause));
  }
  if (result != NULL)
    *plan = g_steal_pointer (&made);
  return result;
}
