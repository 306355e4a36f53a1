// SPDX-License-Identifier: MIT
#include "engine/choice.h"

#include "config.h"
#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "base/machine.h"
#include "base/parallel.h"

// Engines that start quickly come first, since the time for measuring is short.
const char *const odl_choice_candidates[] = {
  "cpu", "gl-compute", "gl-fragment", "gl-fragment:quads", "gl-lookup", NULL,
};

// Used without a measurement, and when the measured engines cannot be used: with a card,
// and where OpenGL is drawn by the CPU.
static const char *const rules[][2] = { { "gl-fragment", "cpu" }, { "cpu", NULL } };
static const char *const last_resort = "reference";

bool
odl_engine_choice_equal (OdlEngineChoice a, OdlEngineChoice b)
{
  return a.klass == b.klass && g_strcmp0 (a.variant, b.variant) == 0;
}

// ---- the request ---------------------------------------------------------------------

static bool
read_request (const char *text, OdlEngineChoice *choice, GError **error)
{
  *choice = (OdlEngineChoice){ NULL, NULL };
  g_autoptr (GError) cause = NULL;
  if (g_str_equal (text, ODL_ENGINE_AUTO)
      || odl_engine_choice_parse (text, choice, &cause))
    return true;
  // Translators: a sentence that says which engines there are, and one more word.
  return odl_error_set (error, ODL_ERROR_USAGE, _ ("%s; or auto"), cause->message);
}

static bool
says_something (const char *text)
{
  return text != NULL && *text != '\0';
}

bool
odl_engine_request (const char *option,
                    const char *setting,
                    OdlEngineRequest *request,
                    GError **error)
{
  const char *variable = g_getenv (ODL_ENGINE_VARIABLE);

  *request = (OdlEngineRequest){ .origin = ODL_REQUEST_AUTO };
  if (says_something (option)) {
    request->origin = ODL_REQUEST_OPTION;
    return read_request (option, &request->choice, error);
  }
  if (says_something (variable)) {
    request->origin = ODL_REQUEST_ENVIRONMENT;
    if (read_request (variable, &request->choice, error))
      return true;
    g_prefix_error (error, "%s: ", ODL_ENGINE_VARIABLE);
    return false;
  }
  if (says_something (setting) && read_request (setting, &request->choice, NULL))
    request->origin = ODL_REQUEST_SETTING;
  return true;
}

// ---- the ranking ---------------------------------------------------------------------

OdlRanking *
odl_ranking_new (const char *key)
{
  OdlRanking *ranking = g_new0 (OdlRanking, 1);

  ranking->key = g_strdup (key);
  ranking->candidates = g_new0 (OdlCandidate, G_N_ELEMENTS (odl_choice_candidates));
  for (int i = 0; odl_choice_candidates[i] != NULL; i++) {
    OdlEngineChoice *choice = &ranking->candidates[ranking->n].choice;
    if (odl_engine_choice_parse (odl_choice_candidates[i], choice, NULL))
      ranking->n++;
  }
  return ranking;
}

OdlRanking *
odl_ranking_copy (const OdlRanking *ranking)
{
  OdlRanking *copy = g_memdup2 (ranking, sizeof *ranking);

  copy->key = g_strdup (ranking->key);
  copy->candidates
      = g_memdup2 (ranking->candidates, ranking->n * sizeof *ranking->candidates);
  for (int i = 0; i < copy->n; i++)
    copy->candidates[i].reason = g_strdup (ranking->candidates[i].reason);
  return copy;
}

void
odl_ranking_free (OdlRanking *ranking)
{
  if (ranking == NULL)
    return;
  for (int i = 0; i < ranking->n; i++)
    g_free (ranking->candidates[i].reason);
  g_free (ranking->candidates);
  g_free (ranking->key);
  g_free (ranking);
}

OdlCandidate *
odl_ranking_find (const OdlRanking *ranking, OdlEngineChoice choice)
{
  for (int i = 0; i < ranking->n; i++)
    if (odl_engine_choice_equal (ranking->candidates[i].choice, choice))
      return &ranking->candidates[i];
  return NULL;
}

void
odl_ranking_set_measured (OdlRanking *ranking, int index, double ms)
{
  g_return_if_fail (index >= 0 && index < ranking->n);

  OdlCandidate *candidate = &ranking->candidates[index];
  g_clear_pointer (&candidate->reason, g_free);
  candidate->state = ODL_CANDIDATE_MEASURED;
  candidate->ms = ms;
}

