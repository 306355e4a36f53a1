// SPDX-License-Identifier: MIT
#include "jpeg2000/packets.h"

#include "jpeg2000/tag_tree.h"

// A precinct spans 2^15 samples of its resolution along either side, the most that there
// is; so many blocks, of its bands half as many.
#define PRECINCT_BLOCKS (32768 / ODL_J2K_BLOCK_SIDE)

// Length bits of a block begin with so many.
#define FIRST_LENGTH_BITS 3

// The blocks of one band in one packet.
typedef struct {
  const OdlJ2kBand *band;
  gsize first; // in the tile's lists
  int columns, rows;
} Piece;

typedef struct {
  const OdlJ2kTile *tile;
  GByteArray *header; // of one packet
  GByteArray *out; // NULL: sizes only
  gsize size;
} Writer;

static int
log2_of (guint32 value)
{
  return 31 - __builtin_clz (value);
}

// Table B.4.
static void
put_passes (OdlJ2kBits *bits, int n)
{
  if (n == 1)
    odl_j2k_bits_put (bits, 0, 1);
  else if (n == 2)
    odl_j2k_bits_put (bits, 2, 2);
  else if (n <= 5)
    odl_j2k_bits_put (bits, 0xC | (guint) (n - 3), 4);
  else if (n <= 36)
    odl_j2k_bits_put (bits, 0x1E0 | (guint) (n - 6), 9);
  else
    odl_j2k_bits_put (bits, 0xFF80 | (guint) (n - 37), 16);
}

// B.10.7.1: the passes' lengths as one number.
static void
put_length (OdlJ2kBits *bits, int passes, gsize bytes)
{
  const int more = log2_of ((guint32) passes);
  const int wanted = bytes > 0 ? log2_of ((guint32) bytes) + 1 : 0;
  int length_bits = FIRST_LENGTH_BITS;

  for (; length_bits + more < wanted; length_bits++)
    odl_j2k_bits_put (bits, 1, 1);
  odl_j2k_bits_put (bits, 0, 1);
  odl_j2k_bits_put (bits, (guint) bytes, length_bits + more);
}

static gsize
block_index (const Piece *piece, int i)
{
  return piece->first + (gsize) (i / piece->columns) * piece->band->columns
         + i % piece->columns;
}

// Which blocks are there, how many of their bit planes are zero, and how long they are.
static void
write_header (const Writer *writer, const Piece *piece, OdlJ2kBits *bits)
{
  const OdlJ2kTile *tile = writer->tile;
  const int n = piece->columns * piece->rows;
  const int planes = odl_j2k_band_planes (&tile->layout, piece->band);
  g_autoptr (OdlJ2kTagTree) inclusion
      = odl_j2k_tag_tree_new (piece->columns, piece->rows);
  g_autoptr (OdlJ2kTagTree) zeros = odl_j2k_tag_tree_new (piece->columns, piece->rows);
  g_autofree int *values = g_new (int, n);

  for (int i = 0; i < n; i++)
    values[i] = tile->kept[block_index (piece, i)] == 0;
  odl_j2k_tag_tree_set (inclusion, values);
  for (int i = 0; i < n; i++)
    values[i] = planes - tile->blocks[block_index (piece, i)].n_planes;
  odl_j2k_tag_tree_set (zeros, values);

  for (int i = 0; i < n; i++) {
    const gsize block = block_index (piece, i);
    const int passes = tile->kept[block];
    odl_j2k_tag_tree_code (inclusion, bits, i, 1);
    if (passes == 0)
      continue;
    odl_j2k_tag_tree_code (zeros, bits, i, G_MAXINT);
    put_passes (bits, passes);
    put_length (bits, passes, odl_j2k_block_bytes (&tile->blocks[block], passes));
  }
}

static void
write_bodies (Writer *writer, const Piece *piece)
{
  const OdlJ2kTile *tile = writer->tile;

  for (int i = 0; i < piece->columns * piece->rows; i++) {
    const gsize block = block_index (piece, i);
    const gsize bytes = odl_j2k_block_bytes (&tile->blocks[block], tile->kept[block]);
    writer->size += bytes;
    if (writer->out != NULL && bytes > 0)
      g_byte_array_append (writer->out, tile->blocks[block].bytes, (guint) bytes);
  }
}

static void
write_packet (Writer *writer, const Piece *pieces, int n)
{
  OdlJ2kBits bits;

  g_byte_array_set_size (writer->header, 0);
  odl_j2k_bits_begin (&bits, writer->header);
  odl_j2k_bits_put (&bits, 1, 1); // not empty
  for (int i = 0; i < n; i++)
    if (pieces[i].columns > 0 && pieces[i].rows > 0)
      write_header (writer, &pieces[i], &bits);
  odl_j2k_bits_end (&bits);
  writer->size += writer->header->len;
  if (writer->out != NULL)
    g_byte_array_append (writer->out, writer->header->data, writer->header->len);
  for (int i = 0; i < n; i++)
    write_bodies (writer, &pieces[i]);
}

static int
precincts_of (int blocks, int per_precinct)
{
  return (blocks + per_precinct - 1) / per_precinct;
}

static void
write_resolution (Writer *writer, int resolution, int component)
{
  const OdlJ2kLayout *layout = &writer->tile->layout;
  const int first = odl_j2k_layout_first_band (resolution);
  const int n = odl_j2k_layout_bands (resolution);
  const int side = resolution == 0 ? PRECINCT_BLOCKS : PRECINCT_BLOCKS / 2;
  int columns = 0, rows = 0;

  // Low bands have a sample more than high ones, and may have a block more.
  for (int i = 0; i < n; i++) {
    columns = MAX (columns, precincts_of (layout->bands[first + i].columns, side));
    rows = MAX (rows, precincts_of (layout->bands[first + i].rows, side));
  }
  for (int p = 0; p < columns * rows; p++) {
    Piece pieces[3];
    const int x = p % columns * side, y = p / columns * side;
    for (int i = 0; i < n; i++) {
      const OdlJ2kBand *band = &layout->bands[first + i];
      pieces[i] = (Piece){
        .band = band,
        .first = layout->n_blocks * component + band->first_block
                 + (gsize) y * band->columns + x,
        .columns = CLAMP (band->columns - x, 0, side),
        .rows = CLAMP (band->rows - y, 0, side),
      };
    }
    write_packet (writer, pieces, n);
  }
}

static gsize
write_all (const OdlJ2kTile *tile, GByteArray *out)
{
  g_autoptr (GByteArray) header = g_byte_array_new ();
  Writer writer = { .tile = tile, .header = header, .out = out };

  for (int resolution = 0; resolution <= tile->layout.levels; resolution++)
    for (int component = 0; component < tile->components; component++)
      write_resolution (&writer, resolution, component);
  return writer.size;
}

void
odl_j2k_packets_write (const OdlJ2kTile *tile, GByteArray *out)
{
  write_all (tile, out);
}

gsize
odl_j2k_packets_size (const OdlJ2kTile *tile)
{
  return write_all (tile, NULL);
}
