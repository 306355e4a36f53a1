// SPDX-License-Identifier: MIT
#include "filter/presets.h"

#include <glib.h>

#include "base/text.h"

static const OdlPreset presets[] = {
  {
      .name = "bone",
      .label = N_ ("Bone in X-Rays"),
      .description = N_ ("Removes noise and writing, finds what bone is, and shows the "
                         "original inside its contours; M. Brotherton (2011)."),
      .text = "median:size=19 trough-threshold:bins=256,share=0.1 sobel contours mask",
  },
  {
      .name = "painting",
      .label = N_ ("Texture of a Painting"),
      .description = N_ ("Puts the larger details of the picture and of one that you "
                         "choose together, in the picture's colours; T. Wong et al. "
                         "(2007)."),
      .text = "stylise:wavelet=cdf97,levels=5,rule=maximum colour=luma",
  },
  {
      .name = "even-gain",
      .label = N_ ("Even Gain in Ultrasound"),
      .description = N_ ("Divides the picture by its low band, so that all depths are "
                         "equally bright; T. Wong et al. (2007)."),
      .text = "decouple:wavelet=cdf97,levels=6,illumination=0.2,texture=1,"
              "brightness=0.3,least=0.03 colour=luma",
  },
  {
      .name = "caricature",
      .label = N_ ("Caricature of a Surface"),
      .description = N_ ("Makes the features of a grid of control points larger and "
                         "leaves its shape; T. Wong et al. (2007)."),
      .text = "scale-bands:wavelet=cdf97,levels=4,gains=1/1/2/1.5",
  },
};

size_t
odl_preset_count (void)
{
  return G_N_ELEMENTS (presets);
}

const OdlPreset *
odl_preset_at (size_t index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (presets), NULL);
  return &presets[index];
}

const OdlPreset *
odl_preset_find (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (presets); i++)
    if (g_ascii_strcasecmp (presets[i].name, name) == 0)
      return &presets[i];
  return NULL;
}
