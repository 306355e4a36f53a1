// SPDX-License-Identifier: MIT
// What the source of series keeps of each picture, and what it says about them
// (series.c, series_space.c).
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "image/volume/stack.h"
#include "source/dicom/headers.h"

#define ODL_SERIES_PREFIX "series:"

// Places that differ by less are the same (mm).
#define ODL_SERIES_SAME_PLACE 1e-3

// What the header of a file says.
typedef struct {
  char *path; // empty: it is missing
  char *name;
  char *key; // of the name, for natural sorting
  char *instance;
  char *person; // see OdlSeries
  char *group; // person, study and series
  char *series;
  char *shape; // rows and columns
  char *time;
  double number; // NaN: none
  double position; // among the pictures of its place; NaN: none
  double taken_s; // after a beat of the heart, else of the day; NaN: unknown
  double place[3], direction[6];
  bool has_place; // and direction
  bool bad_place; // says one of them alone, or what cannot be
  double spacing_mm[2]; // of pixels
  bool lossy;
  char *type; // of the image
  char *laterality;
  char *sides; // where rows and columns lead, in letters
  char *frame_of_reference; // in which its place holds
  double along; // the stack, in whole steps of ODL_SERIES_SAME_PLACE
  int n_frames;
} OdlSeriesSlice;

// How many pictures are left out, and why.
typedef struct {
  int of_others; // of the series by its number, not of the person or the study
  int unlike; // in size or direction
  int moving;
  int twice;
  int unreadable;
  int elsewhere; // of other series, where a folder was opened
} OdlSeriesLeftOut;

// What a stack is in space.
typedef struct {
  OdlStack stack; // its flaw says whether it is a volume, or several
  int volumes; // with a picture of each at every place; 1 unless there are several
  bool in_time; // volumes are in the order of their times or temporal positions
  bool uneven_times; // which are not equally far apart
  double interval_s; // from volume to volume; 0: unknown
  bool unlike_pixels; // they are not all as large, or not turned alike: no volume
  bool can_be_filled; // odl_series_fill would make it a volume
  int missing; // pictures without files that were added
  int doubled; // pictures at the place of others that were left out
} OdlSeriesSpace;

// Where the pictures of a sorted stack lie. Sorts those that are there several times at
// each place by volumes.
OdlSeriesSpace odl_series_find_space (GPtrArray *stack);

// Of a sorted stack that is no volume since pictures are missing, or lie where others do:
// what it would be with all places filled once, in the order of volumes, and `space` of
// that. All distances must be whole steps of the usual one, and three pictures there for
// each that is missing. Missing ones have no file (`path` is empty); `owner`, whose
// slices are those of the stack, owns them. NULL: there is more to it. Transfer
// container.
GPtrArray *
odl_series_fill (const GPtrArray *stack, GPtrArray *owner, OdlSeriesSpace *space);

// Keeps the archive's order: where the instance numbers of each volume differ and fall
// along the normal, its pictures are put in the order of these, against the normal, and
// the stack's step follows.
void odl_series_follow_numbers (GPtrArray *stack, OdlSeriesSpace *space);

// Numbers and times of a slice.
void odl_series_read_time (OdlSeriesSlice *slice, const OdlPictureHeader *header);

// Times and positions that not all slices have order none of them.
void odl_series_keep_common_times (GPtrArray *stack);
