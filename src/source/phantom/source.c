// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/text.h"
#include "source/phantom/phantom.h"
#include "source/source.h"

typedef struct {
  OdlSource base;
  OdlPhantomParams params;
  OdlPhantom *phantom;
} PhantomSource;

extern const OdlSourceClass odl_phantom_source;

static bool
phantom_probe (const char *location, const uint8_t *head, size_t n_head)
{
  // A file of that name can be opened as ./phantom.
  return g_str_has_prefix (location, "phantom")
         && strchr (":,", location[strlen ("phantom")]) != NULL;
}

static OdlSource *
phantom_open (const char *location, GCancellable *cancellable, GError **error)
{
  OdlPhantomParams params;

  if (!odl_phantom_parse (location, &params, error))
    return NULL;
  OdlPhantom *phantom = odl_phantom_new (&params, error);
  if (phantom == NULL)
    return NULL;

  PhantomSource *self = g_new0 (PhantomSource, 1);
  OdlSourceInfo *info = &self->base.info;
  odl_source_init (&self->base, &odl_phantom_source, location);
  self->params = params;
  self->phantom = phantom;
  g_free (info->name);
  info->name = g_strdup_printf (_ ("phantom %d×%d"), params.width, params.height);
  g_free (info->format);
  info->format = g_strdup (params.clean ? _ ("generated ultrasound, without speckle")
                                        : _ ("generated ultrasound"));
  info->n_frames = ODL_PHANTOM_PERIOD;
  info->declared_frames = ODL_PHANTOM_PERIOD;
  info->frame_rate = params.frame_rate;
  info->live = true;
  odl_source_add_detail (&self->base, "seed", "%u", params.seed);
  odl_source_add_detail (&self->base, "clean", "%s", params.clean ? "yes" : "no");
  return &self->base;
}

static void
phantom_close (OdlSource *source)
{
  odl_phantom_free (((PhantomSource *) source)->phantom);
}

static OdlImage *
phantom_read_frame (OdlSource *source,
                    int64_t index,
                    GCancellable *cancellable,
                    GError **error)
{
  PhantomSource *self = (PhantomSource *) source;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  g_autoptr (OdlImagePool) pool = odl_source_ref_pool (source);
  return odl_phantom_frame (self->phantom, index, self->params.clean, pool, error);
}

static const char *const phantom_examples[]
    = { "phantom:512x512", "phantom:1024x768,seed=3", "phantom:512x512,rate=50",
        "phantom:512x512,clean", NULL };

const OdlSourceClass odl_phantom_source = {
  .name = "phantom",
  .description = N_ ("A generated ultrasound cine with cysts, a moving wall and speckle"),
  .examples = phantom_examples,
  .probe = phantom_probe,
  .open = phantom_open,
  .close = phantom_close,
  .read_frame = phantom_read_frame,
};
