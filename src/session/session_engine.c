// SPDX-License-Identifier: MIT
// Which engine computes the frame: the one asked for, while it can; else the best that is
// known; and what happens when one fails.
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "config.h"
#include "session/session_private.h"

// An engine that failed.
typedef struct {
  OdlEngineChoice choice;
  bool whole_engine; // its other variants are no better
  OdlPlan *plan; // only for plans of this structure; NULL: whatever the plan
  char *message;
} Failure;

static void
failure_clear (void *data)
{
  Failure *failure = data;
  g_clear_pointer (&failure->plan, odl_plan_unref);
  g_clear_pointer (&failure->message, g_free);
}

GArray *
odl_failures_new (void)
{
  GArray *failures = g_array_new (FALSE, TRUE, sizeof (Failure));
  g_array_set_clear_func (failures, failure_clear);
  return failures;
}

static const Failure *
find_failure (OdlSession *self, OdlEngineChoice choice)
{
  for (guint i = 0; i < self->failures->len; i++) {
    const Failure *failure = &g_array_index (self->failures, Failure, i);
    bool same = failure->whole_engine ? failure->choice.klass == choice.klass
                                      : odl_engine_choice_equal (failure->choice, choice);
    if (same && (!failure->plan || odl_plan_same_structure (failure->plan, self->plan)))
      return failure;
  }
  return NULL;
}

// What a plan asks of an engine, or memory, may be there for the next plan; what broke is
// not tried again until the user asks for it.
static void
add_failure (OdlSession *self, OdlEngineChoice choice, const GError *error)
{
  bool depends_on_plan = g_error_matches (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED)
                         || g_error_matches (error, ODL_ERROR, ODL_ERROR_TOO_LARGE);
  Failure failure = {
    .choice = choice,
    .whole_engine = !depends_on_plan || !choice.variant,
    .plan = depends_on_plan ? odl_plan_ref (self->plan) : NULL,
    .message = g_strdup (error->message),
  };
  g_array_append_val (self->failures, failure);
}

// Why the choice is out of question now; NULL when it is not. Transfer full.
static char *
why_not (OdlSession *self, OdlEngineChoice choice, bool asked)
{
  const Failure *failure = find_failure (self, choice);
  g_autoptr (GError) error = NULL;
  if (failure)
    return g_strdup (failure->message);
  if (!odl_engine_can_run (choice.klass, self->plan, &error))
    return g_strdup (error->message);
  if (!choice.klass->needs_gl)
    return NULL;
  if (odl_session_uses_volume (self))
    return g_strdup (_ ("volumes are filtered by the processor"));
  const OdlGeometry *geometry = &self->plan->geometry;
  if (self->gl_level == ODL_GL_NONE)
    return g_strdup (_ ("there is no OpenGL here"));
  if (MAX (geometry->width, geometry->height) > self->gl_max_side)
    return g_strdup (_ ("the picture is larger than OpenGL can hold here"));
  if (!asked && self->gl_level < ODL_GL_HARDWARE)
    return g_strdup (_ ("OpenGL renders in software here."));
  return NULL;
}

static bool
is_usable (OdlEngineChoice choice, void *data)
{
  g_autofree char *reason = why_not (data, choice, false);
  return reason == NULL;
}

static const OdlRanking *
ranking (OdlSession *self)
{
  return self->plan && odl_choice_is_worth_measuring (self->plan)
             ? odl_chooser_look_up (self->chooser, self->plan, self->gpu)
             : self->last_ranking;
}

// A picture without filters tells nothing: what was best for the last work stays.
static OdlEngineChoice
pick (OdlSession *self)
{
  const OdlRanking *known = ranking (self);
  bool same = known == self->last_ranking
              || (known && self->last_ranking
                  && known->measured_at == self->last_ranking->measured_at
                  && g_str_equal (known->key, self->last_ranking->key));
  if (!same) {
    odl_ranking_free (self->last_ranking);
    self->last_ranking = odl_ranking_copy (known);
  }
  return odl_choice_pick (self->last_ranking, is_usable, self);
}

static void
set_fallback (OdlSession *self, const char *reason)
{
  g_autofree char *old = self->fallback_reason;
  self->fallback_reason = g_strdup (reason);
}

OdlEngineChoice
odl_session_choose_engine (OdlSession *self)
{
  OdlEngineChoice asked = self->request.choice;
  if (!asked.klass) {
    set_fallback (self, NULL);
    return pick (self);
  }
  g_autofree char *reason = why_not (self, asked, true);
  set_fallback (self, reason);
  if (!reason)
    return asked;
  // The same engine in another way is nearest to what was asked for.
  OdlEngineChoice plain = { asked.klass, NULL };
  g_autofree char *plain_reason = why_not (self, plain, true);
  return asked.variant && !plain_reason ? plain : pick (self);
}

