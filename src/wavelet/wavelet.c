// SPDX-License-Identifier: MIT
#include "wavelet/wavelet.h"

#include <glib.h>
#include <math.h>

// CDF 9/7: Acharya and Tsai, JPEG2000 Standard for Image Compression, p. 150, in the (1,
// 2) normalisation; the last digits are those of JPEG 2000's lifting steps multiplied
// out. The interleaved synthesis kernels take the taps of the synthesis low-pass at even
// distances from a low sample and those of the synthesis high-pass at odd ones.
#define H0 0.6029490182363584
#define H1 0.2668641184428755
#define H2 -0.0782232665289913
#define H3 -0.0168641184428748
#define H4 0.0267487574108099
#define G0 1.1150870524570013
#define G1 -0.5912717631142518
#define G2 -0.0575435262284998
#define G3 0.0912717631142495

#define SYMMETRIC_BORDERS (1u << ODL_BORDER_WHOLE_SAMPLE | 1u << ODL_BORDER_PERIODIC)

static const OdlWavelet wavelets[] = {
  {
      .name = "cdf97",
      .label = "CDF 9/7",
      .aliases = (const char *const[]){ "9/7", "97", "bior4.4", NULL },
      .analysis_low = { -4, 9, { H4, H3, H2, H1, H0, H1, H2, H3, H4 } },
      .analysis_high = { -3, 7, { G3, G2, G1, G0, G1, G2, G3 } },
      .synthesis_even = { -3, 7, { -H3, G2, -H1, G0, -H1, G2, -H3 } },
      .synthesis_odd = { -4, 9, { H4, -G3, H2, -G1, H0, -G1, H2, -G3, H4 } },
      .lifting = { 4,
                   { -1.586134342059924, -0.052980118572961, 0.882911075530934,
                     0.443506852043971 },
                   1 / 1.230174104914001,
                   1.230174104914001 },
      .borders = SYMMETRIC_BORDERS,
      .border = ODL_BORDER_WHOLE_SAMPLE,
      .vanishing_moments = 4,
      .l2_low = 0.721261,
      .l2_high = 1.402108,
  },
  {
      .name = "cdf53",
      .label = "CDF 5/3",
      .aliases = (const char *const[]){ "5/3", "53", "legall", "bior2.2", NULL },
      .analysis_low = { -2, 5, { -0.125, 0.25, 0.75, 0.25, -0.125 } },
      .analysis_high = { -1, 3, { -0.5, 1, -0.5 } },
      .synthesis_even = { -1, 3, { -0.25, 1, -0.25 } },
      .synthesis_odd = { -2, 5, { -0.125, 0.5, 0.75, 0.5, -0.125 } },
      .lifting = { 2, { -0.5, 0.25 }, 1, 1 },
      .borders = SYMMETRIC_BORDERS,
      .border = ODL_BORDER_WHOLE_SAMPLE,
      .vanishing_moments = 2,
      .l2_low = 0.847791,
      .l2_high = 1.224745,
  },
  {
      .name = "int53",
      .label = "CDF 5/3 integer",
      .aliases = (const char *const[]){ "5/3i", NULL },
      .analysis_low = { -2, 5, { -0.125, 0.25, 0.75, 0.25, -0.125 } },
      .analysis_high = { -1, 3, { -0.5, 1, -0.5 } },
      .synthesis_even = { -1, 3, { -0.25, 1, -0.25 } },
      .synthesis_odd = { -2, 5, { -0.125, 0.5, 0.75, 0.5, -0.125 } },
      .lifting = { 2, { -0.5, 0.25 }, 1, 1 },
      .reversible = true,
      .borders = 1u << ODL_BORDER_WHOLE_SAMPLE,
      .border = ODL_BORDER_WHOLE_SAMPLE,
      .vanishing_moments = 2,
      .l2_low = 0.847791,
      .l2_high = 1.224745,
  },
  {
      .name = "haar",
      .label = "Haar",
      .aliases = (const char *const[]){ "db1", "bior1.1", NULL },
      .analysis_low = { 0, 2, { 0.5, 0.5 } },
      .analysis_high = { -1, 2, { -1, 1 } },
      .synthesis_even = { 0, 2, { 1, -0.5 } },
      .synthesis_odd = { -1, 2, { 1, 0.5 } },
      .borders = 1u << ODL_BORDER_PERIODIC | 1u << ODL_BORDER_ZERO,
      .border = ODL_BORDER_PERIODIC,
      .vanishing_moments = 1,
      .l2_low = 0.707107,
      .l2_high = 1.414214,
  },
};

size_t
odl_wavelet_count (void)
{
  return G_N_ELEMENTS (wavelets);
}

const OdlWavelet *
odl_wavelet_at (size_t index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (wavelets), NULL);
  return &wavelets[index];
}

const OdlWavelet *
odl_wavelet_find (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (wavelets); i++) {
    if (g_ascii_strcasecmp (wavelets[i].name, name) == 0)
      return &wavelets[i];
    for (const char *const *alias = wavelets[i].aliases; *alias != NULL; alias++)
      if (g_ascii_strcasecmp (*alias, name) == 0)
        return &wavelets[i];
  }
  return NULL;
}

double
odl_wavelet_round (double x)
{
  return copysign (floor (fabs (x) + ODL_WAVELET_ROUND), x);
}
