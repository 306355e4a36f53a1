// SPDX-License-Identifier: MIT
#include "network/store.h"

#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "network/dataset.h"
#include "network/exchange.h"
#include "network/message.h"
#include "network/meta.h"

static void
replace_file (OdlStore *self, int fd)
{
  if (self->file_fd >= 0)
    close (self->file_fd);
  self->file_fd = fd;
}

static bool
answer (OdlStore *self,
        uint8_t context,
        const OdlCommand *asked,
        const OdlNetworkOrder *how)
{
  OdlCommand command = { .field = asked->field | ODL_COMMAND_IS_ANSWER,
                         .id = asked->id,
                         .status = (uint16_t) how->value };

  g_strlcpy (command.sop_class, asked->sop_class, sizeof command.sop_class);
  g_strlcpy (command.instance, asked->instance, sizeof command.instance);
  g_strlcpy (command.comment, how->comment, sizeof command.comment);
  return odl_message_write_command (self->association, context, &command, &self->end);
}

bool
odl_store_answer (OdlStore *self,
                  uint8_t context,
                  const OdlCommand *asked,
                  uint32_t status)
{
  return answer (self, context, asked, &(OdlNetworkOrder){ .value = status });
}

// What is wrong with an instance that was written.
static uint32_t
check (const OdlStore *self,
       uint64_t body,
       const OdlCommand *asked,
       OdlNetworkReport *report)
{
  const OdlDicomSyntax *syntax = odl_dicom_syntax_find (report->syntax);
  OdlNetworkFacts *facts = &report->facts;

  if (!odl_dataset_look (self->file_fd, body, syntax, facts))
    return ODL_STATUS_CANNOT_UNDERSTAND;
  // What was asked for is what will be answered for.
  if (strcmp (facts->instance, asked->instance) != 0
      || (*facts->sop_class != '\0' && strcmp (facts->sop_class, asked->sop_class) != 0))
    return ODL_STATUS_MISMATCH;
  g_strlcpy (facts->sop_class, asked->sop_class, sizeof facts->sop_class);
  return ODL_STATUS_SUCCESS;
}

// Tells of the instance, whose status the parent decides.
static bool
ask_parent (OdlStore *self, OdlNetworkReport *report, OdlNetworkOrder *order)
{
  int fd;

  self->alone = !odl_network_report (report, ODL_NETWORK_STORED, NULL)
                || !odl_network_take_order (order, NULL, 0, &fd)
                || order->kind != ODL_NETWORK_STATUS;
  if (!self->alone)
    replace_file (self, fd);
  return !self->alone;
}

bool
odl_store_instance (OdlStore *self, uint8_t context, const OdlCommand *asked)
{
  OdlNetworkReport report = { 0 };
  OdlNetworkOrder order;
  const char *sop_class, *syntax;
  int code = 0;

  if (!odl_association_find (self->association, context, &sop_class, &syntax)) {
    self->end = ODL_NETWORK_INVALID;
    return false;
  }
  g_strlcpy (report.syntax, syntax, sizeof report.syntax);
  const uint64_t body = odl_meta_write (self->file_fd, asked, report.syntax, &code);
  if (!odl_message_read_data (self->association, context, self->file_fd, self->most_bytes,
                              &code, &self->end))
    return false;
  report.code = (uint32_t) code;
  report.bytes = code == 0 ? (uint64_t) lseek (self->file_fd, 0, SEEK_CUR) : 0;
  report.status
      = code == 0 ? check (self, body, asked, &report) : ODL_STATUS_NO_RESOURCES;
  g_strlcpy (report.facts.instance, asked->instance, sizeof report.facts.instance);
  return ask_parent (self, &report, &order) && answer (self, context, asked, &order);
}
