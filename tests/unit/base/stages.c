// SPDX-License-Identifier: MIT
// Stages in threads: order, what waits between them, and how each kind of end leaves
// nothing behind.
#include "base/stages.h"

#include <pthread.h>

#include "base/error.h"

#define NO_STACK ((size_t) 1 << 46) // bytes that no machine has

#define ITEMS 300
#define NEVER (-1)

// Numbers go through: read makes i + 1, work multiplies, write compares.
typedef struct {
  int fails_read, fails_work, fails_write; // at which item
  int cancels; // at which written item
  GCancellable *cancellable;
  bool waits; // the writer, until enough items are waiting for it

  int n_read; // reader alone
  int n_worked; // caller alone
  int n_written; // writer alone
  int alive; // items, all threads
  int most_alive;
} Row;

static Row
row_new (void)
{
  return (Row){
    .fails_read = NEVER, .fails_work = NEVER, .fails_write = NEVER, .cancels = NEVER
  };
}

static void
item_free (void *item)
{
  Row *row = ((void **) item)[1];

  g_atomic_int_add (&row->alive, -1);
  g_free (item);
}

static void *
read_cb (void *data, GError **error)
{
  Row *row = data;

  if (row->n_read == row->fails_read) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CORRUPT, "reading");
    return NULL;
  }
  if (row->n_read == ITEMS)
    return NULL;
  void **item = g_new (void *, 2);
  item[0] = GINT_TO_POINTER (++row->n_read);
  item[1] = row;
  g_atomic_int_inc (&row->alive);
  return item;
}

static void *
work_cb (void *data, void *item, GError **error)
{
  Row *row = data;
  void **place = item;

  // Read ahead at most: what waits on both sides, and one in the hands of each.
  const int ahead = g_atomic_int_get (&row->alive);
  row->most_alive = MAX (row->most_alive, ahead);
  if (row->n_worked == row->fails_work) {
    item_free (item);
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_GPU, "working");
    return NULL;
  }
  row->n_worked++;
  place[0] = GINT_TO_POINTER (2 * GPOINTER_TO_INT (place[0]));
  return item;
}

static bool
write_cb (void *data, void *item, GError **error)
{
  Row *row = data;
  void **place = item;

  g_assert_cmpint (GPOINTER_TO_INT (place[0]), ==, 2 * (row->n_written + 1));
  item_free (item);
  while (row->waits && g_atomic_int_get (&row->alive) <= ODL_STAGES_WAITING)
    g_usleep (500);
  row->waits = false;
  if (row->n_written == row->fails_write) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_IO, "writing");
    return false;
  }
  if (++row->n_written == row->cancels)
    g_cancellable_cancel (row->cancellable);
  return true;
}

static bool
run (Row *row, GError **error)
{
  const OdlStages stages = { read_cb, work_cb, write_cb, item_free, item_free, row };
  const bool done = odl_stages_run (&stages, row->cancellable, error);

  // However it ended, nothing is left, and little was ever there.
  g_assert_cmpint (row->alive, ==, 0);
  g_assert_cmpint (row->most_alive, <=, 2 * ODL_STAGES_WAITING + 3);
  return done;
}

static void
items_keep_their_order (void)
{
  Row row = row_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (run (&row, &error));
  g_assert_no_error (error);
  g_assert_cmpint (row.n_written, ==, ITEMS);
}

static void
a_slow_writer_holds_the_reader_back (void)
{
  Row row = row_new ();

  row.waits = true;
  g_autoptr (GError) error = NULL;
  // They come up to the bound, which run sees kept, and all goes on.
  g_assert_true (run (&row, &error));
  g_assert_no_error (error);
  g_assert_cmpint (row.n_written, ==, ITEMS);
}

static void
what_was_read_before_an_error_is_written (void)
{
  Row row = row_new ();
  g_autoptr (GError) error = NULL;

  row.fails_read = 17;
  g_assert_false (run (&row, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_CORRUPT);
  g_assert_cmpint (row.n_written, ==, 17);
}

static void
a_failure_ends_all_stages (void)
{
  for (int at = 0; at < 6; at++) {
    Row work = row_new (), write = row_new ();
    g_autoptr (GError) error = NULL;

    work.fails_work = at;
    g_assert_false (run (&work, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_GPU);
    g_assert_cmpint (work.n_worked, ==, at);
    g_clear_error (&error);

    write.fails_write = at;
    g_assert_false (run (&write, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_IO);
    g_assert_cmpint (write.n_written, ==, at);
    g_assert_cmpint (write.n_read, <, ITEMS);
  }
}

static void
cancelling_ends_all_stages (void)
{
  for (int at = 0; at < 20; at++) {
    Row row = row_new ();
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    g_autoptr (GError) error = NULL;

    row.cancellable = cancellable;
    row.cancels = at;
    if (at == 0)
      g_cancellable_cancel (cancellable);
    g_assert_false (run (&row, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_CANCELLED);
    g_assert_cmpint (row.n_written, ==, at);
  }
}

static void
no_room_for_a_thread_is_an_error (void)
{
  Row row = row_new ();
  g_autoptr (GError) error = NULL;
  pthread_attr_t before, none;

  g_assert_cmpint (pthread_getattr_default_np (&before), ==, 0);
  g_assert_cmpint (pthread_getattr_default_np (&none), ==, 0);
  g_assert_cmpint (pthread_attr_setstacksize (&none, NO_STACK), ==, 0);
  g_assert_cmpint (pthread_setattr_default_np (&none), ==, 0);
  const bool done = run (&row, &error);
  pthread_setattr_default_np (&before);
  g_assert_false (done);
  g_assert_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE);
  g_assert_cmpint (row.n_written, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/stages/items-keep-their-order", items_keep_their_order);
  g_test_add_func ("/base/stages/a-slow-writer-holds-the-reader-back",
                   a_slow_writer_holds_the_reader_back);
  g_test_add_func ("/base/stages/what-was-read-before-an-error-is-written",
                   what_was_read_before_an_error_is_written);
  g_test_add_func ("/base/stages/a-failure-ends-all-stages", a_failure_ends_all_stages);
  g_test_add_func ("/base/stages/cancelling-ends-all-stages", cancelling_ends_all_stages);
  g_test_add_func ("/base/stages/no-room-for-a-thread-is-an-error",
                   no_room_for_a_thread_is_an_error);
  return g_test_run ();
}
