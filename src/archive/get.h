// SPDX-License-Identifier: MIT
// Gets studies, series or pictures from a node (C-GET, PS3.4 C) into a folder. What there
// is is asked first, so that what does not come is known, and what was not asked for.
#pragma once

#include "archive/find.h"
#include "archive/instances.h"

typedef enum {
  ODL_GET_KEPT, // path, kept
  ODL_GET_MISSING, // path, as it would be
  ODL_GET_SAID, // text
} OdlGetEvent;

typedef struct {
  OdlGetEvent event;
  const char *path; // below the folder
  OdlKept kept;
  const char *text; // a sentence
} OdlGetNews;

typedef struct {
  OdlLinkParams link;
  OdlLevel level; // ODL_LEVEL_STUDY …
  const OdlQuery *query; // with the UIDs down to the level
  OdlInstances *instances;
  guint most; // pictures; 0: the usual
  guint seconds; // for all of it; 0: the usual
  void (*told) (const OdlGetNews *news, void *data);
  void *data;
} OdlGetParams;

typedef struct {
  OdlFound found; // what the node has
  guint n_kept, n_again, n_apart, n_missing;
  guint n_others; // of another patient than was asked for; these are kept, too
} OdlGot;

// Blocks. What came stays. False: it is not known what there is, or there is nothing, and
// no picture was asked for, or it was given up; errors as of odl_find.
bool odl_get (const OdlGetParams *params,
              OdlGot *got,
              GCancellable *cancellable,
              GError **error);
