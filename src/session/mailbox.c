// SPDX-License-Identifier: MIT
#include "session/mailbox.h"

void
odl_mailbox_init (OdlMailbox *mailbox)
{
  *mailbox = (OdlMailbox){ 0 };
  g_mutex_init (&mailbox->mutex);
}

void
odl_mailbox_clear (OdlMailbox *mailbox)
{
  g_clear_pointer (&mailbox->image, odl_image_unref);
  g_mutex_clear (&mailbox->mutex);
}

bool
odl_mailbox_put (OdlMailbox *mailbox, OdlImage *image, int64_t index)
{
  g_mutex_lock (&mailbox->mutex);
  g_autoptr (OdlImage) displaced = g_steal_pointer (&mailbox->image);
  mailbox->image = image;
  mailbox->index = index;
  if (displaced)
    mailbox->dropped++;
  g_mutex_unlock (&mailbox->mutex);
  return displaced == NULL;
}

void
odl_mailbox_count_dropped (OdlMailbox *mailbox, guint64 frames)
{
  g_mutex_lock (&mailbox->mutex);
  mailbox->dropped += frames;
  g_mutex_unlock (&mailbox->mutex);
}

OdlImage *
odl_mailbox_take (OdlMailbox *mailbox, int64_t *index)
{
  g_mutex_lock (&mailbox->mutex);
  OdlImage *image = g_steal_pointer (&mailbox->image);
  *index = mailbox->index;
  g_mutex_unlock (&mailbox->mutex);
  return image;
}

guint64
odl_mailbox_dropped (OdlMailbox *mailbox)
{
  g_mutex_lock (&mailbox->mutex);
  guint64 dropped = mailbox->dropped;
  g_mutex_unlock (&mailbox->mutex);
  return dropped;
}
