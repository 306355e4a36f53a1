// SPDX-License-Identifier: MIT
#include "widgets/transport/rate_meter.h"

#include <string.h>

#define INTERVAL_US (G_USEC_PER_SEC / 2)

bool
odl_rate_meter_take (OdlRateMeter *meter, int64_t now_us, guint64 count)
{
  if (meter->n_marks > 0 && count < meter->counts[meter->n_marks - 1])
    *meter = (OdlRateMeter){ 0 };
  const int last = meter->n_marks - 1;
  if (last >= 0 && now_us - meter->at_us[last] < INTERVAL_US)
    return false;
  if (last >= 0)
    meter->per_second = (double) (count - meter->counts[0]) * G_USEC_PER_SEC
                        / (double) (now_us - meter->at_us[0]);
  if (meter->n_marks == ODL_RATE_MARKS) {
    meter->n_marks--;
    memmove (meter->at_us, meter->at_us + 1, sizeof meter->at_us[0] * meter->n_marks);
    memmove (meter->counts, meter->counts + 1, sizeof meter->counts[0] * meter->n_marks);
  }
  meter->at_us[meter->n_marks] = now_us;
  meter->counts[meter->n_marks++] = count;
  return last >= 0;
}
