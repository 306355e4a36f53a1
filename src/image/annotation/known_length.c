// SPDX-License-Identifier: MIT
// A line whose length is known, by which a picture is calibrated.
#include <string.h>

#include "base/text.h"
#include "image/annotation/calibration.h"

#define LEAST_MM 1e-3
#define MOST_MM 1e5

bool
odl_calibration_length (const char *words, double *mm)
{
  static const struct {
    const char *name;
    double mm;
  } units[] = { { "mm", 1 }, { "cm", 10 }, { "m", 1000 }, { "µm", 1e-3 }, { "", 1 } };
  g_autofree char *text = g_strstrip (g_strdup (words));
  const size_t n = strspn (text, "0123456789.,+-eE");
  g_autofree char *number = g_strndup (text, n);
  const char *unit = text + n;
  double value;

  unit += strspn (unit, " ");
  // The decimal sign of some languages.
  g_strdelimit (number, ",", '.');
  if (!odl_number_from_text (number, &value))
    return false;
  for (size_t i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (units[i].name, unit) == 0) {
      *mm = value * units[i].mm;
      return *mm >= LEAST_MM && *mm <= MOST_MM;
    }
  return false;
}

static bool
says_length (const OdlAnnotation *annotation)
{
  double mm;

  return odl_calibration_length (annotation->words, &mm);
}

const OdlAnnotationKind odl_annotation_calibration = {
  .name = "calibration",
  .title = N_ ("Calibrate by a known length"),
  .hint = N_ ("Calibrate: drag along a length that is known, such as a ruler in the "
              "picture, then type it (25 mm)."),
  .numbers = "X1,Y1,X2,Y2,LENGTH",
  .n_points = 2,
  .n_placed = 2,
  .origin = ODL_WORDS_TYPED,
  .has_sense = says_length,
};
