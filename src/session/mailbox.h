// SPDX-License-Identifier: MIT
// A slot for one frame between two threads: the latest wins, what it displaces is
// counted. Any thread.
#pragma once

#include "image/image.h"

G_BEGIN_DECLS

typedef struct {
  GMutex mutex;
  OdlImage *image;
  int64_t index;
  guint64 dropped;
} OdlMailbox;

void odl_mailbox_init (OdlMailbox *mailbox);
void odl_mailbox_clear (OdlMailbox *mailbox);

// Takes ownership of `image`. True when the slot was empty: somebody must be woken.
bool odl_mailbox_put (OdlMailbox *mailbox, OdlImage *image, int64_t index);

// Counts frames that were never made because the clock ran ahead.
void odl_mailbox_count_dropped (OdlMailbox *mailbox, guint64 frames);

// The frame, or NULL. Transfer full.
OdlImage *odl_mailbox_take (OdlMailbox *mailbox, int64_t *index);

guint64 odl_mailbox_dropped (OdlMailbox *mailbox);

G_END_DECLS
