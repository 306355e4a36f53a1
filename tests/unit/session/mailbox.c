// SPDX-License-Identifier: MIT
// A mailbox between threads: every frame is taken or counted, none twice, none out of
// order.
#include "session/mailbox.h"

#define FRAMES 20000

static OdlImage *
frame_new (int64_t index)
{
  const OdlImageInfo info
      = { .extent = { 1, 1, 1, 1 }, .channels = 1, .type = ODL_SAMPLE_F32 };
  float *sample;
  OdlImage *image = odl_image_alloc (&info, (void **) &sample, NULL);

  *sample = (float) index;
  return image;
}

static float
value_of (const OdlImage *image)
{
  return *(const float *) odl_image_info (image)->planes[0].data;
}

static void
the_latest_wins (void)
{
  OdlMailbox mailbox;
  int64_t index;

  odl_mailbox_init (&mailbox);
  g_assert_null (odl_mailbox_take (&mailbox, &index));
  g_assert_true (odl_mailbox_put (&mailbox, frame_new (1), 1));
  g_assert_false (odl_mailbox_put (&mailbox, frame_new (2), 2));
  g_autoptr (OdlImage) image = odl_mailbox_take (&mailbox, &index);
  g_assert_cmpint (index, ==, 2);
  g_assert_cmpfloat (value_of (image), ==, 2);
  g_assert_null (odl_mailbox_take (&mailbox, &index));
  g_assert_cmpuint (odl_mailbox_dropped (&mailbox), ==, 1);
  g_assert_true (odl_mailbox_put (&mailbox, frame_new (3), 3));
  odl_mailbox_clear (&mailbox);
}

static void *
put_all (void *data)
{
  for (int64_t i = 0; i < FRAMES; i++)
    odl_mailbox_put (data, frame_new (i), i);
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
    int64_t index;
    g_autoptr (OdlImage) image = odl_mailbox_take (&mailbox, &index);
    if (image == NULL) {
      g_thread_yield ();
      continue;
    }
    g_assert_cmpint (index, >, last);
    g_assert_cmpfloat (value_of (image), ==, (float) index);
    last = index;
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
  g_test_add_func ("/session/mailbox/the-latest-wins", the_latest_wins);
  g_test_add_func ("/session/mailbox/every-frame-is-taken-or-counted",
                   every_frame_is_taken_or_counted);
  return g_test_run ();
}
