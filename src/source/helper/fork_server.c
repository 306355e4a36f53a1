// SPDX-License-Identifier: MIT
#include "source/helper/fork_server.h"

#include <string.h>

// CPU time in which the fork server answers, or it is abandoned.
#define PATIENCE_NS 20000000000

const OdlHelperKind odl_decoder_kind = { "ondelette-decoder", "decoder", "ODL_DECODER" };

typedef struct {
  GMutex mutex;
  int users;
  bool failed; // failed; reset when the last user closes
  OdlHelperProcess *process; // NULL: not running
} ForkServer;

// The singleton.
static ForkServer *
get (void)
{
  static ForkServer server = { 0 };

  return &server;
}

static void
end (ForkServer *server)
{
  odl_helper_process_end (server->process);
  server->process = NULL;
}

void
odl_fork_server_open (void)
{
  ForkServer *server = get ();

  g_mutex_lock (&server->mutex);
  server->users++;
  g_mutex_unlock (&server->mutex);
}

void
odl_fork_server_close (void)
{
  ForkServer *server = get ();

  g_mutex_lock (&server->mutex);
  if (--server->users == 0) {
    end (server);
    server->failed = false;
  }
  g_mutex_unlock (&server->mutex);
}

static bool
start (ForkServer *server)
{
  static const char *const arguments[] = { ODL_DECODER_FORK_SERVER, NULL };
  const OdlHelperStart how = { .arguments = arguments, .patience_ns = PATIENCE_NS };

  server->process = odl_helper_process_start (&odl_decoder_kind, &how, NULL);
  return server->process != NULL;
}

static bool
ask (const ForkServer *server, const OdlDecoderStart *request, const int *fds, pid_t *pid)
{
  OdlDecoderForked born = { 0 };
  OdlMessage question = { .parts = { { (void *) request, sizeof *request } },
                          .n_fds = ODL_DECODER_START_FDS };
  OdlMessage answer = { .parts = { { &born, sizeof born } } };

  memcpy (question.fds, fds, sizeof (int) * ODL_DECODER_START_FDS);
  odl_helper_process_expect (server->process, PATIENCE_NS);
  if (!odl_helper_process_send (server->process, &question, NULL)
      || odl_helper_process_receive (server->process, &answer, NULL, NULL) != sizeof born)
    return false;
  *pid = born.pid;
  return born.magic == ODL_DECODER_MAGIC && born.version == ODL_DECODER_VERSION
         && born.pid > 0;
}

bool
odl_fork_server_fork (const OdlDecoderStart *request,
                      const int fds[ODL_DECODER_START_FDS],
                      pid_t *pid)
{
  ForkServer *server = get ();
  bool done = false;

  g_mutex_lock (&server->mutex);
  if (server->users > 0 && !server->failed) {
    done = (server->process != NULL || start (server)) && ask (server, request, fds, pid);
    if (!done) {
      end (server);
      server->failed = true;
    }
  }
  g_mutex_unlock (&server->mutex);
  return done;
}
