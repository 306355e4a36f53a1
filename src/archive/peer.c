// SPDX-License-Identifier: MIT
#include "archive/peer.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/text.h"
#include "source/helper/process.h"
#include "source/helper/sandbox.h"

// Processor time between two messages: a helper only passes on what comes.
#define PATIENCE_NS (INT64_C (30) * 1000000000)

static const OdlHelperKind network_kind
    = { "ondelette-network", "network", "ODL_NETWORK" };

struct _OdlPeer {
  OdlHelperProcess *process;
};

bool
odl_peer_tls_check (const OdlPeerTls *tls, bool needs_key, GError **error)
{
  const char *const files[] = { tls->key, tls->certificate, tls->authorities };

  if (tls->authorities == NULL || (tls->key == NULL) != (tls->certificate == NULL))
    return odl_usage_error (error, _ ("TLS needs --tls-ca, and --tls-key and --tls-cert "
                                      "together or neither."));
  if (needs_key && tls->key == NULL)
    return odl_usage_error (error, _ ("A node with TLS needs --tls-key and --tls-cert."));
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    if (files[i] != NULL && !g_file_test (files[i], G_FILE_TEST_IS_REGULAR))
      return odl_error_set (error, ODL_ERROR_IO, _ ("%s: there is no such file"),
                            files[i]);
  return true;
}

OdlPeer *
odl_peer_start (const OdlPeerStart *how, GError **error)
{
  g_autofree char *idle = g_strdup_printf ("%u", how->idle_seconds);
  g_autofree char *most = g_strdup_printf ("%" G_GUINT64_FORMAT, how->most_bytes);
  const char *const arguments[]
      = { how->role,
          idle,
          most,
          odl_sandbox_is_optional () ? ODL_HELPER_SANDBOX_OPTIONAL
                                     : ODL_HELPER_SANDBOX_REQUIRED,
          how->tls == NULL        ? NULL
          : how->tls->key != NULL ? how->tls->key
                                  : "",
          how->tls != NULL && how->tls->certificate != NULL ? how->tls->certificate : "",
          how->tls != NULL ? how->tls->authorities : NULL,
          NULL };
  const OdlHelperFd fd = { how->connection_fd, ODL_HELPER_FILE_FD };
  const OdlHelperStart start = { .arguments = arguments,
                                 .fds = &fd,
                                 .n_fds = how->connection_fd >= 0 ? 1 : 0,
                                 .patience_ns = PATIENCE_NS };
  OdlHelperProcess *process = odl_helper_process_start (&network_kind, &start, error);

  if (process == NULL)
    return NULL;
  OdlPeer *self = g_new (OdlPeer, 1);
  self->process = process;
  return self;
}

// What is said of helpers is about files.
static void
explain (GError **error)
{
  GError *given = *error;

  *error = NULL;
  if (g_error_matches (given, ODL_ERROR, ODL_ERROR_CANCELLED)) {
    g_propagate_error (error, given);
    return;
  }
  if (g_error_matches (given, ODL_ERROR, ODL_ERROR_TOO_LARGE))
    odl_error_set (error, ODL_ERROR_TOO_LARGE,
                   _ ("what came took more time or memory than it may, and was cut off"));
  else
    odl_error_set (error, ODL_ERROR_CORRUPT,
                   _ ("the helper for the network ended without a word; what came is "
                      "damaged, or of a kind that it cannot handle"));
  g_error_free (given);
}

bool
odl_peer_order (OdlPeer *self,
                OdlNetworkOrder *order,
                const void *more,
                int fd,
                GError **error)
{
  g_autoptr (GError) given = NULL;

  order->magic = ODL_NETWORK_MAGIC;
  order->version = ODL_NETWORK_VERSION;
  OdlMessage message = {
    .parts = { { order, sizeof *order },
               { (void *) more,
                 order->n_contexts * sizeof (OdlNetworkContext) + order->n_bytes } },
    .fds = { fd },
    .n_fds = fd >= 0 ? 1 : 0,
  };
  if (odl_helper_process_send (self->process, &message, &given)) {
    odl_helper_process_expect (self->process, PATIENCE_NS);
    return true;
  }
  explain (&given);
  g_propagate_error (error, g_steal_pointer (&given));
  return false;
}

