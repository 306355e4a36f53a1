// SPDX-License-Identifier: MIT
#include "network/command.h"

#include <string.h>

// Elements of group 0000.
enum {
  GROUP_LENGTH = 0x0000,
  SOP_CLASS = 0x0002,
  FIELD = 0x0100,
  MESSAGE_ID = 0x0110,
  ANSWERED_ID = 0x0120,
  DESTINATION = 0x0600,
  PRIORITY = 0x0700,
  DATA_SET_TYPE = 0x0800,
  STATUS = 0x0900,
  COMMENT = 0x0902,
  INSTANCE = 0x1000,
  REMAINING = 0x1020,
  COMPLETED = 0x1021,
  FAILED = 0x1022,
  WARNINGS = 0x1023,
};

#define NO_DATA_SET 0x0101
#define ANY_DATA_SET 0x0001
#define HEADER_BYTES 8

static uint32_t
little (const uint8_t *bytes, int n)
{
  uint32_t value = 0;

  for (int i = 0; i < n; i++)
    value |= (uint32_t) bytes[i] << 8 * i;
  return value;
}

// ---- Reading ----

// False: it does not fit, or holds what no text may.
static bool
take_text (const uint8_t *value, uint32_t length, char *text, size_t size)
{
  while (length > 0 && (value[length - 1] == '\0' || value[length - 1] == ' '))
    length--;
  if (length >= size || memchr (value, '\0', length) != NULL)
    return false;
  memcpy (text, value, length);
  text[length] = '\0';
  return true;
}

static bool
take (OdlCommand *command, uint32_t element, const uint8_t *value, uint32_t length)
{
  switch (element) {
  case SOP_CLASS:
    return take_text (value, length, command->sop_class, sizeof command->sop_class);
  case INSTANCE:
    return take_text (value, length, command->instance, sizeof command->instance);
  case COMMENT:
    // Cut where it is too long: it is for people alone.
    if (length >= sizeof command->comment)
      length = sizeof command->comment - 1;
    take_text (value, length, command->comment, sizeof command->comment);
    return true;
  case FIELD:
  case MESSAGE_ID:
  case ANSWERED_ID:
  case DATA_SET_TYPE:
  case STATUS:
  case REMAINING:
  case COMPLETED:
  case FAILED:
  case WARNINGS:
    break;
  default:
    return true;
  }
  if (length != 2)
    return false;
  const uint16_t number = (uint16_t) little (value, 2);
  if (element == FIELD)
    command->field = number;
  else if (element == STATUS)
    command->status = number;
  else if (element == DATA_SET_TYPE)
    command->has_data = number != NO_DATA_SET;
  else if (element == REMAINING)
    command->counts.remaining = number;
  else if (element == COMPLETED)
    command->counts.completed = number;
  else if (element == FAILED)
    command->counts.failed = number;
  else if (element == WARNINGS)
    command->counts.warnings = number;
  else
    command->id = number;
  return true;
}

bool
odl_command_parse (const uint8_t *data, size_t n, OdlCommand *command)
{
  *command = (OdlCommand){ 0 };
  while (n >= HEADER_BYTES) {
    const uint32_t group = little (data, 2), element = little (data + 2, 2);
    const uint32_t length = little (data + 4, 4);
    // Orthanc has the list of what failed here, rather than in a data set.
    if (length > n - HEADER_BYTES
        || (group == 0 && !take (command, element, data + HEADER_BYTES, length)))
      return false;
    data += HEADER_BYTES + length;
    n -= HEADER_BYTES + length;
  }
  return n == 0 && command->field != 0;
}

// ---- Building ----

typedef struct {
  uint8_t *bytes;
  size_t n;
} Out;

static void
put_number (Out *out, uint32_t number, int n)
{
  for (int i = 0; i < n; i++)
    out->bytes[out->n++] = (uint8_t) (number >> 8 * i);
}

static void
put_header (Out *out, uint32_t element, uint32_t length)
{
  put_number (out, 0, 2);
  put_number (out, element, 2);
  put_number (out, length, 4);
}

static void
put_short (Out *out, uint32_t element, uint32_t number)
{
  put_header (out, element, 2);
  put_number (out, number, 2);
}

// Nothing for an empty one.
static void
put_text (Out *out, uint32_t element, const char *text, char padding)
{
  const size_t n = strlen (text);

  if (n == 0)
    return;
  put_header (out, element, (uint32_t) (n + n % 2));
  memcpy (out->bytes + out->n, text, n);
  out->n += n;
  if (n % 2 != 0)
    out->bytes[out->n++] = (uint8_t) padding;
}

size_t
odl_command_build (const OdlCommand *command, uint8_t bytes[ODL_COMMAND_MAX_BYTES])
{
  const bool answer = (command->field & ODL_COMMAND_IS_ANSWER) != 0;
  const bool store = (command->field & ~ODL_COMMAND_IS_ANSWER) == ODL_COMMAND_STORE;
  Out out = { bytes, 0 };

  put_header (&out, GROUP_LENGTH, 4);
  put_number (&out, 0, 4);
  const size_t begin = out.n;
  put_text (&out, SOP_CLASS, command->sop_class, '\0');
  put_short (&out, FIELD, command->field);
  put_short (&out, answer ? ANSWERED_ID : MESSAGE_ID, command->id);
  put_text (&out, DESTINATION, command->destination, ' ');
  if (!answer && command->field != ODL_COMMAND_ECHO
      && command->field != ODL_COMMAND_CANCEL)
    put_short (&out, PRIORITY, 0);
  put_short (&out, DATA_SET_TYPE, command->has_data ? ANY_DATA_SET : NO_DATA_SET);
  if (answer) {
    put_short (&out, STATUS, command->status);
    put_text (&out, COMMENT, command->comment, ' ');
  }
  if (store)
    put_text (&out, INSTANCE, command->instance, '\0');
  Out length = { bytes, HEADER_BYTES };
  put_number (&length, (uint32_t) (out.n - begin), 4);
  return out.n;
}
