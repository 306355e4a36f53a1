// SPDX-License-Identifier: MIT
#include "jpeg2000/tag_tree.h"

#define MOST_LEVELS 16

typedef struct {
  int value; // the least of those below
  int low; // what was said: it is at least that
  bool said; // that it is `low`
} Node;

struct _OdlJ2kTagTree {
  int levels;
  int columns[MOST_LEVELS], rows[MOST_LEVELS];
  Node *nodes[MOST_LEVELS]; // leaves first; all in one allocation
};

// ---- bits

void
odl_j2k_bits_begin (OdlJ2kBits *bits, GByteArray *bytes)
{
  *bits = (OdlJ2kBits){ .bytes = bytes, .left = 8 };
}

static void
put_byte (OdlJ2kBits *bits)
{
  const guint8 byte = (guint8) bits->byte;

  g_byte_array_append (bits->bytes, &byte, 1);
  bits->byte = 0;
  bits->left = byte == 0xFF ? 7 : 8;
}

void
odl_j2k_bits_put (OdlJ2kBits *bits, guint value, int count)
{
  for (int i = count - 1; i >= 0; i--) {
    bits->byte |= (value >> i & 1) << --bits->left;
    if (bits->left == 0)
      put_byte (bits);
  }
}

// Also a byte of zeros after 0xFF, which would look like the beginning of a marker.
void
odl_j2k_bits_end (OdlJ2kBits *bits)
{
  if (bits->left < 8)
    put_byte (bits);
}

// ---- trees

OdlJ2kTagTree *
odl_j2k_tag_tree_new (int columns, int rows)
{
  OdlJ2kTagTree *tree = g_new0 (OdlJ2kTagTree, 1);
  gsize n = 0;

  for (bool root = false; !root; tree->levels++) {
    g_assert (tree->levels < MOST_LEVELS);
    tree->columns[tree->levels] = columns;
    tree->rows[tree->levels] = rows;
    n += (gsize) columns * rows;
    root = columns == 1 && rows == 1;
    columns = (columns + 1) / 2;
    rows = (rows + 1) / 2;
  }
  tree->nodes[0] = g_new (Node, n);
  for (int i = 1; i < tree->levels; i++)
    tree->nodes[i]
        = tree->nodes[i - 1] + (gsize) tree->columns[i - 1] * tree->rows[i - 1];
  return tree;
}

void
odl_j2k_tag_tree_free (OdlJ2kTagTree *tree)
{
  g_free (tree->nodes[0]);
  g_free (tree);
}

void
odl_j2k_tag_tree_set (OdlJ2kTagTree *tree, const int *values)
{
  for (int i = 0; i < tree->columns[0] * tree->rows[0]; i++)
    tree->nodes[0][i] = (Node){ .value = values[i] };
  for (int level = 1; level < tree->levels; level++) {
    const int below = tree->columns[level - 1];
    for (int i = 0; i < tree->columns[level] * tree->rows[level]; i++)
      tree->nodes[level][i] = (Node){ .value = G_MAXINT };
    for (int i = 0; i < below * tree->rows[level - 1]; i++) {
      Node *above
          = &tree->nodes[level][i / below / 2 * tree->columns[level] + i % below / 2];
      above->value = MIN (above->value, tree->nodes[level - 1][i].value);
    }
  }
}

void
odl_j2k_tag_tree_code (OdlJ2kTagTree *tree, OdlJ2kBits *bits, int leaf, int threshold)
{
  const int x = leaf % tree->columns[0], y = leaf / tree->columns[0];
  int low = 0;

  for (int level = tree->levels - 1; level >= 0; level--) {
    Node *node = &tree->nodes[level][(y >> level) * tree->columns[level] + (x >> level)];
    low = MAX (low, node->low);
    while (low < threshold && low < node->value) {
      odl_j2k_bits_put (bits, 0, 1);
      low++;
    }
    if (low < threshold && !node->said) {
      odl_j2k_bits_put (bits, 1, 1);
      node->said = true;
    }
    node->low = low;
  }
}
