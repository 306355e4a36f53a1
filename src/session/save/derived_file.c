// SPDX-License-Identifier: MIT
#include "session/save/derived_file.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>

#include "base/error.h"
#include "source/dicom/derived_order.h"

GArray *
odl_derived_blanks (const OdlDerivedChoice *choice,
                    const OdlImageInfo *info,
                    GError **error)
{
  g_autoptr (GArray) blanks = g_array_new (FALSE, FALSE, sizeof (OdlBlank));

  g_array_append_vals (blanks, choice->blanks, (guint) choice->n_blanks);
  if (!choice->blank_outside || odl_blank_add_outside (info, blanks))
    return g_steal_pointer (&blanks);
  return odl_error_null (error, ODL_ERROR_UNSUPPORTED,
                         _ ("It does not say which parts of it are ultrasound, so that "
                            "nothing lies outside them. Draw rectangles."));
}

static bool
suits (const OdlImageInfo *source,
       const OdlDerivedFileParams *params,
       const GArray *blanks,
       const OdlPlan *plan,
       const OdlImageInfo *result,
       GError **error)
{
  if (plan->details.levels > 0)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("DICOM files hold pictures, not coefficients. Choose PNG or "
                            "TIFF, or view the result."));
  else if (result->extent.x != source->extent.x || result->extent.y != source->extent.y)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("The result has another size than the picture, so that its "
                            "distances and places would be wrong. Save it as .tif."));
  // Filters would spread what is to be hidden: of luma and chroma nothing is made black
  // before.
  else if (source->ycbcr.used && blanks->len > 0
           && !odl_recipe_is_identity (params->recipe))
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("It is a video, of which parts cannot be made black while "
                            "filters are used. Do one after the other."));
  else
    return true;
  return false;
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
  const OdlDerivedChoice *choice = params->choice;
  // Names of second pictures may be those of persons.
  const OdlRecipe told = odl_recipe_with_files_as (params->recipe, "FILE");
  g_autofree char *line = odl_recipe_to_text (&told, " ");
  g_autofree char *text = odl_recipe_to_text (&told, "\n");
  const OdlDerivedWork work = { .picture = odl_image_info (params->image),
                                .window = params->window,
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
                       const OdlPlan *plan,
                       const OdlImage *result,
                       const char *path,
                       bool replace,
                       GError **error)
{
  const OdlImageInfo *info = odl_image_info (params->image);
  g_auto (OdlDerivedOrder) order = { 0 };
  OdlDicomParams file = {
    .width = info->extent.x,
    .height = info->extent.y,
    .channels = odl_image_info (result)->channels,
    .n_frames = params->n_frames,
    .inverse = info->value_map.inverse,
  };

  g_autoptr (GArray) blanks = odl_derived_blanks (params->choice, info, error);
  if (blanks == NULL
      || !suits (info, params, blanks, plan, odl_image_info (result), error)
      || !samples_of (params, &file.samples, error))
    return NULL;
  file.blanks = (const OdlBlank *) blanks->data;
  file.n_blanks = blanks->len;
  fill (&order, params, file.channels, &file.samples, blanks->len > 0);
  g_autoptr (GBytes) header = odl_derived_begin (params->source, &order.params, error);
  if (header == NULL)
    return NULL;
  file.header = header;
  return odl_dicom_file_new (NULL, path, &file, replace, error);
}

OdlDerivedReport *
odl_derived_file_report (const OdlDerivedFileParams *params, GError **error)
{
  g_auto (OdlDerivedOrder) order = { 0 };
  OdlDicomSamples samples;

  if (!samples_of (params, &samples, error))
    return NULL;
  g_autoptr (GArray) blanks
      = odl_derived_blanks (params->choice, odl_image_info (params->image), error);
  if (blanks == NULL)
    return NULL;
  fill (&order, params, odl_image_info (params->image)->channels, &samples,
        blanks->len > 0);
  return odl_derived_report (params->source, &order.params, error);
}

OdlDerivedChoice *
odl_derived_choice_copy (const OdlDerivedChoice *choice)
{
  OdlDerivedChoice *copy = g_memdup2 (choice, sizeof *choice);

  copy->blanks = g_memdup2 (choice->blanks, choice->n_blanks * sizeof *choice->blanks);
  return copy;
}
