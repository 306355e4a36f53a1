// SPDX-License-Identifier: MIT
#include "image/annotation/calibration.h"

bool
odl_calibration_apply (const OdlAnnotation *annotation, OdlScale *scale)
{
  const OdlPoint *ends = annotation->points;
  double mm;

  if (annotation->kind != &odl_annotation_calibration || annotation->on.used
      || odl_annotation_is_empty (annotation)
      || (scale->known && scale->place == ODL_SPACING_IN_OBJECT)
      || !odl_calibration_length (annotation->words, &mm))
    return false;
  const double factor = mm / odl_scale_distance (scale, ends[0], ends[1]);
  scale->known = true;
  scale->place = ODL_SPACING_BY_HAND;
  scale->x *= factor;
  scale->y *= factor;
  return true;
}

OdlScale
odl_calibrated_scale (const OdlAnnotations *annotations,
                      int64_t frame,
                      const OdlImageInfo *info)
{
  const OdlScale own = odl_scale_of (info);
  OdlScale scale = own;
  bool is_of_frame = false;

  if (!odl_annotations_fit (annotations, info->extent.x, info->extent.y))
    return own;
  for (int i = 0; i < odl_annotations_count (annotations); i++) {
    const OdlAnnotation *annotation = odl_annotations_at (annotations, i);
    const bool lies_here = odl_annotation_is_on (annotation, frame, NULL);
    OdlScale by_hand = own;
    if ((is_of_frame && !lies_here) || !odl_calibration_apply (annotation, &by_hand))
      continue;
    scale = by_hand;
    is_of_frame = lies_here;
  }
  return scale;
}
