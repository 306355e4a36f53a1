// SPDX-License-Identifier: MIT
// A mailbox between threads: every frame is taken or counted, none twice, none out of
// order.
#include "session/player/mailbox.h"
#include "../../helpers/images.h"

#define FRAMES 20000

static OdlImage *
frame_new (int64_t index)
{
  float *sample;
  OdlImage *image = odl_test_image (1, 1, 1, ODL_SAMPLE_F32, &sample);

  *sample = (float) index;
  return image;
}

static float
value_of (const OdlImage *image)
{
  return *(const float *) odl_image_info (image)->planes[0].data;
}

static OdlMail
mail_of (int64_t index)
{
  return (OdlMail){ .image = frame_new (index), .index = index };
}

static void
check_next (OdlMailbox *mailbox, int64_t index, bool jumped, bool more)
{
  OdlMail mail;

  g_assert_cmpint (odl_mailbox_take (mailbox, &mail), ==, more);
  g_autoptr (OdlImage) image = mail.image;
  g_assert_cmpint (mail.index, ==, index);
  g_assert_cmpint (mail.jumped, ==, jumped);
  g_assert_cmpfloat (value_of (image), ==, (float) index);
}

static void
check_empty (OdlMailbox *mailbox)
{
  OdlMail mail;

  g_assert_false (odl_mailbox_take (mailbox, &mail));
  g_assert_null (mail.image);
}

static void
the_latest_win (void)
{
  OdlMailbox mailbox;

  odl_mailbox_init (&mailbox);
  check_empty (&mailbox);
  g_assert_true (odl_mailbox_put (&mailbox, mail_of (1)));
  g_assert_false (odl_mailbox_put (&mailbox, mail_of (2)));
  g_assert_cmpuint (odl_mailbox_dropped (&mailbox), ==, 0);
  check_next (&mailbox, 1, false, true);
  g_assert_false (odl_mailbox_put (&mailbox, mail_of (3)));
  g_assert_false (odl_mailbox_put (&mailbox, mail_of (4)));
  g_assert_cmpuint (odl_mailbox_dropped (&mailbox), ==, 1);
  check_next (&mailbox, 3, false, true);
  check_next (&mailbox, 4, false, false);
  check_empty (&mailbox);
  g_assert_true (odl_mailbox_put (&mailbox, mail_of (5)));
  odl_mailbox_clear (&mailbox);
}

static void
jumps_and_requests (void)
{
  OdlMailbox mailbox;
  OdlMail cut = mail_of (1), asked = mail_of (9);

  odl_mailbox_init (&mailbox);
  cut.jumped = true;
  odl_mailbox_put (&mailbox, cut);
  odl_mailbox_put (&mailbox, mail_of (2));
  odl_mailbox_put (&mailbox, mail_of (3));
  // The cut was dropped, but there was one.
  check_next (&mailbox, 2, true, true);
  asked.asked = asked.jumped = true;
  g_assert_false (odl_mailbox_put (&mailbox, asked));
  check_next (&mailbox, 9, true, false);
  check_empty (&mailbox);
  g_assert_cmpuint (odl_mailbox_dropped (&mailbox), ==, 1);
  odl_mailbox_clear (&mailbox);
}

static void *
put_all (void *data)
{
  for (int64_t i = 0; i < FRAMES; i++)
    odl_mailbox_put (data, mail_of (i));
  return NULL;
}

static void
every_frame_is_taken_or_counted (void)
{
  OdlMailbox mailbox;
  guint64 taken = 0;
  int64_t last = -1;

  odl_mailbox_init (&mailbox);
  GThread *thread = g_thread_new ("put", put_all, &mailbox);
  while (last < FRAMES - 1) {
    OdlMail mail;
    odl_mailbox_take (&mailbox, &mail);
    g_autoptr (OdlImage) image = mail.image;
    if (image == NULL) {
      g_thread_yield ();
      continue;
    }
    g_assert_cmpint (mail.index, >, last);
    g_assert_cmpfloat (value_of (image), ==, (float) mail.index);
    last = mail.index;
    taken++;
  }
  g_thread_join (thread);
  g_assert_cmpuint (taken + odl_mailbox_dropped (&mailbox), ==, FRAMES);
  odl_mailbox_clear (&mailbox);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/mailbox/the-latest-win", the_latest_win);
  g_test_add_func ("/session/mailbox/a-cut-is-not-lost-and-a-request-comes-first",
                   jumps_and_requests);
  g_test_add_func ("/session/mailbox/every-frame-is-taken-or-counted",
                   every_frame_is_taken_or_counted);
  return g_test_run ();
}
