// SPDX-License-Identifier: MIT
#include "network/exchange.h"
#include "network/roles.h"

bool
odl_network_connect (OdlAssociation *association,
                     bool (*connected) (void),
                     OdlNetworkEnd *end)
{
  OdlNetworkContext contexts[ODL_NETWORK_MAX_CONTEXTS];
  uint8_t taken[ODL_NETWORK_MAX_CONTEXTS];
  OdlNetworkReport report = { 0 };
  OdlNetworkOrder order;
  int fd;

  *end = ODL_NETWORK_UNREACHABLE;
  if (!odl_network_take_order (&order, contexts, sizeof contexts, &fd)
      || order.kind != ODL_NETWORK_CONNECT
      || !odl_association_request (association, &order, contexts, connected, taken, end))
    return false;
  report.n_contexts = order.n_contexts;
  return odl_network_report (&report, ODL_NETWORK_CONNECTED, taken);
}

void
odl_network_hang_up (OdlAssociation *association, bool begun, OdlNetworkEnd end)
{
  odl_network_report_end (end, odl_association_reason (association));
  if (begun && (end == ODL_NETWORK_INVALID || end == ODL_NETWORK_SILENT))
    odl_association_abort (association);
}
