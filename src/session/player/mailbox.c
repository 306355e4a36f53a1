// SPDX-License-Identifier: MIT
#include "session/player/mailbox.h"

void
odl_mailbox_init (OdlMailbox *mailbox)
{
  *mailbox = (OdlMailbox){ 0 };
  g_mutex_init (&mailbox->mutex);
}

// With the mutex held, as the next one.
static OdlMail
take_oldest (OdlMailbox *mailbox)
{
  const OdlMail oldest = mailbox->mail[0];

  mailbox->n--;
  for (int i = 0; i < mailbox->n; i++)
    mailbox->mail[i] = mailbox->mail[i + 1];
  return oldest;
}

static void
mail_clear (OdlMail *mail)
{
  odl_image_unref (mail->image);
  odl_neighbours_unref (mail->about);
}

static void
throw_away (OdlMailbox *mailbox)
{
  while (mailbox->n > 0) {
    OdlMail oldest = take_oldest (mailbox);
    mail_clear (&oldest);
  }
}

void
odl_mailbox_empty (OdlMailbox *mailbox, guint64 dropped)
{
  g_mutex_lock (&mailbox->mutex);
  throw_away (mailbox);
  mailbox->dropped = dropped;
  g_mutex_unlock (&mailbox->mutex);
}

void
odl_mailbox_clear (OdlMailbox *mailbox)
{
  throw_away (mailbox);
  g_mutex_clear (&mailbox->mutex);
}

bool
odl_mailbox_put (OdlMailbox *mailbox, OdlMail mail)
{
  g_mutex_lock (&mailbox->mutex);
  const bool empty = mailbox->n == 0;
  if (mail.asked)
    throw_away (mailbox);
  if (mailbox->n == ODL_MAILBOX_PLACES) {
    OdlMail displaced = take_oldest (mailbox);
    // If a frame is dropped, a jump before it applies to the next frame.
    mailbox->mail[0].jumped |= displaced.jumped;
    mail_clear (&displaced);
    mailbox->dropped++;
  }
  mailbox->dropped += mail.skipped;
  mailbox->mail[mailbox->n++] = mail;
  g_mutex_unlock (&mailbox->mutex);
  return empty;
}

bool
odl_mailbox_take (OdlMailbox *mailbox, OdlMail *mail)
{
  g_mutex_lock (&mailbox->mutex);
  *mail = mailbox->n > 0 ? take_oldest (mailbox) : (OdlMail){ 0 };
  const bool more = mailbox->n > 0;
  mail->dropped = mailbox->dropped;
  for (int i = 0; i < mailbox->n; i++)
    mail->dropped -= mailbox->mail[i].skipped;
  g_mutex_unlock (&mailbox->mutex);
  return more;
}

guint64
odl_mailbox_dropped (OdlMailbox *mailbox)
{
  g_mutex_lock (&mailbox->mutex);
  guint64 dropped = mailbox->dropped;
  g_mutex_unlock (&mailbox->mutex);
  return dropped;
}

int
odl_mailbox_n (OdlMailbox *mailbox)
{
  g_mutex_lock (&mailbox->mutex);
  const int n = mailbox->n;
  g_mutex_unlock (&mailbox->mutex);
  return n;
}
