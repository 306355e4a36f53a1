// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>

#include "source/phantom/volume.h"
#include "source/source.h"

typedef struct {
  OdlSource base;
  OdlVolumePhantom phantom;
} VolumeSource;

extern const OdlSourceClass odl_volume_phantom_source;

static bool
volume_probe (const char *location, const uint8_t *head, size_t n_head)
{
  return odl_volume_phantom_is (location);
}

// The volume lies about the origin, x to the left, y to the back, z to the head.
static void
describe_place (OdlSource *source, const OdlVolumePhantom *phantom)
{
  const double *mm = phantom->spacing_mm;

  odl_source_add_detail (
      source, "image-position", "%.9g\\%.9g\\%.9g", -0.5 * mm[0] * (phantom->size[0] - 1),
      -0.5 * mm[0] * (phantom->size[1] - 1), -0.5 * mm[1] * (phantom->size[2] - 1));
  odl_source_add_detail (source, "image-orientation", "%s", "1\\0\\0\\0\\1\\0");
  odl_source_add_detail (source, "slice-step", "0\\0\\%.9g", mm[1]);
}

static OdlSource *
volume_open (const char *location, GCancellable *cancellable, GError **error)
{
  OdlVolumePhantom phantom;

  if (!odl_volume_phantom_parse (location, &phantom, error))
    return NULL;
  VolumeSource *self = g_new0 (VolumeSource, 1);
  OdlSourceInfo *info = &self->base.info;
  odl_source_init (&self->base, &odl_volume_phantom_source, location);
  self->phantom = phantom;
  g_free (info->name);
  info->name = phantom.times > 1
                   ? g_strdup_printf (_ ("phantom %d×%d×%d, %d times"), phantom.size[0],
                                      phantom.size[1], phantom.size[2], phantom.times)
                   : g_strdup_printf (_ ("phantom %d×%d×%d"), phantom.size[0],
                                      phantom.size[1], phantom.size[2]);
  g_free (info->format);
  info->format = g_strdup (phantom.clean ? _ ("generated volumes, without noise")
                                         : _ ("generated volumes"));
  info->n_slices = phantom.size[2];
  info->n_frames = info->declared_frames = phantom.size[2] * phantom.times;
  describe_place (&self->base, &phantom);
  if (phantom.times > 1)
    odl_source_add_detail (&self->base, "volume-interval-s", "%.9g", 1 / phantom.rate);
  odl_source_add_detail (&self->base, "seed", "%u", phantom.seed);
  odl_source_add_detail (&self->base, "clean", "%s", phantom.clean ? "yes" : "no");
  return &self->base;
}

static void
volume_close (OdlSource *source)
{
  (void) source;
}

static OdlImage *
volume_read_frame (OdlSource *source,
                   int64_t index,
                   GCancellable *cancellable,
                   GError **error)
{
  const OdlVolumePhantom *phantom = &((VolumeSource *) source)->phantom;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (index < 0 || index >= source->info.n_frames) {
    odl_source_set_no_frame (source, index, error);
    return NULL;
  }
  return odl_volume_phantom_slice (phantom, (int) (index / phantom->size[2]),
                                   (int) (index % phantom->size[2]), error);
}

static const char *const volume_examples[]
    = { "phantom:128x128x96", "phantom:128x128x96x20", "phantom:128x128x96x20,clean",
        "phantom:128x128x96x20,noise=gaussian,sigma=0.1", NULL };

const OdlSourceClass odl_volume_phantom_source = {
  .name = "volume-phantom",
  .description = N_ ("Generated volumes over time: a beating ellipsoid and cysts, with "
                     "speckle or Gaussian noise"),
  .examples = volume_examples,
  .probe = volume_probe,
  .open = volume_open,
  .close = volume_close,
  .read_frame = volume_read_frame,
};