void
odl_session_tell_fallback (OdlSession *self, OdlEngineChoice taken)
{
  if (!self->fallback_reason) {
    g_clear_pointer (&self->told_fallback_reason, g_free);
    return;
  }
  if (g_strcmp0 (self->fallback_reason, self->told_fallback_reason) == 0)
    return;
  g_free (self->told_fallback_reason);
  self->told_fallback_reason = g_strdup (self->fallback_reason);
  g_autofree char *asked = odl_engine_choice_to_text (self->request.choice);
  g_autofree char *next = odl_engine_choice_to_text (taken);
  // Translators: the names of two engines, and why the first does not work.
  g_autofree char *text = g_strdup_printf (_ ("%2$s works in place of %1$s: %3$s"), asked,
                                           next, self->fallback_reason);
  odl_session_say (self, text);
}

void
odl_session_engine_failed (OdlSession *self, OdlEngineChoice failed, const GError *error)
{
  // A frame may be painted, and fail, again before the next engine's is there.
  if (!self->plan || find_failure (self, failed))
    return;
  add_failure (self, failed, error);
  if (!self->image)
    return;
  bool asked = odl_engine_choice_equal (failed, self->request.choice);
  OdlEngineChoice next = odl_session_choose_engine (self);
  g_autofree char *name = odl_engine_choice_to_text (failed);
  g_autofree char *next_name = next.klass ? odl_engine_choice_to_text (next) : NULL;
  g_autofree char *text
      = next_name
            ? g_strdup_printf (_ ("The engine %s failed, %s takes over: %s"), name,
                               next_name, error->message)
            : g_strdup_printf (_ ("The engine %s failed: %s"), name, error->message);
  if (asked) {
    g_free (self->told_fallback_reason);
    self->told_fallback_reason = g_strdup (self->fallback_reason);
  }
  odl_session_say (self, text);
  if (next.klass)
    odl_session_render (self);
}

// ---- measuring -----------------------------------------------------------------------

void
odl_session_want_measured (OdlSession *self)
{
  if (!self->request.choice.klass && odl_choice_is_worth_measuring (self->plan))
    odl_chooser_measure (self->chooser, self->plan, self->image, self->gpu, false);
}

bool
odl_session_measure_engines (OdlSession *self)
{
  if (!self->plan || !self->image || !odl_choice_is_worth_measuring (self->plan))
    return false;
  odl_chooser_measure (self->chooser, self->plan, self->image, self->gpu, true);
  return true;
}

bool
odl_session_is_measuring (OdlSession *self)
{
  return odl_chooser_is_measuring (self->chooser);
}

const OdlRanking *
odl_session_ranking (OdlSession *self)
{
  return self->plan && odl_choice_is_worth_measuring (self->plan) ? ranking (self) : NULL;
}

void
odl_session_measured (void *data)
{
  OdlSession *self = data;
  g_signal_emit_by_name (self, "choice-changed");
  if (!self->image || !self->plan || self->request.choice.klass || !self->frame)
    return;
  OdlEngineChoice best = odl_session_choose_engine (self);
  OdlEngineChoice now = { self->frame->engine, self->frame->variant };
  if (best.klass && !odl_engine_choice_equal (best, now))
    odl_session_render (self);
  else if (!odl_chooser_is_measuring (self->chooser))
    odl_session_want_measured (self);
}

// ---- requests
// --------------------------------------------------------------------------

void
odl_session_set_engine (OdlSession *self, const char *name)
{
  OdlEngineRequest request = { .origin = ODL_REQUEST_OPTION };
  if (!name || !odl_engine_choice_parse (name, &request.choice, NULL))
    request.choice = (OdlEngineChoice){ NULL, NULL };
  odl_session_set_engine_request (self, &request);
}

void
odl_session_set_engine_request (OdlSession *self, const OdlEngineRequest *request)
{
  self->request.origin = request->origin;
  if (odl_engine_choice_equal (request->choice, self->request.choice))
    return;
  self->request = *request;
  g_free (self->engine_name);
  self->engine_name = request->choice.klass ? odl_engine_choice_to_text (request->choice)
                                            : g_strdup (ODL_ENGINE_AUTO);
  // Asking again is how a user retries an engine that failed.
  g_array_set_size (self->failures, 0);
  g_object_notify (G_OBJECT (self), "engine");
  odl_session_render (self);
}

const OdlEngineRequest *
odl_session_engine_request (OdlSession *self)
{
  return &self->request;
}

const char *
odl_session_engine (OdlSession *self)
{
  return self->engine_name;
}

const char *
odl_session_fallback_reason (OdlSession *self)
{
  return self->fallback_reason;
}

void
odl_session_set_gpu (OdlSession *self, const char *gpu)
{
  if (g_strcmp0 (self->gpu, gpu) == 0)
    return;
  g_free (self->gpu);
  self->gpu = g_strdup (gpu);
}
