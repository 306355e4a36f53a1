// SPDX-License-Identifier: MIT
// One who calls: verification and storage (PS3.4 A and B).
#include <glib.h>
#include <string.h>

#include "network/exchange.h"
#include "network/message.h"
#include "network/roles.h"
#include "network/store.h"

// ---- Messages ----

static bool
serve (OdlStore *self, uint8_t context, const OdlCommand *asked)
{
  int code = 0;

  if (asked->field == ODL_COMMAND_STORE && asked->has_data && *asked->instance != '\0')
    return odl_store_instance (self, context, asked);
  if (asked->has_data
      && !odl_message_read_data (self->association, context, -1, self->most_bytes, &code,
                                 &self->end))
    return false;
  if (asked->field == ODL_COMMAND_ECHO)
    return odl_store_answer (self, context, asked, ODL_STATUS_SUCCESS);
  if (asked->field == ODL_COMMAND_STORE)
    return odl_store_answer (self, context, asked, ODL_STATUS_CANNOT_UNDERSTAND);
  // Nothing is on its way that could be cancelled.
  if (asked->field == ODL_COMMAND_CANCEL || (asked->field & ODL_COMMAND_IS_ANSWER) != 0)
    return true;
  return odl_store_answer (self, context, asked, ODL_STATUS_UNKNOWN_OPERATION);
}

// False: there is no association, for whatever reason.
static bool
begin (OdlStore *self)
{
  OdlAssociation *association = self->association;
  OdlNetworkReport report = { 0 };
  OdlNetworkOrder order;

  if (!odl_association_receive (association, ODL_HELPER_FILE_FD, &self->end))
    return false;
  g_strlcpy (report.calling, odl_association_calling (association),
             sizeof report.calling);
  g_strlcpy (report.called, odl_association_called (association), sizeof report.called);
  report.n_contexts = odl_association_n_contexts (association);
  self->alone = !odl_network_report (&report, ODL_NETWORK_CALLED, NULL)
                || !odl_network_take_order (&order, NULL, 0, &self->file_fd)
                || order.kind != ODL_NETWORK_VERDICT;
  if (self->alone)
    return false;
  if (order.value == ODL_NETWORK_ACCEPT)
    return odl_association_accept (association, &self->end);
  odl_association_reject (association, (OdlNetworkVerdict) order.value);
  self->end = ODL_NETWORK_REJECTED;
  return false;
}

void
odl_network_receive (OdlAssociation *association, uint64_t most_bytes)
{
  OdlStore self = { .association = association, .most_bytes = most_bytes, .file_fd = -1 };
  bool going = begin (&self);
  const bool begun = going;

  while (going) {
    OdlCommand command;
    uint8_t context;
    going = odl_message_read_command (association, &command, &context, &self.end)
            && serve (&self, context, &command);
  }
  if (self.alone)
    return;
  if (self.end == ODL_NETWORK_RELEASED)
    odl_association_confirm_release (association);
  odl_network_hang_up (association, begun, self.end);
}
