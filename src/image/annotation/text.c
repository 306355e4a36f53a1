// SPDX-License-Identifier: MIT
// Words on a picture, and marks that are a letter or a number: which side of the body it
// is, and which of several places is meant. They have one point, and measure nothing.
#include "base/text.h"
#include "image/annotation/annotation.h"

const OdlAnnotationKind odl_annotation_text = {
  .name = "text",
  .title = N_ ("Text"),
  .hint = N_ ("Text: click where it begins, then type it; a double click changes it."),
  .numbers = "X,Y,WORDS",
  .n_points = 1,
  .n_placed = 1,
  .origin = ODL_WORDS_TYPED,
};

const OdlAnnotationKind odl_annotation_right = {
  .name = "right",
  .title = N_ ("Marker R"),
  .hint = N_ ("Marker R: click where the letter for the patient’s right side is to be."),
  .numbers = "X,Y",
  .n_points = 1,
  .n_placed = 1,
  .origin = ODL_WORDS_FIXED,
  .words = "R",
};

const OdlAnnotationKind odl_annotation_left = {
  .name = "left",
  .title = N_ ("Marker L"),
  .hint = N_ ("Marker L: click where the letter for the patient’s left side is to be."),
  .numbers = "X,Y",
  .n_points = 1,
  .n_placed = 1,
  .origin = ODL_WORDS_FIXED,
  .words = "L",
};

const OdlAnnotationKind odl_annotation_number = {
  .name = "number",
  .title = N_ ("Numbered marker"),
  .hint = N_ ("Numbered marker: click on one place after the other; a double click "
              "changes a number."),
  .numbers = "X,Y,NUMBER",
  .n_points = 1,
  .n_placed = 1,
  .origin = ODL_WORDS_COUNTED,
};

const OdlAnnotationKind odl_annotation_key = {
  .name = "key",
  .title = N_ ("Key picture"),
};
