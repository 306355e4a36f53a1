// SPDX-License-Identifier: MIT
// Which engine computes the frame: the one asked for, while it can; else the best that is
// known; and what happens when one fails.
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/choice_cache.h"
#include "engine/prices.h"
#include "session/render/chooser.h"
#include "session/session_private.h"

// Frames that an engine with GL needs longer for are not the canvas's: nothing else could
// be painted or answered meanwhile.
#define CANVAS_MS 150

// An engine that failed.
typedef struct {
  OdlEngineChoice choice;
  bool whole_engine; // all its variants fail
  bool in_canvas; // an engine with GL in the canvas's context, else in the renderer's
  OdlPlan *plan; // only for plans of this structure; NULL: for all plans
  char *message;
} Failure;

static void
failure_clear (void *data)
{
  Failure *failure = data;
  g_clear_pointer (&failure->plan, odl_plan_unref);
  g_clear_pointer (&failure->message, g_free);
}

struct _OdlEngineSelector {
  OdlEngineRequest request;
  char *name; // of the request
  GArray *failures; // Failure
  char *fallback_reason; // why another engine is used; NULL: the requested one is used
  char *told_fallback_reason;
  OdlChooser *chooser;
  char *gpu; // GPU of the canvas; "" for none
  OdlRanking *last_ranking; // the last that a measurement could decide; NULL: none yet
};

bool
odl_session_runs_in_canvas (OdlSession *self, OdlEngineChoice choice)
{
  if (!choice.klass->needs_gl || odl_session_uses_volume (self)
      || (self->plan && self->plan->pixel_mm > 0))
    return false;
  const OdlRanking *known = odl_session_ranking (self);
  const OdlCandidate *candidate = known ? odl_ranking_find (known, choice) : NULL;
  return !candidate || candidate->state != ODL_CANDIDATE_MEASURED
         || candidate->ms <= CANVAS_MS;
}

static const Failure *
find_failure (OdlSession *self, OdlEngineChoice choice)
{
  for (guint i = 0; i < self->engines->failures->len; i++) {
    const Failure *failure = &g_array_index (self->engines->failures, Failure, i);
    bool same = failure->whole_engine ? failure->choice.klass == choice.klass
                                      : odl_engine_choice_equal (failure->choice, choice);
    if (choice.klass->needs_gl
        && failure->in_canvas != odl_session_runs_in_canvas (self, choice))
      continue;
    if (same && (!failure->plan || odl_plan_same_structure (failure->plan, self->plan)))
      return failure;
  }
  return NULL;
}

// An engine that lacks a feature or memory for this plan may suit the next one; one that
// failed otherwise is not tried again until the user requests it.
static void
add_failure (OdlSession *self, OdlEngineChoice choice, const GError *error)
{
  bool depends_on_plan = g_error_matches (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED)
                         || g_error_matches (error, ODL_ERROR, ODL_ERROR_TOO_LARGE);
  Failure failure = {
    .choice = choice,
    .in_canvas = odl_session_runs_in_canvas (self, choice),
    .whole_engine = !depends_on_plan || !choice.variant,
    .plan = depends_on_plan ? odl_plan_ref (self->plan) : NULL,
    .message = g_strdup (error->message),
  };
  g_array_append_val (self->engines->failures, failure);
}

// Why the choice cannot be used now; NULL if it can. Transfer full.
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
  // The renderer runs them on volumes, in a context of its own. No measurement says how
  // long that takes, so they are never chosen automatically, and no reason is shown.
  // Nor does the canvas know of beams that become a picture of another size.
  if (odl_session_uses_volume (self) || self->plan->pixel_mm > 0)
    return asked ? NULL : g_strdup ("");
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
             ? odl_chooser_look_up (self->engines->chooser, self->plan,
                                    self->engines->gpu)
             : self->engines->last_ranking;
}

// A picture without filters gives no reason to change: the choice for the last plan
// stays.
static OdlEngineChoice
pick (OdlSession *self)
{
  const OdlRanking *known = ranking (self);
  bool same = known == self->engines->last_ranking
              || (known && self->engines->last_ranking
                  && known->measured_at == self->engines->last_ranking->measured_at
                  && g_str_equal (known->key, self->engines->last_ranking->key));
  if (!same) {
    odl_ranking_free (self->engines->last_ranking);
    self->engines->last_ranking = odl_ranking_copy (known);
  }
  return odl_choice_pick (self->engines->last_ranking, is_usable, self);
}

static void
set_fallback (OdlSession *self, const char *reason)
{
  g_autofree char *old = self->engines->fallback_reason;
  self->engines->fallback_reason = g_strdup (reason);
}

OdlEngineChoice
odl_session_choose_engine (OdlSession *self)
{
  OdlEngineChoice asked = self->engines->request.choice;
  if (!asked.klass) {
    set_fallback (self, NULL);
    return pick (self);
  }
  g_autofree char *reason = why_not (self, asked, true);
  set_fallback (self, reason);
  if (!reason)
    return asked;
  // Another variant of the same engine is closest to the request.
  OdlEngineChoice plain = { asked.klass, NULL };
  g_autofree char *plain_reason = why_not (self, plain, true);
  return asked.variant && !plain_reason ? plain : pick (self);
}

void
odl_session_tell_fallback (OdlSession *self, OdlEngineChoice taken)
{
  if (!self->engines->fallback_reason) {
    g_clear_pointer (&self->engines->told_fallback_reason, g_free);
    return;
  }
  if (g_strcmp0 (self->engines->fallback_reason, self->engines->told_fallback_reason)
      == 0)
    return;
  g_free (self->engines->told_fallback_reason);
  self->engines->told_fallback_reason = g_strdup (self->engines->fallback_reason);
  g_autofree char *asked = odl_engine_choice_to_text (self->engines->request.choice);
  g_autofree char *next = odl_engine_choice_to_text (taken);
  // Translators: the names of two engines, and why the first does not work.
  g_autofree char *text = g_strdup_printf (_ ("%2$s works in place of %1$s: %3$s"), asked,
                                           next, self->engines->fallback_reason);
  odl_session_say (self, text);
}

