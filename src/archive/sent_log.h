// SPDX-License-Identifier: MIT
// What was sent where, in a file of the user's state that nobody else may read: a line
// for each object that a node answered for, or that it may have got, the oldest first.
//
//     2026-11-30T17:45:12Z  RESULT  TITLE@HOST:PORT  INSTANCE  STUDY
//
// with tabs between, where RESULT is "sent", "status A700" (what the node answered), or
// "unanswered". Instance and study are UIDs. Nothing tells who the patient is: whoever
// may ask an archive finds that there. A file that is full becomes sent.log.1, in place
// of the one before, so that both together stay below 8 MiB.
#pragma once

#include "archive/link.h"

typedef struct {
  const OdlNodeName *to;
  const char *instance;
  const char *study;
  bool taken; // the node answered Success
  bool answered; // with that status, else
  guint status;
} OdlSentLogRow;

// ODL_ERROR_IO. Any thread, and any process of the user's.
bool odl_sent_log_add (const OdlSentLogRow *row, GError **error);

// Lines without their ends. No file is an empty one. ODL_ERROR_IO.
bool odl_sent_log_read (void (*told) (const char *line, void *data),
                        void *data,
                        GError **error);
