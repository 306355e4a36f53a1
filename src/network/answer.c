// SPDX-License-Identifier: MIT
#include "network/answer.h"

#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "decoder/dicom/character_set.h"
#include "network/keys.h"
#include "network/walk.h"

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

bool
odl_answer_read (int fd, uint8_t packed[ODL_NETWORK_MAX_ANSWER], uint32_t *n_packed)
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
