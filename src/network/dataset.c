// SPDX-License-Identifier: MIT
#include "network/dataset.h"

#include <glib.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "decoder/dicom/character_set.h"
#include "network/keys.h"
#include "network/walk.h"

#define STUDY ODL_TAG (0x0020, 0x000d)
#define SERIES ODL_TAG (0x0020, 0x000e)
#define TRANSFER_SYNTAX ODL_TAG (0x0002, 0x0010)

// ---- What is looked for ----

static const struct {
  uint32_t tag;
  size_t offset, size;
  bool is_uid; // too long ones are none
} wanted[] = {
#define ROW(tag, field, is_uid) \
  { \
    tag, offsetof (OdlNetworkFacts, field), sizeof ((OdlNetworkFacts *) NULL)->field, \
        is_uid \
  }
  ROW (ODL_TAG_CHARACTER_SET, sets, false),
  ROW (ODL_TAG (0x0008, 0x0016), sop_class, true),
  ROW (ODL_TAG (0x0008, 0x0018), instance, true),
  ROW (ODL_TAG (0x0008, 0x0060), modality, false),
  ROW (ODL_TAG (0x0008, 0x0070), maker, false),
  ROW (ODL_TAG (0x0008, 0x1090), model, false),
  ROW (ODL_TAG (0x0010, 0x0010), name, false),
  ROW (ODL_TAG (0x0010, 0x0020), patient, false),
  ROW (ODL_TAG (0x0010, 0x0030), birth, false),
  ROW (ODL_TAG (0x0018, 0x0015), body_part, false),
  ROW (STUDY, study, true),
  ROW (SERIES, series, true),
#undef ROW
};

static bool
read_element (OdlWalk *walk, const OdlElement *element, OdlNetworkFacts *facts)
{
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (wanted[i].tag == element->tag && element->length != ODL_WALK_UNDEFINED)
      return odl_walk_read_text (walk, element, (char *) facts + wanted[i].offset,
                                 wanted[i].size, wanted[i].is_uid);
  return odl_walk_skip (walk, element);
}

static bool
walk_to_series (OdlWalk *walk, bool implicit, OdlNetworkFacts *facts)
{
  OdlElement element = { 0 };

  while (element.tag < SERIES) {
    const uint32_t before = element.tag;
    if (!odl_walk_next (walk, implicit, &element)
        || (before != 0 && element.tag <= before) || element.tag > SERIES)
      break;
    if (!read_element (walk, &element, facts))
      return false;
  }
  return *facts->instance != '\0' && *facts->study != '\0' && *facts->series != '\0';
}

bool
odl_dataset_look (int fd,
                  uint64_t offset,
                  const OdlDicomSyntax *syntax,
                  OdlNetworkFacts *facts)
{
  OdlWalk walk;

  *facts = (OdlNetworkFacts){ 0 };
  if (!odl_walk_begin (&walk, fd, offset, syntax))
    return false;
  const bool found = walk_to_series (&walk, syntax->implicit_vr, facts);
  odl_walk_end (&walk);
  return found;
}

static void
take_decoded (const char *raw, int set, char *to)
{
  g_autofree char *text = odl_character_set_decode (raw, set);

  // Cut between characters.
  g_utf8_strncpy (to, text, g_utf8_strlen (text, ODL_NETWORK_NAME - 1));
}

void
odl_dataset_decode (OdlNetworkFacts *facts)
{
  const int set = odl_character_set_find (facts->sets);

  take_decoded (facts->patient, set, facts->number);
  take_decoded (facts->name, set, facts->name);
}

// ---- Files ----

#define PREAMBLE 128
#define EXPLICIT "1.2.840.10008.1.2.1"
#define IMPLICIT "1.2.840.10008.1.2"

static bool
is_vr (const uint8_t *bytes)
{
  return bytes[0] >= 'A' && bytes[0] <= 'Z' && bytes[1] >= 'A' && bytes[1] <= 'Z';
}

bool
odl_dataset_find (int fd, char syntax[ODL_NETWORK_UID], uint64_t *offset)
{
  static const OdlDicomSyntax explicit = { .uid = EXPLICIT };
  OdlWalk walk;
  uint8_t mark[4], head[6];
  uint64_t at = PREAMBLE + sizeof mark;

  *syntax = '\0';
  if (pread (fd, mark, sizeof mark, PREAMBLE) != sizeof mark
      || memcmp (mark, "DICM", sizeof mark) != 0) {
    // A data set without preamble: its first element is of group 8.
    *offset = 0;
    if (pread (fd, head, sizeof head, 0) != sizeof head || head[0] != 8 || head[1] != 0)
      return false;
    strcpy (syntax, is_vr (head + 4) ? EXPLICIT : IMPLICIT);
    return true;
  }
  odl_walk_begin (&walk, fd, at, &explicit);
  for (;;) {
    OdlElement element;
    if (pread (fd, head, 2, (off_t) at) != 2)
      return false;
    if (head[0] != 2 || head[1] != 0)
      break;
    if (!odl_walk_next (&walk, false, &element) || element.length == ODL_WALK_UNDEFINED)
      return false;
    const bool read
        = element.tag == TRANSFER_SYNTAX
              ? odl_walk_read_text (&walk, &element, syntax, ODL_NETWORK_UID, true)
              : odl_walk_skip (&walk, &element);
    if (!read)
      return false;
    at = odl_walk_tell (&walk);
  }
  *offset = at;
  return *syntax != '\0';
}
