// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/fourier/spectra.h"

#include <string.h>

#include "base/memory.h"

typedef struct {
  OdlCpuSpectrumKey key; // its image is referenced, its kernel a copy
  float *at;
  size_t floats;
  bool asked; // in this frame
} Spectrum;

struct _OdlCpuSpectra {
  double most, taken; // bytes
  GArray *all; // Spectrum
};

static void
spectrum_clear (void *data)
{
  Spectrum *spectrum = data;

  g_clear_pointer (&spectrum->key.volume.image, odl_image_unref);
  g_free ((float *) spectrum->key.kernel);
  odl_aligned_free (spectrum->at);
}

OdlCpuSpectra *
odl_cpu_spectra_new (double bytes)
{
  OdlCpuSpectra *self = g_new0 (OdlCpuSpectra, 1);

  self->most = bytes;
  self->all = g_array_new (FALSE, TRUE, sizeof (Spectrum));
  g_array_set_clear_func (self->all, spectrum_clear);
  return self;
}

void
odl_cpu_spectra_free (OdlCpuSpectra *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->all);
  g_free (self);
}

void
odl_cpu_spectra_begin (OdlCpuSpectra *self)
{
  for (guint i = self != NULL ? self->all->len : 0; i-- > 0;) {
    Spectrum *spectrum = &g_array_index (self->all, Spectrum, i);
    if (!spectrum->asked) {
      self->taken -= (double) spectrum->floats * sizeof (float);
      g_array_remove_index_fast (self->all, i);
    } else {
      spectrum->asked = false;
    }
  }
}

bool
odl_cpu_spectra_have_room (const OdlCpuSpectra *self, size_t floats)
{
  return self != NULL && self->taken + (double) floats * sizeof (float) <= self->most;
}

static bool
is_of (const Spectrum *spectrum, const OdlCpuSpectrumKey *key, size_t floats)
{
  const OdlCpuSpectrumKey *own = &spectrum->key;

  return spectrum->floats == floats && own->volume.image == key->volume.image
         && own->volume.level == key->volume.level && own->count == key->count
         && memcmp (own->shape, key->shape, sizeof own->shape) == 0
         && (key->kernel == NULL
             || memcmp (own->kernel, key->kernel, key->count * sizeof (float)) == 0);
}

float *
odl_cpu_spectra_take (OdlCpuSpectra *self,
                      const OdlCpuSpectrumKey *key,
                      size_t floats,
                      bool *known)
{
  *known = false;
  if (self == NULL)
    return NULL;
  for (guint i = 0; i < self->all->len; i++) {
    Spectrum *spectrum = &g_array_index (self->all, Spectrum, i);
    if (!is_of (spectrum, key, floats))
      continue;
    spectrum->asked = *known = true;
    return spectrum->at;
  }
  if (!odl_cpu_spectra_have_room (self, floats))
    return NULL;
  Spectrum spectrum = { .key = *key, .floats = floats, .asked = true };
  spectrum.at = odl_aligned_alloc_unset (floats * sizeof (float), true);
  if (spectrum.at == NULL)
    return NULL;
  if (key->volume.image != NULL)
    odl_image_ref (key->volume.image);
  spectrum.key.kernel = g_memdup2 (key->kernel, key->count * sizeof (float));
  g_array_append_val (self->all, spectrum);
  self->taken += (double) floats * sizeof (float);
  return spectrum.at;
}
