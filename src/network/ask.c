// SPDX-License-Identifier: MIT
// One that we ask what it has, and for some of it (PS3.4 C.4.1, C.4.2, C.4.3).
#include <errno.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "decoder/dicom/character_set.h"
#include "network/exchange.h"
#include "network/keys.h"
#include "network/message.h"
#include "network/protocol.h"
#include "network/roles.h"
#include "network/store.h"
#include "network/walk.h"

typedef struct {
  OdlStore store; // of what is got; its file is the one of answers, too
  uint16_t n_asked;
} Asker;

static bool
invalid (Asker *self)
{
  self->store.end = ODL_NETWORK_INVALID;
  return false;
}

// False: the parent has gone.
static bool
tell (Asker *self, OdlNetworkReport *report, OdlNetworkTold kind, const uint8_t *bytes)
{
  self->store.alone = !odl_network_report (report, kind, bytes);
  return !self->store.alone;
}

// ---- Asking ----

static bool
ask (Asker *self, const OdlNetworkOrder *order, uint16_t field, const uint8_t *keys)
{
  OdlAssociation *association = self->store.association;
  const uint8_t context = (uint8_t) order->value;
  OdlCommand command = { .field = field, .id = ++self->n_asked, .has_data = true };
  const OdlFragment data = { context, false, true, keys, order->n_bytes };
  const char *sop_class, *syntax;

  if (!odl_association_find (association, context, &sop_class, &syntax))
    return invalid (self);
  g_strlcpy (command.sop_class, sop_class, sizeof command.sop_class);
  if (field == ODL_COMMAND_MOVE)
    g_strlcpy (command.destination, order->destination, sizeof command.destination);
  return odl_message_write_command (association, context, &command, &self->store.end)
         && odl_association_write (association, &data, &self->store.end);
}

static bool
is_pending (uint16_t status)
{
  return status == ODL_STATUS_PENDING || status == ODL_STATUS_PENDING_WITHOUT_SOME;
}

// Reads an answer to what was asked last, but not its data set.
static bool
is_answer (const Asker *self,
           const OdlCommand *answer,
           uint16_t field,
           uint8_t from,
           uint8_t context)
{
  return answer->field == (field | ODL_COMMAND_IS_ANSWER) && answer->id == self->n_asked
         && from == context;
}

// Whatever stands in it.
static bool
pass_over_data (Asker *self, uint8_t context, const OdlCommand *answer)
{
  int code = 0;

  return !answer->has_data
         || odl_message_read_data (self->store.association, context, -1,
                                   ODL_NETWORK_MAX_DATA, &code, &self->store.end);
}

// ---- Finding ----

// What is kept of a value; the longest one that is wanted is a name in three ways of
// writing (PS3.5 6.2), of 64 characters each.
#define VALUE_BYTES 800
#define SHOWN_BYTES (ODL_NETWORK_MAX_ANSWER / ODL_N_KEYS)

typedef struct {
  char sets[VALUE_BYTES];
  char values[ODL_N_KEYS][VALUE_BYTES];
} Raw;

// Where the value of an element goes; NULL: nowhere.
static char *
place_for (Raw *raw, uint32_t tag)
{
  if (tag == ODL_TAG_CHARACTER_SET)
    return raw->sets;
  for (int i = 0; i < ODL_N_KEYS; i++)
    if (odl_keys[i].tag == tag)
      return raw->values[i];
  return NULL;
}

static bool
read_raw (int fd, Raw *raw)
{
  static const OdlDicomSyntax implicit = { .implicit_vr = true };
  const off_t size = lseek (fd, 0, SEEK_END);
  OdlElement element;
  OdlWalk walk;
  bool good = true;

  odl_walk_begin (&walk, fd, 0, &implicit);
  while (good && odl_walk_tell (&walk) < (uint64_t) size) {
    good = odl_walk_next (&walk, true, &element);
    char *to = good ? place_for (raw, element.tag) : NULL;
    if (to != NULL)
      good = odl_walk_read_text (&walk, &element, to, VALUE_BYTES, false);
    else
      good = good && odl_walk_skip (&walk, &element);
  }
  return good && odl_walk_tell (&walk) == (uint64_t) size;
}

// Appends it with its end, cut between characters.
static void
pack (uint8_t *packed, uint32_t *n_packed, const char *text)
{
  const size_t room = SHOWN_BYTES - 1;
  size_t n = strlen (text);

  if (n > room)
    n = (size_t) (g_utf8_find_prev_char (text, text + room + 1) - text);
  memcpy (packed + *n_packed, text, n);
  packed[*n_packed + n] = '\0';
  *n_packed += (uint32_t) n + 1;
}

