// SPDX-License-Identifier: MIT
// The inputs of `process`, and the output of each.
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "image/image.h"
#include "source/source.h"

typedef struct {
  char *input; // path or specification
  char *output;
  guint number; // of the input among all, from 0
} OdlJob;

// One job for each input; folders stand for the pictures in them, in the order of their
// names. With several inputs, a folder among them, or `out` a folder (existing, or ending
// with '/'), outputs are named after the inputs, `extension` instead of theirs, all
// different, in the folder `out`, which is created. Otherwise the only output is `out`.
// `recursive`: folders stand for those below, too, and outputs keep their tree, whose
// folders are not made here; links to folders are not followed, and `out` is left out.
// Elements are OdlJob. Errors: ODL_ERROR_IO, ODL_ERROR_USAGE.
GPtrArray *odl_jobs_new (const char *const *inputs,
                         const char *out,
                         const char *extension,
                         bool recursive,
                         GError **error);

// Whether `out` has words in braces, which stand for something else for each input.
bool odl_jobs_is_template (const char *out);

// Names the outputs by a template: {stem} is the input without folder and ending,
// {filter} is `filters`, {number} counts the inputs from 1. Where two would have the same
// name, the later ones get a number. Makes no folders. ODL_ERROR_USAGE: other words in
// braces.
bool odl_jobs_name (GPtrArray *jobs,
                    const char *template,
                    const char *filters,
                    GError **error);

// Has the pages of TIFF files among the inputs taken in one way (source/pages.h); NULL:
// as they are. Outputs must have their names by then. ODL_ERROR_USAGE: there is no such
// way, or no TIFF file.
bool odl_jobs_take_pages (GPtrArray *jobs, const char *way, GError **error);

// Makes a folder for results, with those above it. ODL_ERROR_IO.
bool odl_jobs_make_folder (const char *folder, GError **error);

// The files that the jobs read, as source/source_files.h has them. Looks at each of them.
// Transfer full.
GHashTable *odl_jobs_files (const GPtrArray *jobs);

// Whether `output` may be written: it is none of those files, and there is none of that
// name unless that may be replaced. Errors: ODL_ERROR_IO.
bool odl_output_check (GHashTable *input_files,
                       const char *output,
                       bool replace,
                       GError **error);

// Receives the frames from `first` to the one before the wanted frame, in order; `image`
// is NULL for a damaged frame. False ends the reading.
typedef struct {
  gint64 (*first) (OdlSource *source, void *data);
  bool (*visit) (OdlImage *image, gint64 index, void *data, GError **error);
  void *data;
} OdlInputVisit;

// How many frames an input has.
typedef struct {
  bool still; // nothing
  gint64 frames; // how many in all; 0: not known, or they never end
  bool at_most; // `frames` is a guess
} OdlInputLength;

// Frame `frame` (from 0) of an input. Warnings are printed on standard error. `before`
// and `length` may be NULL.
OdlImage *odl_input_read (const char *input,
                          gint64 frame,
                          const OdlInputVisit *before,
                          OdlInputLength *length,
                          GError **error);

// The same of `source`, which was opened as `input`.
OdlImage *odl_input_read_from (OdlSource *source,
                               const char *input,
                               gint64 frame,
                               const OdlInputVisit *before,
                               OdlInputLength *length,
                               GError **error);

// Says that it is damaged, if it is.
void odl_input_report_mark (const char *input, const OdlImage *image);

// True when `out` is or would become a folder for those inputs.
bool odl_jobs_want_folder (const char *const *inputs, const char *out);
