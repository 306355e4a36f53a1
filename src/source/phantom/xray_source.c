// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <string.h>

#include "source/phantom/xray.h"
#include "source/source.h"

typedef struct {
  OdlSource base;
  OdlXrayParams params;
} XraySource;

extern const OdlSourceClass odl_xray_source;

static bool
xray_probe (const char *location, const uint8_t *head, size_t n_head)
{
  const char *name = "phantom:xray";

  return g_str_has_prefix (location, name)
         && strchr (":,", location[strlen (name)]) != NULL;
}

static OdlSource *
xray_open (const char *location, GCancellable *cancellable, GError **error)
{
  OdlXrayParams params;

  if (!odl_xray_parse (location, &params, error))
    return NULL;

  XraySource *self = g_new0 (XraySource, 1);
  OdlSourceInfo *info = &self->base.info;
  odl_source_init (&self->base, &odl_xray_source, location);
  self->params = params;
  g_free (info->name);
  info->name = g_strdup_printf (_ ("X-ray phantom %d×%d"), params.width, params.height);
  g_free (info->format);
  info->format = g_strdup (params.truth ? _ ("the bones of a generated radiograph")
                                        : _ ("generated radiograph"));
  info->n_frames = info->declared_frames = 1;
  odl_source_add_detail (&self->base, "seed", "%u", params.seed);
  odl_source_add_detail (&self->base, "clean", "%s", params.clean ? "yes" : "no");
  return &self->base;
}

static void
xray_close (OdlSource *source)
{
  (void) source;
}

static OdlImage *
xray_read_frame (OdlSource *source,
                 int64_t index,
                 GCancellable *cancellable,
                 GError **error)
{
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (index != 0) {
    odl_source_set_no_frame (source, index, error);
    return NULL;
  }
  return odl_xray_image (&((XraySource *) source)->params, error);
}

static const char *const xray_examples[]
    = { "phantom:xray", "phantom:xray:1200x900,monochrome=2,backgrounds=2",
        "phantom:xray:1200x900,bits=16,salt=0.05", "phantom:xray:1200x900,truth", NULL };

const OdlSourceClass odl_xray_source = {
  .name = "xray",
  .description = N_ ("A generated radiograph of a foot: bone, tissue, text, a marker, "
                     "noise; its bones alone with “truth”"),
  .examples = xray_examples,
  .probe = xray_probe,
  .open = xray_open,
  .close = xray_close,
  .read_frame = xray_read_frame,
};
