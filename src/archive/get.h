// SPDX-License-Identifier: MIT
// Gets studies, series or pictures from a node (C-GET, PS3.4 C) into a folder; from one
// that has no C-GET it has them moved to a node of ours (C-MOVE). What there is is asked
// first, so that what does not come is known, and what was not asked for.
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

#define ODL_GET_USUAL_PORT 11112

// Our own node, for C-MOVE: the other one has to know its title, address and port.
typedef struct {
  bool only; // C-GET is not tried
  const char *title; // NULL: the one that we call with
  guint port; // 0: ODL_GET_USUAL_PORT
  const char *address; // to listen at, in numbers; NULL: the one of ours on the way there
  const char *callers; // as odl_callers_parse; NULL: the other node, by title and address
} OdlMoveParams;

typedef struct {
  OdlLinkParams link;
  OdlMoveParams move;
  OdlLevel level; // ODL_LEVEL_STUDY …
  const OdlQuery *query; // with the UIDs down to the level
  OdlInstances *instances;
  guint most; // pictures; 0: the usual
  guint seconds; // for all of it; 0: the usual
  // One at a time; with C-MOVE also in threads of the node of ours.
  void (*told) (const OdlGetNews *news, void *data);
  void *data;
} OdlGetParams;

typedef struct {
  OdlFound found; // what the node has
  guint n_kept, n_again, n_apart, n_missing;
  guint n_more; // of those apart, whose picture is there, too
  guint n_others; // of another patient than was asked for; these are kept, too
} OdlGot;

// Blocks. What came stays. False: it is not known what there is, or there is nothing, and
// no picture was asked for, or it was given up; errors as of odl_find.
bool odl_get (const OdlGetParams *params,
              OdlGot *got,
              GCancellable *cancellable,
              GError **error);