void
odl_session_engine_failed (OdlSession *self, OdlEngineChoice failed, const GError *error)
{
  // The same frame may be painted again, and fail again, before the next engine's frame
  // arrives.
  if (!self->plan || find_failure (self, failed))
    return;
  add_failure (self, failed, error);
  if (!self->image)
    return;
  bool asked = odl_engine_choice_equal (failed, self->engines->request.choice);
  OdlEngineChoice next = odl_session_choose_engine (self);
  g_autofree char *name = odl_engine_choice_to_text (failed);
  g_autofree char *next_name = next.klass ? odl_engine_choice_to_text (next) : NULL;
  g_autofree char *text
      = next_name
            ? g_strdup_printf (_ ("The engine %s failed, %s takes over: %s"), name,
                               next_name, error->message)
            : g_strdup_printf (_ ("The engine %s failed: %s"), name, error->message);
  if (asked) {
    g_free (self->engines->told_fallback_reason);
    self->engines->told_fallback_reason = g_strdup (self->engines->fallback_reason);
  }
  odl_session_say (self, text);
  if (next.klass)
    odl_session_render (self);
}

// ---- measuring -----------------------------------------------------------------------

void
odl_session_want_measured (OdlSession *self)
{
  if (!self->engines->request.choice.klass && odl_choice_is_worth_measuring (self->plan))
    odl_chooser_measure (self->engines->chooser, self->plan, self->image,
                         self->engines->gpu, false);
}

void
odl_session_want_prices (OdlSession *self)
{
  if (self->playing)
    odl_chooser_stop_pricing (self->engines->chooser);
  else if (self->prices_matter && self->frame && self->frame->plan == self->plan
           && !self->ran.variant && self->ran.klass
           && self->ran.klass == odl_engine_find ("gl-compute"))
    odl_chooser_price (self->engines->chooser, self->engines->gpu);
}

bool
odl_session_measure_engines (OdlSession *self)
{
  if (!self->plan || !self->image || !odl_choice_is_worth_measuring (self->plan))
    return false;
  odl_chooser_measure (self->engines->chooser, self->plan, self->image,
                       self->engines->gpu, true);
  return true;
}

bool
odl_session_is_measuring (OdlSession *self)
{
  return odl_chooser_is_measuring (self->engines->chooser);
}

const OdlRanking *
odl_session_ranking (OdlSession *self)
{
  return self->plan && odl_choice_is_worth_measuring (self->plan) ? ranking (self) : NULL;
}

static void
measured_cb (void *data)
{
  OdlSession *self = data;
  g_signal_emit_by_name (self, "choice-changed");
  if (!self->image || !self->plan || self->engines->request.choice.klass || !self->frame)
    return;
  OdlEngineChoice best = odl_session_choose_engine (self);
  OdlEngineChoice now = { self->frame->engine, self->frame->variant };
  if (best.klass && !odl_engine_choice_equal (best, now))
    odl_session_render (self);
  else if (!odl_chooser_is_measuring (self->engines->chooser))
    odl_session_want_measured (self);
}

// ---- requests ------------------------------------------------------------------------

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
  self->engines->request.origin = request->origin;
  if (odl_engine_choice_equal (request->choice, self->engines->request.choice))
    return;
  self->engines->request = *request;
  g_free (self->engines->name);
  self->engines->name = request->choice.klass
                            ? odl_engine_choice_to_text (request->choice)
                            : g_strdup (ODL_ENGINE_AUTO);
  // Requesting a failed engine again retries it.
  g_array_set_size (self->engines->failures, 0);
  g_object_notify (G_OBJECT (self), "engine");
  odl_session_render (self);
}

const OdlEngineRequest *
odl_session_engine_request (OdlSession *self)
{
  return &self->engines->request;
}

const char *
odl_session_engine (OdlSession *self)
{
  return self->engines->name;
}

const char *
odl_session_fallback_reason (OdlSession *self)
{
  return self->engines->fallback_reason;
}

void
odl_session_set_gpu (OdlSession *self, const char *gpu)
{
  if (g_strcmp0 (self->engines->gpu, gpu) == 0)
    return;
  g_free (self->engines->gpu);
  self->engines->gpu = g_strdup (gpu);
}

// ---- life ----------------------------------------------------------------------------

void
odl_session_stop_measuring (OdlSession *self)
{
  g_clear_pointer (&self->engines->chooser, odl_chooser_free);
}

OdlEngineSelector *
odl_engine_selector_new (OdlSession *session)
{
  OdlEngineSelector *self = g_new0 (OdlEngineSelector, 1);
  g_autofree char *cache = odl_choice_cache_path ();
  self->name = g_strdup (ODL_ENGINE_AUTO);
  self->request.origin = ODL_REQUEST_AUTO;
  self->failures = g_array_new (FALSE, TRUE, sizeof (Failure));
  g_array_set_clear_func (self->failures, failure_clear);
  self->gpu = g_strdup ("");
  self->chooser = odl_chooser_new (cache, measured_cb, session);
  return self;
}

void
odl_engine_selector_free (OdlEngineSelector *self)
{
  g_free (self->name);
  g_free (self->fallback_reason);
  g_free (self->told_fallback_reason);
  g_free (self->gpu);
  g_array_unref (self->failures);
  odl_ranking_free (self->last_ranking);
  g_free (self);
}
