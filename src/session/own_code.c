// SPDX-License-Identifier: MIT
// Code of the user's own in a session: it is tried in a process of its own, in the
// background, before an engine of the session gets it.
#include "session/own_code.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "session/session_private.h"
#include "work/rehearsal.h"

struct _OdlOwnTrial {
  GCancellable *job; // NULL: nothing is tried
  const OdlOwnCode *code; // that is
};

typedef struct {
  const OdlOwnCode *code;
  double values[ODL_OWN_MOST_PARAMETERS];
  bool of_volume;
  char *engine;
} Trial;

OdlOwnTrial *
odl_own_trial_new (void)
{
  return g_new0 (OdlOwnTrial, 1);
}

void
odl_own_trial_free (OdlOwnTrial *trial)
{
  odl_job_cancel (&trial->job);
  g_free (trial);
}

static void
free_trial (void *data)
{
  Trial *trial = data;
  g_free (trial->engine);
  g_free (trial);
}

static void *
work (void *data, GCancellable *cancellable, GError **error)
{
  Trial *trial = data;
  return odl_rehearse_code (trial->code, trial->values, trial->of_volume, trial->engine,
                            error)
             ? (void *) trial->code
             : NULL;
}

static void
leave (void *code)
{
  (void) code;
}

// What failed is passed over: the chain goes on without it.
static void
done (void *owner, void *result, const GError *error, void *data)
{
  OdlSession *self = owner;
  const Trial *trial = data;
  g_clear_object (&self->own_trial->job);
  if (error)
    odl_own_set_state (trial->code, ODL_OWN_FAILED, error->message);
  odl_session_code_changed (self);
}

static const OdlJobClass klass = { work, done, leave, free_trial };

static bool
has_code (const OdlPlan *plan)
{
  for (int i = 0; plan && i < plan->n_steps; i++)
    if (plan->steps[i].code)
      return true;
  return false;
}

// Engines of the processor run Python, which is tried, too.
static bool
has_python (const OdlPlan *plan)
{
  for (int i = 0; plan && i < plan->n_steps; i++)
    if (plan->steps[i].kind == ODL_STEP_PYTHON)
      return true;
  return false;
}

bool
odl_session_has_code (OdlSession *self)
{
  return has_code (self->plan);
}

bool
odl_session_awaits_code (OdlSession *self, OdlEngineChoice choice)
{
  OdlOwnTrial *own = self->own_trial;
  if (!has_code (self->plan) || (!choice.klass->needs_gl && !has_python (self->plan)))
    return false;
  g_autofree char *engine = odl_engine_choice_to_text (choice);
  const OdlStep *step = odl_rehearsal_needed (self->plan, engine);
  if (!step || (own->job && own->code == step->code))
    return step != NULL;
  odl_job_cancel (&own->job);
  Trial *trial = g_new0 (Trial, 1);
  trial->code = own->code = step->code;
  trial->of_volume = step->kind == ODL_STEP_PYTHON && step->rule == 1;
  trial->engine = g_steal_pointer (&engine);
  memcpy (trial->values, step->parameters.values, sizeof trial->values);
  own->job = odl_job_run (G_OBJECT (self), self->gate, &klass, trial);
  return true;
}

// What fails with one picture, after others went well, is passed over from then on.
bool
odl_session_blames_code (OdlSession *self, const GError *error)
{
  bool any = false;
  for (int i = 0; self->plan && i < self->plan->n_steps; i++) {
    const OdlStep *step = &self->plan->steps[i];
    if (step->kind != ODL_STEP_PYTHON
        || !g_str_has_prefix (error->message, step->code->name))
      continue;
    odl_own_set_state (step->code, ODL_OWN_FAILED, error->message);
    any = true;
  }
  if (any)
    odl_session_code_changed (self);
  return any;
}

// Where no engine can run it, the rest of the chain goes on.
bool
odl_session_gives_code_up (OdlSession *self)
{
  bool any = false;
  for (int i = 0; self->plan && i < self->plan->n_steps; i++)
    if (self->plan->steps[i].code) {
      odl_own_set_state (self->plan->steps[i].code, ODL_OWN_FAILED,
                         has_python (self->plan)
                             ? _ ("No engine runs this chain: GLSL needs OpenGL, which "
                                  "Python does without.")
                             : _ ("No engine that works here runs code: it needs "
                                  "OpenGL."));
      any = true;
    }
  return any;
}

void
odl_session_code_changed (OdlSession *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self);
  bool any = false;
  for (int i = 0; i < recipe->n_items; i++)
    any |= recipe->items[i].filter->code != NULL;
  for (int i = 0; self->has_other && i < self->other.recipe.n_items; i++)
    any |= self->other.recipe.items[i].filter->code != NULL;
  if (!any)
    return;
  // The plan is that of the recipe, and of what may run.
  odl_recipe_init (&self->planned);
  g_clear_pointer (&self->other_plan, odl_plan_unref);
  g_object_notify (G_OBJECT (self), "recipe");
  odl_session_mark (self, ODL_MARK_PICTURE);
}

void
odl_session_replace_code (OdlSession *self, const OdlOwnCode *from, const OdlOwnCode *to)
{
  OdlRecipe recipe = *odl_session_recipe (self);
  bool any = false;
  for (int i = 0; i < recipe.n_items; i++)
    if (recipe.items[i].filter->code == from) {
      recipe.items[i] = odl_own_code_take_values (&recipe.items[i], to);
      any = true;
    }
  // Each version that was saved is a step of its own, however soon the next one follows.
  g_autofree char *tag = g_strconcat ("code/", to->hash, NULL);
  if (any)
    odl_session_set_recipe (self, &recipe, tag);
}

// What both have is kept, within the new range.
OdlRecipeItem
odl_own_code_take_values (const OdlRecipeItem *old, const OdlOwnCode *to)
{
  OdlRecipe fresh;
  odl_recipe_init (&fresh);
  odl_recipe_append (&fresh, &to->filter);
  OdlRecipeItem item = fresh.items[0];
  for (size_t p = 0; p < to->filter.n_parameters; p++) {
    const OdlParameter *parameter = &to->filter.parameters[p];
    const OdlParameter *before = odl_filter_parameter (old->filter, parameter->key);
    if (before && before->count == 1 && parameter->count == 1)
      item.values[parameter->offset]
          = odl_parameter_clamp (parameter, old->values[before->offset]);
  }
  item.bypassed = old->bypassed;
  item.at = old->at;
  item.file = to->reads_other ? old->file : NULL;
  return item;
}
