// SPDX-License-Identifier: MIT
// Sends DICOM files to a node, each in its own transfer syntax where the node takes that.
// What went where is noted (sent_log.h).
#pragma once

#include "archive/link.h"

// What became of a file.
typedef struct {
  const char *path;
  bool taken; // the node answered Success
  bool hopeless; // it is nothing that could be sent to any node
  bool not_begun; // no association came to it, so that it was not tried
  guint status; // that it answered (PS3.4 B.2.3), where it did
  const char *text; // a sentence; NULL: there is nothing to say
  const char *not_noted; // once, a sentence: why this is not noted; NULL: it is
} OdlSendNews;

typedef struct {
  OdlLinkParams link;
  const char *const *paths; // NULL-terminated
  void (*told) (const OdlSendNews *news, void *data);
  void *data;
} OdlSendParams;

// Sends the files in their order, each once; all of them are told. Where the node breaks
// off at a file, the next ones go by another association, unless it keeps doing that.
// Returns how many the node did not answer Success for. Blocks.
guint odl_send (const OdlSendParams *params, GCancellable *cancellable);
