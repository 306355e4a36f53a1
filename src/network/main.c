// SPDX-License-Identifier: MIT
// ondelette-network: speaks DICOM with one untrusted peer. See protocol.h.
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "decoder/dicom/character_set.h"
#include "decoder/sandbox.h"
#include "network/exchange.h"
#include "network/roles.h"
#include "network/sandbox.h"

// Data sets go through: what is in memory are fragments and command sets.
#define MEMORY ((size_t) 64 << 20)
#define MOST_META 4096

static bool
close_anyhow (void)
{
  odl_network_sandbox_close ();
  return true;
}

// Tells why there is nothing to come, to a parent that may be about to order something.
static int
give_up (bool ordered, OdlNetworkEnd end, const char *reason)
{
  OdlNetworkOrder order;
  int fd = -1;

  odl_network_report_end (end, reason);
  if (ordered)
    odl_network_take_order (&order, NULL, 0, &fd);
  return 1;
}

int
main (int argc, char **argv)
{
  if (argc != 5 && argc != 8) {
    g_printerr ("ondelette-network is started by Ondelette; it is of no use alone.\n");
    return 2;
  }
  if (!odl_sandbox_die_with_parent (ODL_HELPER_LIFE_FD))
    return 2;
  // A peer that has gone, and a file that is too large, are errors of writing.
  signal (SIGPIPE, SIG_IGN);
  signal (SIGXFSZ, SIG_IGN);
  const bool looks = strcmp (argv[1], ODL_NETWORK_LOOK) == 0;
  const bool asks = strcmp (argv[1], ODL_NETWORK_ASK) == 0;
  const bool calls = asks || strcmp (argv[1], ODL_NETWORK_SEND) == 0;
  const uint64_t most = g_ascii_strtoull (argv[3], NULL, 10);
  const bool optional = strcmp (argv[4], ODL_HELPER_SANDBOX_OPTIONAL) == 0;
  OdlAssociation *association
      = looks ? NULL
              : odl_association_new ((unsigned) g_ascii_strtoull (argv[2], NULL, 10));
  if (asks || looks)
    odl_character_sets_init ();
  if (argc == 8 && !looks) {
    const OdlNetworkTls tls = { argv[5], argv[6], argv[7] };
    if (!odl_association_set_tls (association, calls, &tls))
      return give_up (calls, ODL_NETWORK_NO_KEYS, odl_association_reason (association));
  }
  if (!odl_network_sandbox_enter (calls ? ODL_NETWORK_SANDBOX_CALL
                                        : ODL_NETWORK_SANDBOX_ANSWER,
                                  MEMORY, most + MOST_META)
      && !optional)
    return give_up (calls || looks, ODL_NETWORK_REFUSED, "");
  bool (*const connected) (void) = optional ? close_anyhow : odl_network_sandbox_close;
  if (looks)
    odl_network_look ();
  else if (asks)
    odl_network_ask (association, most, connected);
  else if (calls)
    odl_network_send (association, connected);
  else
    odl_network_receive (association, most);
  // Nothing needs an orderly shutdown.
  _exit (0);
}
