// SPDX-License-Identifier: MIT
// An HDF5 file in memory, read by libhdf5 through a driver of our own: it opens nothing,
// has no plugins, and knows no links into other files.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The functions of 1.10 have these names in later versions, too.
#define H5_USE_110_API
#include <hdf5.h>

typedef struct {
  hid_t file, driver; // negative: none
} OdlH5File;

// `data` must outlive it. ODL_ERROR_CORRUPT. Close it in any case.
bool odl_h5_file_open (OdlH5File *file, const uint8_t *data, size_t size, GError **error);
void odl_h5_file_close (OdlH5File *file);

// What lies at a path: NOTHING also where a link leads into another file, or in a circle.
typedef enum {
  ODL_H5_NOTHING,
  ODL_H5_GROUP,
  ODL_H5_ARRAY,
} OdlH5Thing;

OdlH5Thing odl_h5_file_look (const OdlH5File *file, const char *path);

// Calls `tell` for each group and array, groups before what they hold, until it returns
// false. Each is told once, by the first of its names, so that circles end. *is_cut:
// there are more than can be told.
void odl_h5_file_walk (const OdlH5File *file,
                       bool (*tell) (const char *path, OdlH5Thing thing, void *data),
                       void *data,
                       bool *is_cut);

// The text that is an array of its own; of an attribute of what lies at `path`. Transfer
// full; NULL: there is none.
char *odl_h5_file_word (const OdlH5File *file, const char *path);
char *odl_h5_file_text (const OdlH5File *file, const char *path, const char *attribute);
