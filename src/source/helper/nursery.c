// SPDX-License-Identifier: MIT
#include "source/helper/nursery.h"

#include <string.h>

#include "source/helper/decoder_process.h"

// The fork server is abandoned if it does not answer in this time.
#define PATIENCE_NS 20000000000

typedef struct {
  GMutex mutex;
  int users;
  bool useless; // failed; reset when the last user closes
  OdlHelperProcess *process; // NULL: not running
} Nursery;

// The singleton.
static Nursery *
get (void)
{
  static Nursery nursery = { 0 };

  return &nursery;
}

static void
end (Nursery *nursery)
{
  odl_helper_process_end (nursery->process);
  nursery->process = NULL;
}

void
odl_decoder_nursery_open (void)
{
  Nursery *nursery = get ();

  g_mutex_lock (&nursery->mutex);
  nursery->users++;
  g_mutex_unlock (&nursery->mutex);
}

void
odl_decoder_nursery_close (void)
{
  Nursery *nursery = get ();

  g_mutex_lock (&nursery->mutex);
  if (--nursery->users == 0) {
    end (nursery);
    nursery->useless = false;
  }
  g_mutex_unlock (&nursery->mutex);
}

static bool
start (Nursery *nursery)
{
  static const char *const arguments[] = { ODL_DECODER_NURSERY, NULL };
  const OdlHelperStart how = { .arguments = arguments, .patience_ns = PATIENCE_NS };

  nursery->process = odl_helper_process_start (&odl_decoder_kind, &how, NULL);
  return nursery->process != NULL;
}

static bool
ask (const Nursery *nursery, const OdlDecoderBirth *birth, const int *fds, pid_t *pid)
{
  OdlDecoderBorn born = { 0 };
  OdlMessage question = { .parts = { { (void *) birth, sizeof *birth } },
                          .n_fds = ODL_DECODER_BIRTH_FDS };
  OdlMessage answer = { .parts = { { &born, sizeof born } } };

  memcpy (question.fds, fds, sizeof (int) * ODL_DECODER_BIRTH_FDS);
  odl_helper_process_expect (nursery->process, PATIENCE_NS);
  if (!odl_helper_process_send (nursery->process, &question, NULL)
      || odl_helper_process_receive (nursery->process, &answer, NULL, NULL)
             != sizeof born)
    return false;
  *pid = born.pid;
  return born.magic == ODL_DECODER_MAGIC && born.version == ODL_DECODER_VERSION
         && born.pid > 0;
}

bool
odl_decoder_nursery_fork (const OdlDecoderBirth *birth,
                          const int fds[ODL_DECODER_BIRTH_FDS],
                          pid_t *pid)
{
  Nursery *nursery = get ();
  bool done = false;

  g_mutex_lock (&nursery->mutex);
  if (nursery->users > 0 && !nursery->useless) {
    done
        = (nursery->process != NULL || start (nursery)) && ask (nursery, birth, fds, pid);
    if (!done) {
      end (nursery);
      nursery->useless = true;
    }
  }
  g_mutex_unlock (&nursery->mutex);
  return done;
}