static void
set_unmeasured (OdlRanking *ranking,
                int index,
                OdlCandidateState state,
                const char *reason)
{
  g_return_if_fail (index >= 0 && index < ranking->n);

  OdlCandidate *candidate = &ranking->candidates[index];
  g_free (candidate->reason);
  candidate->reason = g_strdup (reason);
  candidate->state = state;
  candidate->ms = 0;
}

void
odl_ranking_set_failed (OdlRanking *ranking, int index, const char *reason)
{
  set_unmeasured (ranking, index, ODL_CANDIDATE_FAILED, reason);
}

void
odl_ranking_set_out_of_reach (OdlRanking *ranking, int index, const char *reason)
{
  set_unmeasured (ranking, index, ODL_CANDIDATE_OUT_OF_REACH, reason);
}

bool
odl_ranking_is_complete (const OdlRanking *ranking)
{
  for (int i = 0; i < ranking->n; i++)
    if (ranking->candidates[i].state == ODL_CANDIDATE_UNMEASURED)
      return false;
  return true;
}

// ---- picking -------------------------------------------------------------------------

// True if `a` is preferred to `b`; both are measured.
static bool
is_better (const OdlRanking *ranking, const OdlCandidate *a, const OdlCandidate *b)
{
  if (ranking->software && a->choice.klass->needs_gl != b->choice.klass->needs_gl)
    return b->choice.klass->needs_gl;
  return a->ms < b->ms;
}

static bool
is_comparable (const OdlRanking *ranking, OdlChoiceUsable usable, void *data)
{
  for (int i = 0; i < ranking->n; i++)
    if (ranking->candidates[i].state == ODL_CANDIDATE_OUT_OF_REACH
        && usable (ranking->candidates[i].choice, data))
      return false;
  return true;
}

static const OdlCandidate *
fastest (const OdlRanking *ranking, OdlChoiceUsable usable, void *data)
{
  const OdlCandidate *best = NULL;

  for (int i = 0; i < ranking->n; i++) {
    const OdlCandidate *candidate = &ranking->candidates[i];
    if (candidate->state == ODL_CANDIDATE_MEASURED
        && (best == NULL || is_better (ranking, candidate, best))
        && usable (candidate->choice, data))
      best = candidate;
  }
  return best;
}

static bool
has_failed (const OdlRanking *ranking, OdlEngineChoice choice)
{
  const OdlCandidate *candidate
      = ranking != NULL ? odl_ranking_find (ranking, choice) : NULL;

  return candidate != NULL && candidate->state == ODL_CANDIDATE_FAILED;
}

static bool
try_name (const char *name,
          const OdlRanking *ranking,
          OdlChoiceUsable usable,
          void *data,
          OdlEngineChoice *choice)
{
  return odl_engine_choice_parse (name, choice, NULL) && !has_failed (ranking, *choice)
         && usable (*choice, data);
}

OdlEngineChoice
odl_choice_pick (const OdlRanking *ranking, OdlChoiceUsable usable, void *data)
{
  const bool compared = ranking != NULL && is_comparable (ranking, usable, data);
  const OdlCandidate *best = compared ? fastest (ranking, usable, data) : NULL;
  const char *const *rule = rules[ranking != NULL && ranking->software];
  OdlEngineChoice choice = { NULL, NULL };

  if (best != NULL)
    return best->choice;
  for (size_t i = 0; i < G_N_ELEMENTS (rules[0]) && rule[i] != NULL; i++)
    if (try_name (rule[i], ranking, usable, data, &choice))
      return choice;
  for (int i = 0; odl_choice_candidates[i] != NULL; i++)
    if (try_name (odl_choice_candidates[i], ranking, usable, data, &choice))
      return choice;
  if (try_name (last_resort, ranking, usable, data, &choice))
    return choice;
  return (OdlEngineChoice){ NULL, NULL };
}

// ---- the key -------------------------------------------------------------------------

