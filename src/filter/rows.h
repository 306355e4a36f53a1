// SPDX-License-Identifier: MIT
// What rows of filters and their parameters are written with.
#pragma once

#include "base/text.h"
#include "filter/filter.h"

// Fields of a parameter with one value.
#define NUMBER(name, title, of, least, most, by) \
  .key = (name), .label = (title), .unit = (of), .kind = ODL_PARAMETER_NUMBER, \
  .minimum = (least), .maximum = (most), .step = (by), .count = 1
#define INTEGER(name, title, of, least, most) \
  .key = (name), .label = (title), .unit = (of), .kind = ODL_PARAMETER_INTEGER, \
  .minimum = (least), .maximum = (most), .step = 1, .count = 1
#define CHOICE(name, title, of, names) \
  .key = (name), .label = (title), .unit = (of), .kind = ODL_PARAMETER_CHOICE, \
  .maximum = G_N_ELEMENTS (names) - 2, .step = 1, .choices = (names), .count = 1

#define PARAMETERS(table) .parameters = (table), .n_parameters = G_N_ELEMENTS (table)
