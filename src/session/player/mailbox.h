// SPDX-License-Identifier: MIT
// Two places for frames between two threads: a reader that is late by less than a frame
// loses none. New frames replace older ones, which are counted as dropped. Any thread.
#pragma once

#include "image/volume/neighbours.h"

#define ODL_MAILBOX_PLACES 2

// A frame of a player; for the times see OdlPlayed.
typedef struct {
  OdlImage *image;
  int64_t index;
  bool jumped; // does not follow the frame before
  bool asked; // for by a seek
  guint64 skipped; // frames before it that nobody had time for: they count as dropped
  guint64 dropped; // of what is taken: frames up to it that were dropped
  int64_t due_us;
  int64_t chosen_us;
  int64_t arrived_us;
  OdlNeighbours *about; // the frames about it; NULL: not read yet, or nobody wants them
  unsigned reaches; // which of those that were wanted one after the other
} OdlMail;

typedef struct {
  GMutex mutex;
  OdlMail mail[ODL_MAILBOX_PLACES]; // the oldest first
  int n;
  guint64 dropped;
} OdlMailbox;

void odl_mailbox_init (OdlMailbox *mailbox);
void odl_mailbox_clear (OdlMailbox *mailbox);

// Throws away the frames that wait, which are not counted: so many were dropped before.
void odl_mailbox_empty (OdlMailbox *mailbox, guint64 dropped);

// Takes ownership of the images. A frame of a seek replaces all that wait, which are not
// counted. True when the box was empty: the reader must be woken.
bool odl_mailbox_put (OdlMailbox *mailbox, OdlMail mail);

// The oldest frame (transfer full, with those about it), without an image when there is
// none. True when another one waits.
bool odl_mailbox_take (OdlMailbox *mailbox, OdlMail *mail);

guint64 odl_mailbox_dropped (OdlMailbox *mailbox);
int odl_mailbox_n (OdlMailbox *mailbox); // frames that wait
