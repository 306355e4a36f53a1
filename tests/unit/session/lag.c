// SPDX-License-Identifier: MIT
// A camera in the window whose filters look at later frames: what is shown lags behind,
// says so, and is the sum over the frames about it.
#include <math.h>

#include "base/error.h"
#include "session/session_private.h"
#include "settle.h"

#define SIDE 16
#define PERIOD_US 20000
#define SHOWN 12
#define KERNEL \
  "convolve:shape=gaussian,size=3,sigma=0.5,duration=%d,time-sigma=1,dimensions=4," \
  "border=symmetric"

static int
value_of (int64_t index)
{
  return 20 + (int) (index * 73 % 200);
}

static OdlImage *
read_frame (OdlSource *source, int64_t index, GCancellable *cancellable, GError **error)
{
  const OdlImageInfo info = { .extent = { SIDE, SIDE, 1, 1 }, .channels = 1 };
  uint8_t *samples;

  g_usleep (PERIOD_US);
  if (g_cancellable_is_cancelled (cancellable)) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CANCELLED, "cancelled");
    return NULL;
  }
  OdlImage *image = odl_image_alloc (&info, (void **) &samples, error);
  memset (samples, value_of (index), SIDE * SIDE);
  return image;
}

static void
close_source (OdlSource *source)
{
}

static const OdlSourceClass camera_class
    = { .name = "numbered", .read_frame = read_frame, .close = close_source };

typedef struct {
  OdlSession *session;
  int reach; // of the recipe in force, ahead
  bool cuts; // its filter sees that each picture belongs to another scene
  int64_t first; // frame that lagged so far behind; −1: none yet
  int n, n_wrong; // frames with others on both sides, and those of other values
} Watch;

// Of the filter, for a picture that is flat.
static double
wanted (int64_t index, int reach)
{
  double sum = 0, weights = 0;

  for (int t = -reach; t <= reach; t++) {
    sum += exp (-t * t / 2.0) * value_of (index - t);
    weights += exp (-t * t / 2.0);
  }
  return sum / weights / 255;
}

static void
ready_cb (OdlSession *session, Watch *watch)
{
  const OdlFrame *frame = odl_session_frame (session);
  g_autoptr (GStrvBuilder) marks = g_strv_builder_new ();
  float row[SIDE];

  if (frame->behind == 0 || frame->behind != watch->reach)
    return;
  if (watch->first < 0)
    watch->first = frame->index;
  // Before these the sequence has a border.
  if (frame->index < watch->first + watch->reach)
    return;
  odl_frame_add_marks (frame, marks);
  g_auto (GStrv) texts = g_strv_builder_end (marks);
  g_assert_cmpint (g_strv_length (texts), ==, 1);
  g_assert_nonnull (strstr (texts[0], "DELAYED"));
  odl_image_scaled_row (frame->result, 0, SIDE / 2, 0, 0, row);
  watch->n++;
  const double value = watch->cuts ? value_of (frame->index) / 255.0
                                   : wanted (frame->index, frame->behind);
  watch->n_wrong += fabs ((double) row[SIDE / 2] - value) > (watch->cuts ? 1e-3 : 1e-5);
  // The picture is the one that its number says.
  odl_image_scaled_row (frame->input, 0, 0, 0, 0, row);
  g_assert_cmpint ((int) lround ((double) row[0] * 255), ==, value_of (frame->index));
}

static void
set_recipe (Watch *watch, const char *text, int reach)
{
  OdlRecipe recipe;
  g_autoptr (GError) error = NULL;

  odl_recipe_init (&recipe);
  odl_recipe_parse (&recipe, text, &error);
  g_assert_no_error (error);
  watch->reach = reach;
  watch->first = -1;
  watch->n = watch->n_wrong = 0;
  odl_session_set_recipe (watch->session, &recipe, NULL);
}

static void
run_until (Watch *watch, int n)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;

  while (watch->n < n && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
  g_assert_cmpint (watch->n, >=, n);
}

// A frame that was dropped on a busy machine is missing in as many sums as it belongs to.
static void
check (Watch *watch, int duration)
{
  const guint64 dropped = odl_session_dropped (watch->session);
  g_autofree char *text = g_strdup_printf (KERNEL, duration);

  set_recipe (watch, text, duration / 2);
  run_until (watch, SHOWN);
  const guint64 lost = odl_session_dropped (watch->session) - dropped;
  g_test_message ("%d steps: %d frames, %d of other values, %" G_GUINT64_FORMAT " lost",
                  duration, watch->n, watch->n_wrong, lost);
  g_assert_cmpint (watch->n_wrong, <=, (int) lost * duration);
}

static void
test_lag (void)
{
  Watch watch = { .session = odl_session_new () };
  OdlSource *source = g_new0 (OdlSource, 1);
  g_autoptr (GError) error = NULL;

  odl_source_init (source, &camera_class, "numbered");
  source->info.live = source->info.capture = true;
  source->info.frame_rate = 1e6 / PERIOD_US;
  OdlImage *first = read_frame (source, 0, NULL, &error);
  g_assert_no_error (error);
  odl_session_set_canvas (watch.session, ODL_GL_NONE, 0, false);
  odl_session_set_engine (watch.session, "cpu");
  g_signal_connect (watch.session, "frame-ready", G_CALLBACK (ready_cb), &watch);
  odl_session_take_source (watch.session, source, first, NULL);
  odl_session_begin (watch.session);
  odl_session_set_playing (watch.session, true);

  // Further ahead and less far, while it runs.
  check (&watch, 3);
  check (&watch, 7);
  check (&watch, 3);

  // More frames before are seen than after: the delay is that of those after.
  watch.cuts = true;
  set_recipe (&watch, "bm3d:sigma=0.01,effort=fast,frames=7", 3);
  run_until (&watch, SHOWN);
  g_assert_cmpint (watch.n_wrong, ==, 0);

  OdlRecipe none;
  odl_recipe_init (&none);
  odl_session_set_recipe (watch.session, &none, NULL);
  odl_session_settle (watch.session);
  g_assert_cmpint (odl_session_lag_behind (watch.session), ==, 0);
  g_assert_null (odl_session_lag_neighbours (watch.session));
  g_assert_finalize_object (watch.session);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/lag/a-camera-lags-by-half-a-kernel", test_lag);
  return g_test_run ();
}
