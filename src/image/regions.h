// SPDX-License-Identifier: MIT
// OdlRegions: parts of a picture that have scales of their own, as those of ultrasound
// (DICOM PS3.3 C.8.5.5). Immutable, counted by reference. Any thread.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

// What a region shows, in DICOM's numbers (Region Spatial Format).
typedef enum {
  ODL_REGION_OTHER,
  ODL_REGION_TISSUE, // two-dimensional
  ODL_REGION_MOTION, // M-mode: depth over time
  ODL_REGION_SPECTRAL, // Doppler: velocity or frequency over time
  ODL_REGION_WAVE, // a waveform, such as an ECG
  ODL_REGION_GRAPHICS,
  ODL_N_REGION_KINDS,
} OdlRegionKind;

// What one step along an axis means, in DICOM's numbers (Physical Units).
typedef enum {
  ODL_REGION_NO_UNIT,
  ODL_REGION_PERCENT,
  ODL_REGION_DB,
  ODL_REGION_CM,
  ODL_REGION_S,
  ODL_REGION_HZ,
  ODL_REGION_DB_PER_S,
  ODL_REGION_CM_PER_S,
  ODL_REGION_CM2,
  ODL_REGION_CM2_PER_S,
  ODL_REGION_CM3,
  ODL_REGION_CM3_PER_S,
  ODL_REGION_DEGREES,
  ODL_N_REGION_UNITS,
} OdlRegionUnit;

typedef struct {
  int left, top, right, bottom; // columns and rows from 0; the end is excluded
  OdlRegionKind kind;
  OdlRegionUnit unit[2]; // along x and y
  double delta[2]; // of one pixel in that unit, signed; not 0 where there is a unit
  bool has_reference;
  double reference[2]; // position in the picture that has …
  double value[2]; // … this value
} OdlRegion;

// Where several cover a place, the first of them is the one that is seen.
typedef struct {
  gatomicrefcount ref_count;
  int n;
  OdlRegion items[];
} OdlRegions;

// Copies `n` rows.
OdlRegions *odl_regions_new (const OdlRegion *items, int n);

// Both accept NULL.
const OdlRegions *odl_regions_ref (const OdlRegions *regions);
void odl_regions_unref (const OdlRegions *regions);

// The number of the region at a position in samples; −1: none, also for NULL.
int odl_regions_at (const OdlRegions *regions, double x, double y);

bool odl_region_has (const OdlRegion *region, double x, double y);

// Whether a pixel means the same in both.
bool odl_region_is_like (const OdlRegion *a, const OdlRegion *b);

// "cm/s"; "": no unit. And what it shows, translated.
const char *odl_region_unit_name (OdlRegionUnit unit);
const char *odl_region_kind_title (OdlRegionKind kind);

G_END_DECLS
