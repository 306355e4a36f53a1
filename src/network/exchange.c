// SPDX-License-Identifier: MIT
#include "network/exchange.h"

#include <string.h>
#include <unistd.h>

// Texts of the parent end where they should.
static bool
is_whole (const OdlNetworkOrder *order)
{
  return memchr (order->address, '\0', sizeof order->address) != NULL
         && memchr (order->host, '\0', sizeof order->host) != NULL
         && memchr (order->calling, '\0', sizeof order->calling) != NULL
         && memchr (order->called, '\0', sizeof order->called) != NULL
         && memchr (order->destination, '\0', sizeof order->destination) != NULL
         && memchr (order->comment, '\0', sizeof order->comment) != NULL;
}

bool
odl_network_take_order (OdlNetworkOrder *order, void *more, size_t room, int *fd)
{
  OdlMessage message
      = { .parts = { { order, sizeof *order }, { more, room } }, .n_fds = 1 };
  const size_t n = odl_message_receive (ODL_HELPER_SOCKET_FD, &message, 0);

  *fd = message.fds[0];
  if (n >= sizeof *order && order->magic == ODL_NETWORK_MAGIC
      && order->version == ODL_NETWORK_VERSION && order->kind < ODL_NETWORK_N_ORDERS
      && order->n_contexts <= ODL_NETWORK_MAX_CONTEXTS
      && order->n_bytes <= ODL_NETWORK_MAX_KEYS
      && n - sizeof *order
             == order->n_contexts * sizeof (OdlNetworkContext) + order->n_bytes
      && is_whole (order))
    return true;
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
  return false;
}

bool
odl_network_report (OdlNetworkReport *report, OdlNetworkTold kind, const uint8_t *bytes)
{
  report->magic = ODL_NETWORK_MAGIC;
  report->version = ODL_NETWORK_VERSION;
  report->kind = kind;
  const OdlMessage message
      = { .parts = { { report, sizeof *report },
                     { (void *) bytes,
                       bytes != NULL ? report->n_contexts + report->n_bytes : 0 } } };
  return odl_message_send (ODL_HELPER_SOCKET_FD, &message, 0);
}

void
odl_network_report_end (OdlNetworkEnd end, const char *reason)
{
  OdlNetworkReport report = { .end = end };

  g_strlcpy (report.reason, reason, sizeof report.reason);
  odl_network_report (&report, ODL_NETWORK_ENDED, NULL);
}
