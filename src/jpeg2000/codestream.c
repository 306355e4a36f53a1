// SPDX-License-Identifier: MIT
#include "jpeg2000/codestream.h"

#include <math.h>
#include <string.h>

#include "jpeg2000/packets.h"

// Markers.
enum {
  SOC = 0xFF4F,
  SOT = 0xFF90,
  SOD = 0xFF93,
  EOC = 0xFFD9,
  SIZ = 0xFF51,
  COD = 0xFF52,
  QCD = 0xFF5C,
  COM = 0xFF64,
};

// Bytes of the end of a tile part's header, SOT with its segment and SOD.
#define TILE_HEADER 14

#define MOST_COMMENT 65000

static void
put (GByteArray *out, guint32 value, int bytes)
{
  for (int i = bytes - 1; i >= 0; i--) {
    const guint8 byte = (guint8) (value >> (8 * i));
    g_byte_array_append (out, &byte, 1);
  }
}

static void
put_at (GByteArray *out, guint at, guint32 value)
{
  for (int i = 0; i < 4; i++)
    out->data[at + i] = (guint8) (value >> (24 - 8 * i));
}

// ---- the codestream

static guint32
bit_depth (const OdlJ2kTile *tile, const OdlJ2kFileInfo *info)
{
  return (guint32) (tile->layout.bits - 1) | (info->is_signed ? 0x80 : 0);
}

// A.5.1: size; one tile that is all of the picture.
static void
put_siz (const OdlJ2kTile *tile, const OdlJ2kFileInfo *info, GByteArray *out)
{
  const guint32 width = (guint32) tile->layout.width;
  const guint32 height = (guint32) tile->layout.height;

  put (out, SIZ, 2);
  put (out, 38 + 3 * (guint32) tile->components, 2);
  put (out, 0, 2); // capabilities
  put (out, width, 4);
  put (out, height, 4);
  put (out, 0, 4);
  put (out, 0, 4);
  put (out, width, 4);
  put (out, height, 4);
  put (out, 0, 4);
  put (out, 0, 4);
  put (out, (guint32) tile->components, 2);
  for (int i = 0; i < tile->components; i++) {
    put (out, bit_depth (tile, info), 1);
    put (out, 0x0101, 2); // not subsampled
  }
}

static bool
is_reversible (const OdlJ2kTile *tile)
{
  return !(tile->layout.bands[0].step > 0);
}

// A.6.1: coding style.
static void
put_cod (const OdlJ2kTile *tile, const OdlJ2kFileInfo *info, GByteArray *out)
{
  const guint32 block = (guint32) __builtin_ctz (ODL_J2K_BLOCK_SIDE) - 2;

  put (out, COD, 2);
  put (out, 12, 2);
  put (out, 0, 1); // precincts of the greatest size, no markers in packets
  put (out, 0, 1); // by layer, resolution, component, position
  put (out, 1, 2); // layer
  put (out, info->colours, 1);
  put (out, (guint32) tile->layout.levels, 1);
  put (out, block, 1);
  put (out, block, 1);
  put (out, 0, 1); // style of blocks
  put (out, is_reversible (tile), 1);
}

// A.6.4: quantisation.
static void
put_qcd (const OdlJ2kTile *tile, GByteArray *out)
{
  const OdlJ2kLayout *layout = &tile->layout;
  const bool reversible = is_reversible (tile);

  put (out, QCD, 2);
  put (out, 3 + (guint32) layout->n_bands * (reversible ? 1 : 2), 2);
  put (out, (guint32) layout->guard_bits << 5 | (reversible ? 0 : 2), 1);
  for (int i = 0; i < layout->n_bands; i++) {
    const OdlJ2kBand *band = &layout->bands[i];
    if (reversible)
      put (out, (guint32) band->exponent << 3, 1);
    else
      put (out, (guint32) band->exponent << 11 | (guint32) band->mantissa, 2);
  }
}

static void
put_comment (const char *text, GByteArray *out)
{
  const gsize length = MIN (strlen (text), MOST_COMMENT);

  put (out, COM, 2);
  put (out, 4 + (guint32) length, 2);
  put (out, 1, 2); // ISO 8859-15
  g_byte_array_append (out, (const guint8 *) text, (guint) length);
}

static void
put_main_header (const OdlJ2kTile *tile, const OdlJ2kFileInfo *info, GByteArray *out)
{
  put (out, SOC, 2);
  put_siz (tile, info, out);
  put_cod (tile, info, out);
  put_qcd (tile, out);
  for (gsize i = 0; info->comments != NULL && info->comments[i] != NULL; i++)
    put_comment (info->comments[i], out);
}

