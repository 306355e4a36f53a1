// SPDX-License-Identifier: MIT
#include "session/render/engine_pair.h"

#include "engine/choice.h"

static bool
fits (const OdlEnginePair *pair, const OdlFrame *frame)
{
  for (int i = 0; i < 2; i++)
    if (pair->engines[i]
        && !odl_engine_choice_equal (
            (OdlEngineChoice){ frame->engine, frame->variant },
            (OdlEngineChoice){ pair->engines[i]->klass, pair->variant }))
      return false;
  return true;
}

static bool
knows (const OdlEngine *engine, OdlMoment moment)
{
  return engine && moment.take != 0 && engine->last.take == moment.take;
}

OdlEngine *
odl_engine_pair_take (OdlEnginePair *pair, const OdlFrame *frame, GError **error)
{
  if (!fits (pair, frame))
    odl_engine_pair_clear (pair);
  const int other = 1 - pair->shown;
  if (odl_plan_frames (frame->plan) == 1)
    g_clear_pointer (&pair->engines[other], odl_engine_close);
  if (!frame->lead_in && knows (pair->engines[other], frame->moment))
    pair->shown = other;
  OdlEngine **engine = &pair->engines[frame->lead_in ? 1 - pair->shown : pair->shown];
  if (!*engine)
    *engine = odl_engine_open_choice ((OdlEngineChoice){ frame->engine, frame->variant },
                                      error);
  if (!*engine)
    return NULL;
  pair->variant = frame->variant;
  (*engine)->moment = frame->moment;
  return *engine;
}

OdlEngine *
odl_engine_pair_shown (const OdlEnginePair *pair)
{
  return pair->engines[pair->shown];
}

void
odl_engine_pair_clear (OdlEnginePair *pair)
{
  for (int i = 0; i < 2; i++)
    g_clear_pointer (&pair->engines[i], odl_engine_close);
  *pair = (OdlEnginePair){ 0 };
}
