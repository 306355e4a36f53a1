// SPDX-License-Identifier: MIT
#include "coder/coder.h"

static int
padded_side (const OdlCoderParams *params)
{
  int side = 1;

  while (side < MAX (params->width, params->height))
    side *= 2;
  return side;
}

int
odl_coder_width (const OdlCoderParams *params)
{
  return params->padded ? padded_side (params) : params->width;
}

int
odl_coder_height (const OdlCoderParams *params)
{
  return params->padded ? padded_side (params) : params->height;
}

int
odl_coder_levels (const OdlCoderParams *params)
{
  const int most = odl_max_levels (odl_coder_width (params), odl_coder_height (params));

  return params->levels > 0 ? MIN (params->levels, most) : most;
}