static void
put_codestream (const OdlJ2kTile *tile, const OdlJ2kFileInfo *info, GByteArray *out)
{
  put_main_header (tile, info, out);

  const guint start = out->len;
  put (out, SOT, 2);
  put (out, 10, 2);
  put (out, 0, 2); // tile
  put (out, 0, 4); // length: below
  put (out, 0, 1); // part
  put (out, 1, 1); // of one
  put (out, SOD, 2);
  odl_j2k_packets_write (tile, out);
  put_at (out, start + 6, out->len - start);
  put (out, EOC, 2);
}

// ---- boxes

static guint
begin_box (GByteArray *out, const char *type)
{
  const guint start = out->len;

  put (out, 0, 4);
  g_byte_array_append (out, (const guint8 *) type, 4);
  return start;
}

static void
end_box (GByteArray *out, guint start)
{
  put_at (out, start, out->len - start);
}

// I.5.3.7: pixels in a metre as a fraction and a power of ten.
static void
put_resolution (GByteArray *out, const double spacing_mm[2])
{
  enum { DENOMINATOR = 10000 };
  int powers[2];

  for (int axis = 1; axis >= 0; axis--) { // along y first
    const double per_metre = 1000 / spacing_mm[axis];
    powers[axis] = CLAMP ((int) floor (log10 (per_metre)), -127, 127);
    const double fraction = per_metre / pow (10, powers[axis]);
    put (out, (guint32) floor (CLAMP (fraction, 0, 6.5) * DENOMINATOR + 0.5), 2);
    put (out, DENOMINATOR, 2);
  }
  put (out, (guint32) powers[1] & 0xFF, 1);
  put (out, (guint32) powers[0] & 0xFF, 1);
}

static void
put_header_box (const OdlJ2kTile *tile, const OdlJ2kFileInfo *info, GByteArray *out)
{
  const bool alpha = tile->components == 4;
  const guint header = begin_box (out, "jp2h");

  guint box = begin_box (out, "ihdr");
  put (out, (guint32) tile->layout.height, 4);
  put (out, (guint32) tile->layout.width, 4);
  put (out, (guint32) tile->components, 2);
  put (out, bit_depth (tile, info), 1);
  put (out, 7, 1); // the only compression
  put (out, 0, 2); // the colours are known; no rights
  end_box (out, box);
  box = begin_box (out, "colr");
  put (out, 1, 1); // by number
  put (out, 0, 2);
  put (out, tile->components >= 3 ? 16 : 17, 4); // sRGB, grey
  end_box (out, box);
  if (alpha) {
    box = begin_box (out, "cdef");
    put (out, 4, 2);
    for (guint32 i = 0; i < 4; i++) {
      put (out, i, 2);
      put (out, i == 3, 2); // a colour; opacity
      put (out, i == 3 ? 0 : i + 1, 2); // which; of the whole picture
    }
    end_box (out, box);
  }
  if (info->spacing_mm[0] > 0 && info->spacing_mm[1] > 0) {
    box = begin_box (out, "res ");
    const guint captured = begin_box (out, "resc");
    put_resolution (out, info->spacing_mm);
    end_box (out, captured);
    end_box (out, box);
  }
  end_box (out, header);
}

// Signature, file type, and all but the codestream.
static void
put_boxes (const OdlJ2kTile *tile, const OdlJ2kFileInfo *info, GByteArray *out)
{
  guint box = begin_box (out, "jP  ");

  put (out, 0x0D0A870A, 4);
  end_box (out, box);
  box = begin_box (out, "ftyp");
  g_byte_array_append (out, (const guint8 *) "jp2 \0\0\0\0jp2 ", 12);
  end_box (out, box);
  put_header_box (tile, info, out);
}

void
odl_j2k_file_write (const OdlJ2kTile *tile, const OdlJ2kFileInfo *info, GByteArray *out)
{
  if (!info->boxes) {
    put_codestream (tile, info, out);
    return;
  }
  put_boxes (tile, info, out);
  const guint box = begin_box (out, "jp2c");
  put_codestream (tile, info, out);
  end_box (out, box);
}

gsize
odl_j2k_file_overhead (const OdlJ2kTile *tile, const OdlJ2kFileInfo *info)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  enum { BOX_HEADER = 8, END = 2 };

  if (info->boxes)
    put_boxes (tile, info, out);
  put_main_header (tile, info, out);
  return out->len + TILE_HEADER + END + (info->boxes ? BOX_HEADER : 0);
}
