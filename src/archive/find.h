// SPDX-License-Identifier: MIT
// Asks a node what it has (C-FIND, PS3.4 C), at the root of studies, or of patients where
// these are wanted. Answers are held against what was asked for.
#pragma once

#include "archive/link.h"
#include "archive/query.h"

typedef struct {
  OdlLinkParams link;
  OdlLevel level; // of what is told
  const OdlQuery *query;
  bool no_classes; // of pictures are asked for, for which some nodes read each file
  guint most; // answers at each level, above which it is given up; 0: the usual
  guint seconds; // for all of it; 0: the usual
  // One that matches. Values are in one line each, and those of levels above stand in it,
  // too; empty ones are unknown.
  void (*told) (OdlValues values, void *data);
  void *data;
} OdlFindParams;

// What else there is to say.
typedef struct {
  guint n_told;
  guint n_different; // left out, since they are not what was asked for
  guint n_lacking[ODL_N_KEYS]; // left out, since they do not say what was asked for
  guint n_invalid; // left out, since they are damaged or have no UID
  bool modalities_here; // the node does not look at Modalities in Study; series were
                        // asked for them
} OdlFound;

// Blocks. False: it was given up, and what was told is not all: ODL_ERROR_IO,
// ODL_ERROR_TOO_LARGE, ODL_ERROR_CANCELLED, with a sentence.
bool odl_find (const OdlFindParams *params,
               OdlFound *found,
               GCancellable *cancellable,
               GError **error);