// Kinds of work whose fastest engines differ.
typedef enum {
  WORK_LIFTING = 1 << 0,
  WORK_FILTER_BANK = 1 << 1,
  WORK_INTEGER = 1 << 2,
  WORK_SPATIAL = 1 << 3,
  WORK_LUMA = 1 << 4,
  WORK_LAYOUT = 1 << 5,
  WORK_OTHER_BORDER = 1 << 6, // than the mirrored one
  WORK_TEMPORAL = 1 << 7,
  WORK_STATIONARY = 1 << 8,
  WORK_MEASURE = 1 << 9,
  WORK_DUAL_TREE = 1 << 10,
  WORK_BLOCKS = 1 << 11,
  WORK_TENSOR = 1 << 12,
  WORK_BANDS = 1 << 13,
  WORK_RESAMPLE = 1 << 14,
} Work;

static const char *const work_names[]
    = { "lifting",   "filter-bank", "integer",  "spatial",    "luma",
        "layout",    "border",      "temporal", "stationary", "measure",
        "dual-tree", "blocks",      "tensor",   "bands",      "resample" };

// A class that is added does not compile until it is here.
#pragma GCC diagnostic error "-Wswitch"

static unsigned
work_of_step (const OdlStep *step)
{
  switch (odl_step_class (step)) {
  case ODL_STEP_CLASS_TRANSFORM:
    return (step->wavelet->reversible          ? WORK_INTEGER
            : step->wavelet->lifting.count > 0 ? WORK_LIFTING
                                               : WORK_FILTER_BANK)
           | (step->border != ODL_BORDER_WHOLE_SAMPLE ? WORK_OTHER_BORDER : 0);
  case ODL_STEP_CLASS_SPATIAL:
    return step->wavelet != NULL ? WORK_STATIONARY : WORK_SPATIAL;
  case ODL_STEP_CLASS_DUAL_TREE:
    return WORK_DUAL_TREE;
  case ODL_STEP_CLASS_BLOCKS:
    return WORK_BLOCKS;
  case ODL_STEP_CLASS_TENSOR:
    return WORK_TENSOR;
  case ODL_STEP_CLASS_BANDS:
    return WORK_BANDS;
  case ODL_STEP_CLASS_RESAMPLE:
    return WORK_RESAMPLE;
  case ODL_STEP_CLASS_COLOUR:
    return WORK_LUMA;
  case ODL_STEP_CLASS_TIME:
    return WORK_TEMPORAL;
  case ODL_STEP_CLASS_MEASURE:
    return WORK_MEASURE;
  case ODL_STEP_CLASS_COEFFICIENTS: // LAYOUT alone is no part of a transform
    return step->kind == ODL_STEP_LAYOUT ? WORK_LAYOUT : 0;
  case ODL_STEP_CLASS_SOURCE:
    return 0;
  }
  return 0;
}

static char *
work_text (const OdlPlan *plan)
{
  g_autoptr (GString) text = g_string_new (NULL);
  unsigned work = 0;

  for (int i = 0; i < plan->n_steps; i++)
    work |= work_of_step (&plan->steps[i]);
  for (size_t i = 0; i < G_N_ELEMENTS (work_names); i++)
    if (work & 1u << i)
      g_string_append_printf (text, "%s%s", text->len > 0 ? "+" : "", work_names[i]);
  // The cost of windows depends strongly on their size.
  for (int i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].side > 0)
      g_string_append_printf (text, "+%s%d", odl_step_row (plan->steps[i].kind)->name,
                              plan->steps[i].side);
  return g_strdup (text->str);
}

// Number of half powers of two: 512 is 18, 600 is 18, 724 is 19.
static int
side_class (int side)
{
  return (int) lround (2 * log2 (MAX (side, 1)));
}

char *
odl_choice_key (const OdlPlan *plan, OdlChoiceTarget target, const char *gpu)
{
  static const char *const targets[] = { "canvas", "memory" };
  g_autofree char *work = work_text (plan);

  return g_strdup_printf (
      "%s, %d threads; %s; %s; %s; %d×%d half powers, %d channels, %d bits, %d bit; %s",
      odl_machine_cpu (), odl_parallel_threads (), gpu != NULL ? gpu : "", ODL_VERSION,
      targets[target], side_class (plan->geometry.width),
      side_class (plan->geometry.height), plan->geometry.channels, plan->geometry.bits,
      plan->precision, work);
}

bool
odl_choice_is_worth_measuring (const OdlPlan *plan)
{
  return plan->n_steps > 1 && plan->geometry.depth <= 1;
}
