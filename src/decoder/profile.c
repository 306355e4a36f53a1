// SPDX-License-Identifier: MIT
#include "decoder/profile.h"

#include <math.h>
#include <string.h>

#define HEADER_BYTES 128
#define MOST_TAGS 256
#define MOST_NAME 100

// Of sRGB, adapted to the white of profiles; by how much writers differ.
#define SAME_COLOUR 0.003
// Its curve in the middle; of a power of 2.2, which is up to 8 of 256 levels off in the
// dark, it is 0.2176.
#define MIDDLE 0.2140
#define SAME_LEVEL 0.002

typedef struct {
  const uint8_t *data;
  size_t size;
} Bytes;

static uint32_t
read_u32 (const uint8_t *at)
{
  return (uint32_t) at[0] << 24 | (uint32_t) at[1] << 16 | (uint32_t) at[2] << 8 | at[3];
}

static unsigned
read_u16 (const uint8_t *at)
{
  return (unsigned) at[0] << 8 | at[1];
}

// s15Fixed16Number.
static double
read_fixed (const uint8_t *at)
{
  return (int32_t) read_u32 (at) / 65536.0;
}

static bool
is_profile (Bytes profile)
{
  return profile.size >= HEADER_BYTES + 4 && memcmp (profile.data + 36, "acsp", 4) == 0;
}

// The data of a tag, with at least `least` bytes; size 0: none.
static Bytes
find_tag (Bytes profile, const char *name, size_t least)
{
  const uint8_t *table = profile.data + HEADER_BYTES;
  const size_t room = (profile.size - HEADER_BYTES - 4) / 12;
  const size_t n = MIN (MIN ((size_t) read_u32 (table), room), MOST_TAGS);

  for (size_t i = 0; i < n; i++) {
    const uint8_t *entry = table + 4 + 12 * i;
    const size_t offset = read_u32 (entry + 4), size = read_u32 (entry + 8);
    if (memcmp (entry, name, 4) == 0 && offset <= profile.size
        && size <= profile.size - offset && size >= least)
      return (Bytes){ profile.data + offset, size };
  }
  return (Bytes){ NULL, 0 };
}

// ---- its name ------------------------------------------------------------------------

// The first of a multi-localised text, UTF-16.
static char *
localised (Bytes tag)
{
  if (tag.size < 28 || read_u32 (tag.data + 8) == 0)
    return NULL;
  const size_t size = read_u32 (tag.data + 20), offset = read_u32 (tag.data + 24);
  if (offset > tag.size || size > tag.size - offset)
    return NULL;
  gunichar2 units[MOST_NAME];
  const glong n = (glong) MIN (size / 2, MOST_NAME);
  for (glong i = 0; i < n; i++)
    units[i] = (gunichar2) read_u16 (tag.data + offset + 2 * i);
  return g_utf16_to_utf8 (units, n, NULL, NULL, NULL);
}

// Transfer full; "?" where it does not say.
static char *
name_of (Bytes profile)
{
  const Bytes tag = find_tag (profile, "desc", 12);
  char *name = NULL;

  if (tag.size > 0 && memcmp (tag.data, "mluc", 4) == 0)
    name = localised (tag);
  else if (tag.size > 0 && memcmp (tag.data, "desc", 4) == 0) {
    const size_t n = MIN (MIN (read_u32 (tag.data + 8), tag.size - 12), MOST_NAME);
    g_autofree char *raw = g_strndup ((const char *) tag.data + 12, n);
    name = g_utf8_make_valid (raw, -1);
  }
  if (name == NULL)
    return g_strdup ("?");
  for (char *at = name; *at != '\0'; at++)
    if ((unsigned char) *at < ' ' || *at == 0x7f)
      *at = ' ';
  g_strstrip (name);
  return name;
}

// ---- whether it is sRGB --------------------------------------------------------------

// A tone curve at 1/2; NaN: not understood.
static double
middle_of_curve (Bytes tag)
{
  static const int n_parameters[] = { 1, 3, 4, 5, 7 };
  // g, a, b, c, d, e, f.
  double p[7] = { 1, 1 };

  if (tag.size >= 12 && memcmp (tag.data, "curv", 4) == 0) {
    const size_t n = read_u32 (tag.data + 8);
    if (n == 0)
      return 0.5;
    if (n > (tag.size - 12) / 2)
      return NAN;
    if (n == 1)
      return pow (0.5, read_u16 (tag.data + 12) / 256.0);
    const unsigned low = read_u16 (tag.data + 12 + (n - 1) / 2 * 2);
    const unsigned high = read_u16 (tag.data + 12 + n / 2 * 2);
    return (low + high) / 2.0 / 65535;
  }
  if (tag.size < 12 || memcmp (tag.data, "para", 4) != 0)
    return NAN;
  const unsigned kind = read_u16 (tag.data + 8);
  if (kind >= G_N_ELEMENTS (n_parameters)
      || (tag.size - 12) / 4 < (size_t) n_parameters[kind])
    return NAN;
  for (int i = 0; i < n_parameters[kind]; i++)
    p[i] = read_fixed (tag.data + 12 + 4 * i);
  return pow (p[1] * 0.5 + p[2], p[0]) + (kind == 2 ? p[3] : kind == 4 ? p[5] : 0);
}

static bool
has_curve (Bytes profile, const char *name)
{
  return fabs (middle_of_curve (find_tag (profile, name, 12)) - MIDDLE) < SAME_LEVEL;
}

static bool
is_srgb (Bytes profile)
{
  static const struct {
    const char *colour;
    const char *curve;
    double xyz[3];
  } rows[] = {
    { "rXYZ", "rTRC", { 0.4361, 0.2225, 0.0139 } },
    { "gXYZ", "gTRC", { 0.3851, 0.7169, 0.0971 } },
    { "bXYZ", "bTRC", { 0.1431, 0.0606, 0.7141 } },
  };

  if (memcmp (profile.data + 16, "GRAY", 4) == 0)
    return has_curve (profile, "kTRC");
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    const Bytes colour = find_tag (profile, rows[i].colour, 20);
    if (colour.size == 0 || !has_curve (profile, rows[i].curve))
      return false;
    for (int k = 0; k < 3; k++)
      if (!(fabs (read_fixed (colour.data + 8 + 4 * k) - rows[i].xyz[k]) < SAME_COLOUR))
        return false;
  }
  return true;
}

void
odl_picture_note_profile (OdlPicture *picture, const uint8_t *profile, size_t size)
{
  const Bytes bytes = { profile, size };

  if (profile == NULL || size == 0)
    return;
  g_autofree char *name = is_profile (bytes) ? name_of (bytes) : g_strdup ("?");
  odl_picture_detail (picture, "colour-profile", "%s", name);
  odl_picture_detail (picture, "colour-profile-applied", "%s",
                      is_profile (bytes) && is_srgb (bytes) ? "yes" : "no");
}
