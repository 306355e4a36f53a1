// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/text.h"
#include "source/phantom/beams.h"
#include "source/source.h"

typedef struct {
  OdlSource base;
  OdlBeamPhantomParams params;
  OdlBeamPhantom *phantom;
} BeamSource;

extern const OdlSourceClass odl_beams_source;

static bool
beams_probe (const char *location, const uint8_t *head, size_t n_head)
{
  const char *name = "phantom:beams";

  return g_str_has_prefix (location, name)
         && strchr (":,", location[strlen (name)]) != NULL;
}

static OdlSource *
beams_open (const char *location, GCancellable *cancellable, GError **error)
{
  OdlBeamPhantomParams params;

  if (!odl_beam_phantom_parse (location, &params, error))
    return NULL;
  OdlBeamPhantom *phantom = odl_beam_phantom_new (&params, error);
  if (phantom == NULL)
    return NULL;

  BeamSource *self = g_new0 (BeamSource, 1);
  OdlSourceInfo *info = &self->base.info;
  odl_source_init (&self->base, &odl_beams_source, location);
  self->params = params;
  self->phantom = phantom;
  g_free (info->name);
  // Translators: numbers of beams and of samples along each.
  info->name = g_strdup_printf (_ ("beams %d×%d"), params.beams, params.samples);
  g_free (info->format);
  info->format = g_strdup (_ ("generated echoes, radio frequency"));
  info->n_frames = info->declared_frames = ODL_BEAM_PHANTOM_PERIOD;
  info->frame_rate = params.frame_rate;
  info->live = true;
  odl_source_add_detail (&self->base, "seed", "%u", params.seed);
  odl_source_add_detail (&self->base, "clean", "%s", params.clean ? "yes" : "no");
  return &self->base;
}

static void
beams_close (OdlSource *source)
{
  odl_beam_phantom_free (((BeamSource *) source)->phantom);
}

static OdlImage *
beams_read_frame (OdlSource *source,
                  int64_t index,
                  GCancellable *cancellable,
                  GError **error)
{
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  g_autoptr (OdlImagePool) pool = odl_source_ref_pool (source);
  return odl_beam_phantom_frame (((BeamSource *) source)->phantom, index, pool, error);
}

static const char *const beams_examples[]
    = { "phantom:beams", "phantom:beams:128x2048,array=linear,steering=10",
        "phantom:beams,seed=3,rate=50,attenuation=0.5", "phantom:beams,clean", NULL };

const OdlSourceClass odl_beams_source = {
  .name = "beams",
  .description = N_ ("Generated echoes of an ultrasound probe before they are a picture: "
                     "cysts, points and speckle, in radio frequency"),
  .examples = beams_examples,
  .probe = beams_probe,
  .open = beams_open,
  .close = beams_close,
  .read_frame = beams_read_frame,
};
