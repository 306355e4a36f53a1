// SPDX-License-Identifier: MIT
#include "session/player/pace.h"

int64_t
odl_pace_painted (OdlPace *pace, int64_t ready_us, int64_t painted_us)
{
  const int64_t wait_us = MAX (painted_us - ready_us, 0);

  if (pace->n_frames == 0)
    *pace = (OdlPace){ .since_us = painted_us, .least_us = wait_us };
  pace->least_us = MIN (pace->least_us, wait_us);
  pace->n_frames++;
  if (pace->n_frames < ODL_PACE_PERIOD_FRAMES
      || painted_us - pace->since_us < ODL_PACE_PERIOD_US)
    return 0;
  const int64_t least_us = pace->least_us;
  *pace = (OdlPace){ 0 };
  return least_us > ODL_PACE_TOLERATED_US ? least_us - ODL_PACE_MARGIN_US : 0;
}
