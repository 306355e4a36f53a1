// SPDX-License-Identifier: MIT
// One that we call, as a user of storage (PS3.4 B); and what files are, before it is
// asked for anything.
#include <errno.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "network/dataset.h"
#include "network/exchange.h"
#include "network/message.h"
#include "network/roles.h"

// ---- What a file is ----

// Where its data set begins; 0 with a status in the report: it cannot be sent.
static uint64_t
look_at (int fd, OdlNetworkReport *report)
{
  uint64_t offset = 0;
  const OdlDicomSyntax *syntax = odl_dataset_find (fd, report->syntax, &offset)
                                     ? odl_dicom_syntax_find (report->syntax)
                                     : NULL;

  report->status = syntax != NULL && odl_dataset_look (fd, offset, syntax, &report->facts)
                           && *report->facts.sop_class != '\0'
                       ? ODL_STATUS_SUCCESS
                       : ODL_STATUS_CANNOT_UNDERSTAND;
  return offset;
}

void
odl_network_look (void)
{
  OdlNetworkOrder order;
  int fd;

  while (odl_network_take_order (&order, NULL, 0, &fd)
         && order.kind == ODL_NETWORK_LOOK_AT) {
    OdlNetworkReport report = { 0 };
    look_at (fd, &report);
    odl_dataset_decode (&report.facts);
    if (fd >= 0)
      close (fd);
    if (!odl_network_report (&report, ODL_NETWORK_LOOKED, NULL))
      return;
  }
}

// ---- Sending ----

typedef struct {
  OdlAssociation *association;
  uint16_t n_sent;
  OdlNetworkEnd end;
} Sender;

static bool
read_answer (Sender *self, uint8_t context, OdlNetworkReport *report)
{
  OdlCommand answer;
  uint8_t from;

  if (!odl_message_read_command (self->association, &answer, &from, &self->end))
    return false;
  if (answer.field != (ODL_COMMAND_STORE | ODL_COMMAND_IS_ANSWER)
      || answer.id != self->n_sent || from != context || answer.has_data) {
    self->end = ODL_NETWORK_INVALID;
    return false;
  }
  report->status = answer.status;
  g_strlcpy (report->reason, answer.comment, sizeof report->reason);
  return true;
}

static bool
send_file (Sender *self, uint8_t context, int fd)
{
  OdlNetworkReport report = { 0 };
  OdlCommand command = { .field = ODL_COMMAND_STORE, .has_data = true };
  int code = 0;

  const uint64_t offset = look_at (fd, &report);
  if (report.status == ODL_STATUS_SUCCESS) {
    command.id = ++self->n_sent;
    g_strlcpy (command.sop_class, report.facts.sop_class, sizeof command.sop_class);
    g_strlcpy (command.instance, report.facts.instance, sizeof command.instance);
    self->end = ODL_NETWORK_INVALID;
    if (!odl_message_write_command (self->association, context, &command, &self->end)
        || !odl_message_write_data (self->association, context, fd, offset, &code,
                                    &self->end)
        || !read_answer (self, context, &report))
      return false;
  } else {
    report.code = EINVAL;
  }
  return odl_network_report (&report, ODL_NETWORK_SENT, NULL);
}

void
odl_network_send (OdlAssociation *association, bool (*connected) (void))
{
  Sender self = { .association = association };
  OdlNetworkOrder order;
  bool going = odl_network_connect (association, connected, &self.end);
  const bool begun = going;
  int fd = -1;

  while (going && odl_network_take_order (&order, NULL, 0, &fd)) {
    going = order.kind == ODL_NETWORK_SEND_FILE
            && send_file (&self, (uint8_t) order.value, fd);
    if (order.kind == ODL_NETWORK_RELEASE
        && odl_association_release (association, &self.end))
      self.end = ODL_NETWORK_RELEASED;
    if (fd >= 0)
      close (fd);
  }
  odl_network_hang_up (association, begun, self.end);
}
