// SPDX-License-Identifier: MIT
// A length that somebody knows, such as that of a ruler in the picture, as an annotation:
// millimetres follow from it where the file does not say how large its pixels are. Any
// thread.
#pragma once

#include "image/annotation/annotations.h"

// In known_length.c. A line of two points, whose words are its length: "25", "25 mm",
// "2.5 cm", "1,2 m".
extern const OdlAnnotationKind odl_annotation_calibration;

// The length that such words say, in mm, from 0.001 to 100000. False: they say none.
bool odl_calibration_length (const char *words, double *mm);

// Gives `scale`, that of a picture, its millimetres by an annotation, which may be of any
// kind. False: it is no calibration, or the picture's millimetres are those of what is
// seen already, and `scale` is as it was.
bool odl_calibration_apply (const OdlAnnotation *annotation, OdlScale *scale);

// The scale of a picture of frame `frame`: its own, or by the last calibration of that
// frame, else by the last one of any frame of the source; never by annotations of
// pictures of another size.
OdlScale odl_calibrated_scale (const OdlAnnotations *annotations,
                               int64_t frame,
                               const OdlImageInfo *info);
