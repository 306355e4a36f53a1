// SPDX-License-Identifier: MIT
#include "image/operands.h"

#include "image/rows.h"

struct _OdlOperands {
  gatomicrefcount ref_count;
  GHashTable *images; // char * -> OdlImage
};

OdlOperands *
odl_operands_new (void)
{
  OdlOperands *operands = g_new0 (OdlOperands, 1);

  g_atomic_ref_count_init (&operands->ref_count);
  operands->images = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                            (GDestroyNotify) odl_image_unref);
  return operands;
}

OdlOperands *
odl_operands_copy (const OdlOperands *operands)
{
  OdlOperands *copy = odl_operands_new ();
  GHashTableIter iter;
  void *file, *image;

  if (operands == NULL)
    return copy;
  g_hash_table_iter_init (&iter, operands->images);
  while (g_hash_table_iter_next (&iter, &file, &image))
    g_hash_table_replace (copy->images, g_strdup (file), odl_image_ref (image));
  return copy;
}

OdlOperands *
odl_operands_ref (OdlOperands *operands)
{
  g_return_val_if_fail (operands != NULL, NULL);
  g_atomic_ref_count_inc (&operands->ref_count);
  return operands;
}

void
odl_operands_unref (OdlOperands *operands)
{
  if (operands == NULL || !g_atomic_ref_count_dec (&operands->ref_count))
    return;
  g_hash_table_unref (operands->images);
  g_free (operands);
}

static OdlImage *
without_alpha (OdlImage *image, GError **error)
{
  OdlImageInfo info = *odl_image_info (image);

  info.channels = 3;
  OdlImage *colours = odl_image_wrap (&info, (GDestroyNotify) odl_image_unref,
                                      odl_image_ref (image), error);
  if (colours == NULL)
    odl_image_unref (image);
  return colours;
}

bool
odl_operands_add (OdlOperands *operands,
                  const char *file,
                  OdlImage *image,
                  GError **error)
{
  g_return_val_if_fail (operands != NULL && file != NULL && image != NULL, false);

  const OdlImageInfo *info = odl_image_info (image);
  OdlImage *kept = info->ycbcr.used      ? odl_image_to_scaled (image, error)
                   : info->channels == 4 ? without_alpha (image, error)
                                         : odl_image_ref (image);
  if (kept == NULL)
    return false;
  g_hash_table_replace (operands->images, g_strdup (file), kept);
  return true;
}

OdlImage *
odl_operands_find (const OdlOperands *operands, const char *file)
{
  g_return_val_if_fail (file != NULL, NULL);
  return operands != NULL ? g_hash_table_lookup (operands->images, file) : NULL;
}

bool
odl_operands_some_rows (const OdlOperands *operands,
                        int height,
                        int from,
                        int to,
                        int tail,
                        OdlOperands **rows,
                        GError **error)
{
  g_autoptr (OdlOperands) cut = NULL;
  GHashTableIter iter;
  void *file, *image;

  *rows = NULL;
  if (operands == NULL)
    return true;
  cut = odl_operands_new ();
  g_hash_table_iter_init (&iter, operands->images);
  while (g_hash_table_iter_next (&iter, &file, &image)) {
    g_autoptr (OdlImage) some = odl_image_info (image)->extent.y != height
                                    ? odl_image_ref (image)
                                    : odl_image_some_rows (image, from, to, tail, error);
    if (some == NULL || !odl_operands_add (cut, file, some, error))
      return false;
  }
  *rows = g_steal_pointer (&cut);
  return true;
}
