// SPDX-License-Identifier: MIT
#include "work/derived.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>

#include "base/error.h"
#include "source/dicom/derived.h"

static bool
refuse (const char *const *words, OdlDerivedHindrance hindrance, GError **error)
{
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED, "%s", _ (words[hindrance]));
}

GArray *
odl_derived_blanks (const OdlDerivedChoice *choice,
                    const char *const *words,
                    OdlImage *image,
                    GError **error)
{
  g_autoptr (GArray) blanks = g_array_new (FALSE, FALSE, sizeof (OdlBlank));

  g_array_append_vals (blanks, choice->blanks, (guint) choice->n_blanks);
  if (choice->blank_outside && !odl_blank_add_outside (odl_image_info (image), blanks))
    refuse (words, ODL_DERIVED_NO_REGIONS, error);
  else if (choice->blank_outside_sector && !odl_blank_add_outside_sector (image, blanks))
    refuse (words, ODL_DERIVED_NO_SECTOR, error);
  else
    return g_steal_pointer (&blanks);
  return NULL;
}

bool
odl_derived_file_suits (const OdlDerivedFileParams *params,
                        const GArray *blanks,
                        const OdlPlan *plan,
                        const OdlRows *result,
                        GError **error)
{
  const OdlImageInfo *source = odl_image_info (params->image);

  if (plan->details.levels > 0)
    return refuse (params->words, ODL_DERIVED_COEFFICIENTS, error);
  if (odl_image_info (result->image)->extent.x != source->extent.x
      || result->height != source->extent.y)
    return refuse (params->words, ODL_DERIVED_SIZE, error);
  // Of luma and chroma nothing is made black before the filters.
  return !source->ycbcr.used || blanks->len == 0
         || odl_recipe_is_identity (params->recipe)
         || refuse (params->words, ODL_DERIVED_LUMA, error);
}

static bool
samples_of (const OdlDerivedFileParams *params, OdlDicomSamples *samples, GError **error)
{
  const char *bits = odl_source_detail (params->source, "bits-stored");

  return odl_derived_is_possible (params->source, error)
         && odl_dicom_samples_of (params->image, bits != NULL ? atoi (bits) : 0, samples,
                                  error);
}

static void
fill (OdlDerivedOrder *order,
      const OdlDerivedFileParams *params,
      int channels,
      const OdlDicomSamples *samples,
      bool blanked)
{
  static const OdlDerivedCompression compressions[] = {
    [ODL_DICOM_PLAIN] = ODL_DERIVED_PLAIN,
    [ODL_DICOM_RLE] = ODL_DERIVED_RLE,
    [ODL_DICOM_JPEG_2000] = ODL_DERIVED_JPEG_2000,
  };
  const OdlDerivedChoice *choice = params->choice;
  // Names of second pictures may be those of persons.
  const OdlRecipe told = odl_recipe_with_files_as (params->recipe, "FILE");
  g_autofree char *line = odl_recipe_to_text (&told, " ");
  g_autofree char *text = odl_recipe_to_text (&told, "\n");
  const OdlDerivedWork work = { .picture = odl_image_info (params->image),
                                .window = params->window,
                                .compression = compressions[choice->compression],
                                .channels = channels,
                                .bits = samples->bits,
                                .is_signed = samples->is_signed,
                                .first_frame = params->first,
                                .n_frames = params->n_frames,
                                .has_filters = !odl_recipe_is_identity (params->recipe),
                                .filters = line,
                                .recipe = text,
                                .in_area = choice->in_area,
                                .engine = params->engine,
                                .deidentify = choice->deidentify,
                                .days = choice->days,
                                .blanked = blanked,
                                .secret = choice->secret };

  odl_derived_order_fill (order, &work);
}

OdlDicomFile *
odl_derived_file_open (const OdlDerivedFileParams *params,
                       const GArray *blanks,
                       const OdlPlan *plan,
                       const OdlRows *result,
                       OdlOutputGuard *guard,
                       const char *path,
                       bool replace,
                       GError **error)
{
  const OdlImageInfo *info = odl_image_info (params->image);
  g_auto (OdlDerivedOrder) order = { 0 };
  OdlDicomParams file = {
    .width = info->extent.x,
    .height = info->extent.y,
    .channels = odl_image_info (result->image)->channels,
    .n_frames = params->n_frames,
    .compression = params->choice->compression,
    .inverse = info->value_map.inverse,
    .blanks = (const OdlBlank *) blanks->data,
    .n_blanks = blanks->len,
  };

  if (!odl_derived_file_suits (params, blanks, plan, result, error)
      || !samples_of (params, &file.samples, error))
    return NULL;
  fill (&order, params, file.channels, &file.samples, blanks->len > 0);
  g_autoptr (GBytes) header = odl_derived_begin (params->source, &order.params, error);
  if (header == NULL)
    return NULL;
  file.header = header;
  return odl_dicom_file_new (guard, path, &file, replace, error);
}

OdlDerivedReport *
odl_derived_file_report (const OdlDerivedFileParams *params,
                         const GArray *blanks,
                         int channels,
                         GError **error)
{
  g_auto (OdlDerivedOrder) order = { 0 };
  OdlDicomSamples samples;

  if (!samples_of (params, &samples, error))
    return NULL;
  fill (&order, params, channels, &samples, blanks->len > 0);
  return odl_derived_report (params->source, &order.params, error);
}

OdlDerivedChoice *
odl_derived_choice_copy (const OdlDerivedChoice *choice)
{
  OdlDerivedChoice *copy = g_memdup2 (choice, sizeof *choice);

  copy->blanks = g_memdup2 (choice->blanks, choice->n_blanks * sizeof *choice->blanks);
  return copy;
}
