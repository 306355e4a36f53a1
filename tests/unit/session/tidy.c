// SPDX-License-Identifier: MIT
// What a source leaves behind in the heap goes back to the system when all its frames are
// there.
#include "../../helpers/litter.h"
#include "session/player/player.h"

#define SIDE 16
#define N_FRAMES 3
#define PATIENCE_US (600 * G_USEC_PER_SEC)

// Its last frame leaves litter.
typedef struct {
  OdlSource base;
  OdlTestLitter litter;
  int kb; // resident with it; 0 before; atomic
} Untidy;

static OdlImage *
untidy_read (OdlSource *source, int64_t index, GCancellable *cancellable, GError **error)
{
  const OdlImageInfo info = { .extent = { SIDE, SIDE, 1, 1 }, .channels = 1 };
  Untidy *self = (Untidy *) source;
  void *samples;

  if (index == N_FRAMES - 1) {
    odl_test_litter_drop (&self->litter);
    g_atomic_int_set (&self->kb, (int) odl_test_resident_kb ());
  }
  return odl_image_alloc (&info, &samples, error);
}

static void
untidy_close (OdlSource *source)
{
  odl_test_litter_clear (&((Untidy *) source)->litter);
}

static const OdlSourceClass untidy_class
    = { .name = "untidy", .read_frame = untidy_read, .close = untidy_close };

static void
played_cb (const OdlPlayed *played, void *data)
{
  OdlImage *image = played->image;

  g_clear_pointer (&image, odl_image_unref);
}

static bool
is_tidy (Untidy *source)
{
  const int kb = g_atomic_int_get (&source->kb);

  return kb > 0 && kb - odl_test_resident_kb () > 10 * 1024;
}

static void
litter_of_a_source_goes_back (void)
{
  Untidy *source = g_new0 (Untidy, 1);
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;

  if (!ODL_LITTER_COUNTS) {
    g_test_skip ("this allocator keeps what is freed");
    g_free (source);
    return;
  }
  odl_source_init (&source->base, &untidy_class, "untidy");
  source->base.info.n_frames = N_FRAMES;
  source->base.info.frame_rate = 25;
  OdlPlayer *player = odl_player_new (&source->base, NULL, 1 << 20, played_cb, NULL);
  odl_player_set_playing (player, true);
  while (!is_tidy (source) && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  g_test_message ("%d KB with the litter, %ld KB then", g_atomic_int_get (&source->kb),
                  odl_test_resident_kb ());
  g_assert_true (is_tidy (source));
  odl_player_stop (player, true);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/tidy/litter-of-a-source-goes-back",
                   litter_of_a_source_goes_back);
  return g_test_run ();
}
