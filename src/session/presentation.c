// SPDX-License-Identifier: MIT
#include "session/presentation.h"

#include <math.h>

// Time for reading a message; then the next source, or the same one again, is tried.
#define NOTICE_US (4 * G_USEC_PER_SEC)

// Time after which a source that has shown nothing is abandoned.
#define OPENING_US (15 * G_USEC_PER_SEC)

// The divider moves across and back in about this time.
#define WIPE_US (10 * G_USEC_PER_SEC)

const char *const odl_presentation_recipes[] = {
  "shrinkage:levels=3",
  "soft-threshold:levels=4",
  "sharpen:amount=1.5",
  NULL,
};

static void
enter (OdlPresentation *show, OdlPresentationState state, int64_t now_us)
{
  show->state = state;
  show->since_us = now_us;
  show->elapsed_us = 0;
}

OdlPresentation
odl_presentation_begin (int n_sources, int n_recipes, double dwell_s, int64_t now_us)
{
  g_assert (n_sources > 0 && n_recipes > 0);

  if (!(dwell_s > 0))
    dwell_s = ODL_PRESENTATION_DWELL_S;
  dwell_s = CLAMP (dwell_s, ODL_PRESENTATION_DWELL_MIN_S, ODL_PRESENTATION_DWELL_MAX_S);
  OdlPresentation show = {
    .n_sources = n_sources,
    .n_recipes = n_recipes,
    .dwell_us = (int64_t) (dwell_s * G_USEC_PER_SEC),
  };
  enter (&show, ODL_PRESENTATION_OPENING, now_us);
  return show;
}

static OdlPresentationMove
open_source (OdlPresentation *show, int source, int64_t now_us)
{
  show->source = source;
  show->recipe = 0;
  show->shown_us = 0;
  enter (show, ODL_PRESENTATION_OPENING, now_us);
  return ODL_PRESENTATION_OPEN;
}

// Time of one recipe.
static double
share_us (const OdlPresentation *show)
{
  return (double) show->dwell_us / show->n_recipes;
}

static OdlPresentationMove
change_recipe (OdlPresentation *show, int recipe)
{
  if (recipe == show->recipe)
    return ODL_PRESENTATION_STAY;
  show->recipe = recipe;
  return ODL_PRESENTATION_CHANGE;
}

static OdlPresentationMove
advance_showing (OdlPresentation *show, int64_t now_us)
{
  if (show->elapsed_us < show->dwell_us)
    return change_recipe (show, MIN ((int) ((double) show->elapsed_us / share_us (show)),
                                     show->n_recipes - 1));
  if (show->n_sources > 1)
    return open_source (show, (show->source + 1) % show->n_sources, now_us);
  // The only source continues to play; the recipes start over.
  show->elapsed_us %= show->dwell_us;
  return change_recipe (show, 0);
}

OdlPresentationMove
odl_presentation_advance (OdlPresentation *show, int64_t now_us)
{
  const int64_t passed_us = MAX (now_us - show->since_us, 0);

  show->since_us = now_us;
  // A missing source is skipped even in a pause, since there is nothing to show.
  if (!show->paused || show->state != ODL_PRESENTATION_SHOWING)
    show->elapsed_us += passed_us;
  switch (show->state) {
  case ODL_PRESENTATION_SHOWING:
    return advance_showing (show, now_us);
  case ODL_PRESENTATION_FAILED:
    if (show->elapsed_us >= NOTICE_US)
      return open_source (show, (show->source + 1) % show->n_sources, now_us);
    return ODL_PRESENTATION_STAY;
  default:
    if (show->elapsed_us >= OPENING_US)
      return open_source (show, (show->source + 1) % show->n_sources, now_us);
    return ODL_PRESENTATION_STAY;
  }
}

void
odl_presentation_shown (OdlPresentation *show, int64_t now_us)
{
  if (show->state != ODL_PRESENTATION_OPENING)
    return;
  enter (show, ODL_PRESENTATION_SHOWING, now_us);
  show->elapsed_us = show->shown_us;
}

void
odl_presentation_hold (OdlPresentation *show, int64_t now_us)
{
  if (show->state == ODL_PRESENTATION_SHOWING)
    show->since_us = now_us;
}

void
odl_presentation_resume (OdlPresentation *show, int64_t now_us)
{
  if (show->state == ODL_PRESENTATION_SHOWING)
    show->shown_us = show->elapsed_us;
  show->paused = false;
  enter (show, ODL_PRESENTATION_OPENING, now_us);
}

void
odl_presentation_failed (OdlPresentation *show, int64_t now_us)
{
  if (show->state == ODL_PRESENTATION_FAILED)
    return;
  if (show->state == ODL_PRESENTATION_SHOWING)
    show->shown_us = show->elapsed_us;
  enter (show, ODL_PRESENTATION_FAILED, now_us);
}

void
odl_presentation_recovered (OdlPresentation *show, int64_t now_us)
{
  if (show->state != ODL_PRESENTATION_FAILED)
    return;
  // A camera that comes and goes does not hold the presentation up.
  const int64_t lost_us = show->paused ? 0 : show->elapsed_us;
  enter (show, ODL_PRESENTATION_SHOWING, now_us);
  show->elapsed_us = show->shown_us + lost_us;
}

OdlPresentationMove
odl_presentation_step (OdlPresentation *show, int sources, int64_t now_us)
{
  const int n = show->n_sources;

  return open_source (show, ((show->source + sources) % n + n) % n, now_us);
}

void
odl_presentation_set_paused (OdlPresentation *show, bool paused, int64_t now_us)
{
  if (!show->paused && show->state == ODL_PRESENTATION_SHOWING)
    show->elapsed_us += MAX (now_us - show->since_us, 0);
  show->since_us = now_us;
  show->paused = paused;
}

double
odl_presentation_wipe (const OdlPresentation *show)
{
  if (show->state != ODL_PRESENTATION_SHOWING)
    return 1;

  const double share = share_us (show);
  const double into = (double) show->elapsed_us - share * show->recipe;
  const double turns = MAX (round (share / WIPE_US), 1);
  return 0.5 + 0.5 * cos (2 * G_PI * turns * into / share);
}