// Reads an answer (PS3.4 C.4.1.1.3), of which the keys are wanted, in implicit little
// endian from a file. `packed` gets the value of each
// OdlKey in turn as UTF-8, with its end, none as an empty one. False: it is damaged.
// odl_character_sets_init was called.
static bool
read_answer (int fd, uint8_t packed[ODL_NETWORK_MAX_ANSWER], uint32_t *n_packed)
{
  Raw raw = { 0 };

  if (!read_raw (fd, &raw))
    return false;
  const int set = odl_character_set_find (raw.sets);
  *n_packed = 0;
  for (int i = 0; i < ODL_N_KEYS; i++) {
    g_autofree char *text = odl_character_set_decode (raw.values[i], set);
    pack (packed, n_packed, text);
  }
  return true;
}

static bool
take_answer (Asker *self, uint8_t context, const OdlCommand *answer)
{
  uint8_t packed[ODL_NETWORK_MAX_ANSWER];
  OdlNetworkReport report = { .status = answer->status };
  const int fd = self->store.file_fd;
  int code = ftruncate (fd, 0) == 0 && lseek (fd, 0, SEEK_SET) == 0 ? 0 : errno;

  if (!odl_message_read_data (self->store.association, context, fd, ODL_NETWORK_MAX_DATA,
                              &code, &self->store.end))
    return false;
  if (code == 0 && !read_answer (fd, packed, &report.n_bytes))
    code = EBADMSG;
  report.code = (uint32_t) code;
  return tell (self, &report, ODL_NETWORK_ANSWERED, packed);
}

static bool
find (Asker *self, uint8_t context)
{
  OdlCommand answer;
  uint8_t from;

  for (;;) {
    if (!odl_message_read_command (self->store.association, &answer, &from,
                                   &self->store.end))
      return false;
    if (!is_answer (self, &answer, ODL_COMMAND_FIND, from, context))
      return invalid (self);
    if (!is_pending (answer.status))
      break;
    if (!answer.has_data)
      return invalid (self);
    if (!take_answer (self, context, &answer))
      return false;
  }
  OdlNetworkReport report = { .status = answer.status };
  g_strlcpy (report.reason, answer.comment, sizeof report.reason);
  return pass_over_data (self, context, &answer)
         && tell (self, &report, ODL_NETWORK_ANSWERED, NULL);
}

// ---- Getting ----

static bool
take_count (Asker *self, uint8_t context, const OdlCommand *answer)
{
  OdlNetworkReport report = { .status = answer->status, .counts = answer->counts };

  g_strlcpy (report.reason, answer->comment, sizeof report.reason);
  return pass_over_data (self, context, answer)
         && tell (self, &report, ODL_NETWORK_COUNTED, NULL);
}

// `field`: what was asked for. Nothing comes here of what is moved elsewhere.
static bool
get (Asker *self, uint8_t context, uint16_t field)
{
  OdlCommand command;
  uint8_t from;

  for (;;) {
    if (!odl_message_read_command (self->store.association, &command, &from,
                                   &self->store.end))
      return false;
    if (field == ODL_COMMAND_GET && command.field == ODL_COMMAND_STORE && command.has_data
        && *command.instance != '\0') {
      if (!odl_store_instance (&self->store, from, &command))
        return false;
      continue;
    }
    if (!is_answer (self, &command, field, from, context))
      return invalid (self);
    if (!take_count (self, context, &command))
      return false;
    if (!is_pending (command.status))
      return true;
  }
}

// ---- Orders ----

static bool
serve (Asker *self, const OdlNetworkOrder *order, const uint8_t *keys)
{
  const uint8_t context = (uint8_t) order->value;

  if (order->kind == ODL_NETWORK_RELEASE) {
    if (odl_association_release (self->store.association, &self->store.end))
      self->store.end = ODL_NETWORK_RELEASED;
    return false;
  }
  if (order->kind == ODL_NETWORK_FIND && self->store.file_fd >= 0)
    return ask (self, order, ODL_COMMAND_FIND, keys) && find (self, context);
  if (order->kind == ODL_NETWORK_GET)
    return ask (self, order, ODL_COMMAND_GET, keys)
           && get (self, context, ODL_COMMAND_GET);
  if (order->kind == ODL_NETWORK_MOVE)
    return ask (self, order, ODL_COMMAND_MOVE, keys)
           && get (self, context, ODL_COMMAND_MOVE);
  self->store.alone = true;
  return false;
}

void
odl_network_ask (OdlAssociation *association,
                 uint64_t most_bytes,
                 bool (*connected) (void))
{
  Asker self = { .store = { association, most_bytes, .file_fd = -1 } };
  uint8_t keys[ODL_NETWORK_MAX_KEYS];
  OdlNetworkOrder order = { 0 };
  const bool begun = odl_network_connect (association, connected, &self.store.end);
  bool going = begun;

  while (going
         && odl_network_take_order (&order, keys, sizeof keys, &self.store.file_fd)) {
    going = serve (&self, &order, keys);
    if (self.store.file_fd >= 0)
      close (self.store.file_fd);
    self.store.file_fd = -1;
  }
  if (!self.store.alone)
    odl_network_hang_up (association, begun, self.store.end);
}
