// SPDX-License-Identifier: MIT
// An arrow, which points at something and measures nothing.
#include "base/text.h"
#include "image/annotation/annotation.h"

const OdlAnnotationKind odl_annotation_arrow = {
  .name = "arrow",
  .title = N_ ("Arrow"),
  .hint = N_ ("Arrow: drag from its end to what it points at."),
  .numbers = "X1,Y1,X2,Y2",
  .n_points = 2,
  .n_placed = 2,
  .pointed = true,
};
