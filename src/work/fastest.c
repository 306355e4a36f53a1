// SPDX-License-Identifier: MIT
#include "work/fastest.h"

#include "engine/choice_cache.h"
#include "engine/choice_measure.h"
#include "engine/gl/platform/headless.h"

// A frame that took longer counts as measured.
#define LONG_FRAME_NS ((int64_t) 200000000)

static bool
can_run (OdlEngineChoice choice, void *plan)
{
  return odl_engine_can_run (choice.klass, plan, NULL);
}

// The name of the card; NULL where there is none, or OpenGL is drawn by the CPU, which
// then is as fast without. Transfer full.
static char *
find_card (void)
{
  g_autoptr (OdlGlHeadless) headless = odl_gl_headless_new (NULL);

  if (headless == NULL || odl_gl_headless_is_software (headless))
    return NULL;
  return g_strdup (odl_gl_headless_gpu (headless));
}

static void
count_own_frame (OdlRanking *ranking, const OdlEngineClass *own, int64_t own_ns)
{
  for (int i = 0; i < ranking->n && own_ns >= LONG_FRAME_NS; i++) {
    const OdlCandidate *candidate = &ranking->candidates[i];
    if (candidate->choice.klass == own && candidate->choice.variant == NULL
        && candidate->state == ODL_CANDIDATE_UNMEASURED)
      odl_ranking_set_measured (ranking, i, (double) own_ns * 1e-6);
  }
}

OdlEngineChoice
odl_fastest_engine (const OdlPlan *plan,
                    OdlImage *image,
                    const OdlEngineClass *own,
                    int64_t own_ns)
{
  g_autofree char *path = odl_choice_cache_path ();
  g_autofree char *card = find_card ();

  if (card == NULL)
    return (OdlEngineChoice){ NULL, NULL };
  g_autofree char *key = odl_choice_key (plan, ODL_TARGET_MEMORY, card);
  g_autoptr (OdlRanking) ranking = odl_choice_cache_load (path, key);
  OdlChoiceMeasure params = { .plan = plan,
                              .image = image,
                              .target = ODL_TARGET_MEMORY,
                              .gpu = card,
                              .cache_path = path };
  if (ranking == NULL)
    ranking = odl_ranking_new (key);
  if (!odl_ranking_is_complete (ranking)) {
    count_own_frame (ranking, own, own_ns);
    odl_choice_measure (ranking, &params);
    odl_choice_cache_save (path, ranking, NULL);
  }
  return odl_choice_pick (ranking, can_run, (void *) plan);
}
