// SPDX-License-Identifier: MIT
// Two places for frames between two threads, so that a reader who is held up for less
// than a frame loses none. The latest ones win, what they displace is counted. Any
// thread.
#pragma once

#include "image/image.h"

G_BEGIN_DECLS

#define ODL_MAILBOX_PLACES 2

// A frame of a player; what the times mean stands in OdlPlayed.
typedef struct {
  OdlImage *image;
  int64_t index;
  bool jumped; // does not follow the frame before
  bool asked; // for by a seek
  int64_t due_us;
  int64_t chosen_us;
  int64_t arrived_us;
} OdlMail;

typedef struct {
  GMutex mutex;
  OdlMail mail[ODL_MAILBOX_PLACES]; // the oldest first
  int n;
  guint64 dropped;
} OdlMailbox;

void odl_mailbox_init (OdlMailbox *mailbox);
void odl_mailbox_clear (OdlMailbox *mailbox);

// Takes ownership of the image. A frame that was asked for displaces all that wait, and
// none of them is missed. True when the box was empty: somebody must be
// woken.
bool odl_mailbox_put (OdlMailbox *mailbox, OdlMail mail);

// Counts frames that were never made because the clock ran ahead.
void odl_mailbox_count_dropped (OdlMailbox *mailbox, guint64 frames);

// The oldest frame (transfer full), without an image when there is none. True when
// another one waits.
bool odl_mailbox_take (OdlMailbox *mailbox, OdlMail *mail);

guint64 odl_mailbox_dropped (OdlMailbox *mailbox);

G_END_DECLS