static void
end_texts (OdlNetworkReport *report)
{
  OdlNetworkFacts *facts = &report->facts;
  const struct {
    char *text;
    gsize size;
  } texts[] = {
#define TEXT(field) { field, sizeof field }
    TEXT (report->calling), TEXT (report->called),   TEXT (report->syntax),
    TEXT (report->reason),  TEXT (facts->sop_class), TEXT (facts->instance),
    TEXT (facts->study),    TEXT (facts->series),    TEXT (facts->modality),
    TEXT (facts->maker),    TEXT (facts->model),     TEXT (facts->body_part),
    TEXT (facts->patient),  TEXT (facts->birth),     TEXT (facts->sets),
    TEXT (facts->name),     TEXT (facts->number),
#undef TEXT
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    texts[i].text[texts[i].size - 1] = '\0';
}

bool
odl_peer_receive (OdlPeer *self,
                  OdlNetworkReport *report,
                  guint8 *bytes,
                  gsize room,
                  GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (GError) given = NULL;
  OdlMessage message = { .parts = { { report, sizeof *report }, { bytes, room } } };
  const gsize n
      = odl_helper_process_receive (self->process, &message, cancellable, &given);

  if (n == 0) {
    explain (&given);
    g_propagate_error (error, g_steal_pointer (&given));
    return false;
  }
  if (n < sizeof *report || report->magic != ODL_NETWORK_MAGIC
      || report->version != ODL_NETWORK_VERSION || report->kind >= ODL_NETWORK_N_TOLD
      || report->end >= ODL_NETWORK_N_ENDS
      || (bytes != NULL && report->kind == ODL_NETWORK_CONNECTED
          && n != sizeof *report + report->n_contexts)
      || (bytes != NULL && report->kind == ODL_NETWORK_ANSWERED
          && n != sizeof *report + report->n_bytes))
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("the helper for the network gave an invalid answer"));
  end_texts (report);
  odl_helper_process_expect (self->process, PATIENCE_NS);
  return true;
}

void
odl_peer_wait (OdlPeer *self, GCancellable *cancellable)
{
  OdlNetworkReport report;
  OdlMessage message = { .parts = { { &report, sizeof report } } };

  while (odl_helper_process_receive (self->process, &message, cancellable, NULL) > 0)
    continue;
}

void
odl_peer_end (OdlPeer *self)
{
  if (self == NULL)
    return;
  odl_helper_process_end (self->process);
  g_free (self);
}

char *
odl_peer_end_to_text (const OdlNetworkReport *report)
{
  static const char *const ends[ODL_NETWORK_N_ENDS] = {
    [ODL_NETWORK_RELEASED] = N_ ("ended in order"),
    [ODL_NETWORK_ABORTED] = N_ ("aborted by the other side"),
    [ODL_NETWORK_CLOSED] = N_ ("cut off without a word"),
    [ODL_NETWORK_SILENT]
    = N_ ("given up, since the other side said nothing for too long"),
    [ODL_NETWORK_INVALID] = N_ ("ended, since what the other side says is no DICOM"),
    [ODL_NETWORK_REJECTED] = N_ ("rejected"),
    [ODL_NETWORK_UNREACHABLE] = N_ ("not possible: nobody answers there"),
    [ODL_NETWORK_NOBODY]
    = N_ ("given up: nobody answered there in time; the machine is off, something on the "
          "way lets nobody through, or too many callers wait there"),
    [ODL_NETWORK_MUTE]
    = N_ ("given up: something takes connections there and answers nothing; the node "
          "hangs, has ended and left its port open, or is very busy"),
    [ODL_NETWORK_REFUSED] = N_ ("not possible: this system refuses the sandbox (seccomp) "
                                "that keeps hostile messages from doing harm"),
    [ODL_NETWORK_NOT_TRUSTED] = N_ ("not possible: both sides do not agree upon TLS"),
    [ODL_NETWORK_CUT_BEHIND_TLS]
    = N_ ("cut off without a word once encrypted (TLS): the other side may ask for a "
          "certificate of ours, or does not trust the one that it got"),
    [ODL_NETWORK_NO_KEYS] = N_ ("not possible: the files of TLS are of no use"),
    [ODL_NETWORK_ANOTHER_HOST]
    = N_ ("not possible: the certificate there is not of the host that was called; "
          "--tls-any-host takes it all the same"),
  };
  g_autofree char *reason = odl_text_in_one_line (report->reason);

  odl_text_cut_stop (reason);
  return *reason != '\0' && report->end != ODL_NETWORK_RELEASED
             ? g_strdup_printf ("%s (%s)", _ (ends[report->end]), reason)
             : g_strdup (_ (ends[report->end]));
}
