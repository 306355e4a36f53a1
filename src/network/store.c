// SPDX-License-Identifier: MIT
#include "network/store.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "network/dataset.h"
#include "network/exchange.h"
#include "network/message.h"
#include "network/title.h"

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

#define PREAMBLE 128
#define META_BYTES 1024

typedef struct {
  uint8_t bytes[META_BYTES];
  size_t n;
} Meta;

static void
put (Meta *out, const void *bytes, size_t n)
{
  memcpy (out->bytes + out->n, bytes, n);
  out->n += n;
}

static void
put_header (Meta *out, unsigned element, const char *vr, size_t length)
{
  const uint8_t header[] = { 2,
                             0,
                             (uint8_t) element,
                             (uint8_t) (element >> 8),
                             (uint8_t) vr[0],
                             (uint8_t) vr[1],
                             (uint8_t) length,
                             (uint8_t) (length >> 8) };

  put (out, header, sizeof header);
}

static void
put_text (Meta *out, unsigned element, const char *vr, const char *text, char padding)
{
  const size_t n = strlen (text);

  put_header (out, element, vr, n + n % 2);
  put (out, text, n);
  if (n % 2 != 0)
    put (out, &padding, 1);
}

// Writes the beginning of a DICOM file (PS3.10 7.1) to an empty file. It says nothing
// about who sent it, so that the same instance in the same transfer syntax is the same
// file. Returns where the data set begins. *code is an errno, 0 for success.
static uint64_t
write_meta (int fd, const OdlCommand *asked, const char *syntax, int *code)
{
  // Version 1, with a length of 32 bits.
  static const uint8_t version[] = { 2, 0, 1, 0, 'O', 'B', 0, 0, 2, 0, 0, 0, 0, 1 };
  Meta out = { .n = PREAMBLE };

  put (&out, "DICM", 4);
  put_header (&out, 0x0000, "UL", 4);
  const size_t length_at = out.n;
  put (&out, "\0\0\0", 4);
  put (&out, version, sizeof version);
  put_text (&out, 0x0002, "UI", asked->sop_class, '\0');
  put_text (&out, 0x0003, "UI", asked->instance, '\0');
  put_text (&out, 0x0010, "UI", syntax, '\0');
  put_text (&out, 0x0012, "UI", ODL_NETWORK_CLASS_UID, '\0');
  put_text (&out, 0x0013, "SH", ODL_NETWORK_VERSION_NAME, ' ');
  const size_t length = out.n - length_at - 4;
  for (int i = 0; i < 4; i++)
    out.bytes[length_at + i] = (uint8_t) (length >> 8 * i);

  const ssize_t n = fd >= 0 ? write (fd, out.bytes, out.n) : 0;
  if (n != (ssize_t) out.n)
    *code = fd < 0 || n < 0 ? (fd < 0 ? EBADF : errno) : ENOSPC;
  return out.n;
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
  const uint64_t body = write_meta (self->file_fd, asked, report.syntax, &code);
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
