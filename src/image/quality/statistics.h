// SPDX-License-Identifier: MIT
// What a region holds before and after the filters, and how well it stands out from
// another one, as rows for people and for tables. Any thread.
#pragma once

#include "image/compare.h"
#include "image/quality/regions.h"

typedef enum {
  ODL_STATISTIC_REGION,
  ODL_STATISTIC_BACKGROUND,
  ODL_STATISTIC_BOTH, // between the two
  ODL_STATISTIC_REFERENCE, // of the whole picture, against a reference
  ODL_N_STATISTIC_GROUPS,
} OdlStatisticGroup;

typedef struct {
  OdlStatisticGroup group;
  const char *name; // in tables: "cnr"
  const char *label; // for people, translated
  const char *formula; // likewise; "": none is needed
  const char *unit; // the same in all languages; "": none
  double before;
  double after; // NAN: the same, or not known
} OdlStatisticRow;

// OdlStatisticRow of `region`, of `background` and between the two, in that order; of one
// alone where `background` is NULL. Both are of kinds with samples. `subject` has a
// picture. Cost: a few passes over the pixels. Transfer full.
GArray *odl_statistic_rows (const OdlAnnotation *region,
                            const OdlAnnotation *background,
                            const OdlSubject *subject);

// Of a picture against a reference, before and after the filters. `edges`: before, after,
// by odl_edge_correlation.
void odl_statistic_rows_add_reference (GArray *rows,
                                       const OdlComparison *before,
                                       const OdlComparison *after,
                                       const double edges[2]);

// Rows with tabs between the cells, as spreadsheets and lab books take them, the names of
// the columns first; decimal points in all languages. Transfer full.
char *odl_statistic_rows_to_text (const GArray *rows);
