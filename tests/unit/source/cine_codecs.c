// SPDX-License-Identifier: MIT
// Compressed cines, whole, in pieces, damaged and hostile: every frame is the one that
// DCMTK's decompressors have, or it says that it is not.
#include <stdio.h>
#include <string.h>

#include "../../helpers/bar.h"
#include "base/error.h"
#include "cine_maker.h"
#include "support.h"

static char *folder;

static OdlSource *
open_bytes (const char *name, const GByteArray *bytes, GError **error)
{
  g_autofree char *path = odl_test_write (folder, name, bytes->data, bytes->len);
  return odl_source_open (path, NULL, error);
}

static void
assert_frame (const OdlCine *cine, OdlSource *source, int index)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) image = odl_source_read_frame (source, index, NULL, &error);

  g_assert_no_error (error);
  g_assert_null (odl_image_info (image)->mark);
  g_assert_cmpfloat (odl_cine_difference (cine, index, image), <=,
                     cine->codec->tolerance);
}

// Frames that lossy codecs have not made alike.
static void
assert_distinct (const OdlCine *cine, OdlSource *source)
{
  g_autoptr (OdlImage) image = odl_source_read_frame (source, 1, NULL, NULL);

  g_assert_cmpfloat (odl_cine_difference (cine, 0, image), >, 20);
  g_assert_cmpfloat (odl_cine_difference (cine, 2, image), >, 20);
}

static void
assert_whole (const OdlCine *cine, OdlSource *source)
{
  g_assert_cmpint (source->info.n_frames, ==, cine->codec->frames);
  g_assert_null (source->info.warning);
  assert_distinct (cine, source);
  for (int i = 0; i < cine->codec->frames; i++)
    assert_frame (cine, source, i);
  assert_frame (cine, source, 1);
}

static void
test_whole (gconstpointer data)
{
  static const OdlCineLayout layouts[] = { { 1, ODL_CINE_TABLE },
                                           { 1, ODL_CINE_EXTENDED_TABLE },
                                           { 2, ODL_CINE_EMPTY_TABLE },
                                           { 3, ODL_CINE_TABLE } };
  g_autoptr (OdlCine) cine = odl_cine_make (folder, data);
  g_autoptr (GError) error = NULL;

  if (cine == NULL)
    return;
  for (size_t i = 0; i < G_N_ELEMENTS (layouts); i++) {
    g_test_message ("%d parts, table %d", layouts[i].parts, (int) layouts[i].table);
    g_autoptr (GByteArray) bytes = odl_cine_layout (cine, &layouts[i]);
    g_autoptr (OdlSource) source = open_bytes ("whole", bytes, &error);
    g_assert_no_error (error);
    assert_whole (cine, source);
  }
}

// What the programs themselves make of it.
static void
test_programs (gconstpointer data)
{
  static const char *const options[] = { "+ff -ot", "+fs 1 +ot" };
  g_autoptr (OdlCine) cine = odl_cine_make (folder, data);
  g_autoptr (GError) error = NULL;

  if (cine != NULL && g_str_has_prefix (cine->codec->compress, "gdcm"))
    return;
  for (size_t i = 0; cine != NULL && i < G_N_ELEMENTS (options); i++) {
    g_test_message ("%s", options[i]);
    g_autofree char *path = odl_cine_again (folder, cine->codec, options[i]);
    g_autoptr (OdlSource) source = odl_source_open (path, NULL, &error);
    g_assert_no_error (error);
    assert_whole (cine, source);
  }
}

// ---- Damage --------------------------------------------------------------------------

// True when the frame is shown as damaged or with a mark.
static bool
is_marked (OdlSource *source, int index)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) image = odl_source_read_frame (source, index, NULL, &error);

  if (image == NULL)
    g_assert_error (error, ODL_ERROR, ODL_ERROR_CORRUPT);
  return image == NULL || odl_image_info (image)->mark != NULL;
}

static void
ruin (OdlCine *cine, int index)
{
  GByteArray *piece = g_ptr_array_index (cine->pieces, index);

  // Without its tables a stream cannot be decoded; RLE needs its number of segments.
  memset (piece->data + 2, 0, MIN (piece->len / 2, 400));
  if (g_str_has_prefix (cine->codec->name, "rle"))
    piece->data[0] = 77;
}

static void
test_damaged (gconstpointer data)
{
  static const int places[] = { 0, 2 };
  static const OdlCineLayout layouts[]
      = { { 1, ODL_CINE_EMPTY_TABLE }, { 3, ODL_CINE_TABLE } };

  for (size_t k = 0; k < G_N_ELEMENTS (places); k++) {
    g_autoptr (OdlCine) cine = odl_cine_make (folder, data);
    g_autoptr (GError) error = NULL;
    if (cine == NULL)
      return;
    ruin (cine, places[k]);
    for (size_t i = 0; i < G_N_ELEMENTS (layouts); i++) {
      g_autoptr (GByteArray) bytes = odl_cine_layout (cine, &layouts[i]);
      g_autoptr (OdlSource) source = open_bytes ("damaged", bytes, &error);
      g_assert_no_error (error);
      g_assert_cmpint (source->info.n_frames, ==, cine->codec->frames);
      for (int frame = 0; frame < cine->codec->frames; frame++)
        if (frame == places[k])
          g_assert_true (is_marked (source, frame));
        else
          assert_frame (cine, source, frame);
      g_autoptr (OdlImage) first = odl_source_read_first (source, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (odl_image_info (first)->mark != NULL, ==, places[k] == 0);
    }
  }
}

// Offset of the middle of piece `index` in a file of one part for each frame.
static guint
middle_of (const OdlCine *cine, const GByteArray *bytes, int index)
{
  guint at = bytes->len - 8;

  for (int i = cine->codec->frames - 1; i >= index; i--)
    at -= ((GByteArray *) g_ptr_array_index (cine->pieces, i))->len + 8;
  return at + 8 + ((GByteArray *) g_ptr_array_index (cine->pieces, index))->len / 2;
}

// The first rows are those of the first frame. RLE keeps each byte of a pixel by itself:
// where there are several, the later ones are missing. JPEG 2000 keeps coarse detail of
// all rows first.
static bool
begins_alike (const OdlCine *cine, const OdlImage *image)
{
  const OdlCineCodec *codec = cine->codec;

  return g_str_has_prefix (codec->name, "jpeg-2000")
         || (g_str_has_prefix (codec->name, "rle")
             && (codec->bits > 8 || codec->samples > 1))
         || odl_cine_rows_difference (cine, 0, image, 4) <= codec->tolerance;
}

static void
test_cut (gconstpointer data)
{
  g_autoptr (OdlCine) cine = odl_cine_make (folder, data);

  for (int table = 0; cine != NULL && table <= ODL_CINE_TABLE; table++) {
    const OdlCineLayout layout = { 1, (OdlCineTable) table };
    g_autoptr (GError) error = NULL;
    g_autoptr (GByteArray) bytes = odl_cine_layout (cine, &layout);
    const guint in_first = middle_of (cine, bytes, 0);
    g_byte_array_set_size (bytes, middle_of (cine, bytes, 3));
    g_autoptr (OdlSource) source = open_bytes ("cut", bytes, &error);
    g_assert_no_error (error);
    g_assert_cmpint (source->info.n_frames, ==, 3);
    odl_test_contains ("cut", source->info.warning, "but holds 3");
    for (int i = 0; i < 3; i++)
      assert_frame (cine, source, i);

    // Of the first frame there is what there is, with a mark.
    g_byte_array_set_size (bytes, in_first);
    g_autoptr (OdlSource) stump = open_bytes ("stump", bytes, &error);
    g_assert_no_error (error);
    g_assert_cmpint (stump->info.n_frames, ==, 1);
    g_autoptr (OdlImage) rest = odl_source_read_frame (stump, 0, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (odl_image_info (rest)->mark, ==, "incomplete");
    g_assert_true (begins_alike (cine, rest));
  }
}

// ---- Hostile -------------------------------------------------------------------------

// What a mutation did must show as another picture, a mark, or an error, never as the
// picture of another frame; unless the file itself says that frames are missing.
static void
assert_no_other_frame (const OdlCine *cine, OdlSource *source, const char *what)
{
  const bool complete = source->info.n_frames == cine->codec->frames;

  for (int i = 0; i < source->info.n_frames; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlImage) image = odl_source_read_frame (source, i, NULL, &error);
    if (image == NULL) {
      g_assert_error (error, ODL_ERROR, ODL_ERROR_CORRUPT);
      continue;
    }
    const OdlImageInfo *info = odl_image_info (image);
    if (info->extent.x != ODL_CINE_WIDTH || info->extent.y != ODL_CINE_HEIGHT)
      continue;
    for (int k = 0; k < (complete ? cine->codec->frames : i); k++)
      if (k != i && odl_cine_difference (cine, k, image) <= cine->codec->tolerance)
        g_error ("%s: frame %d is shown as frame %d", what, k, i);
  }
}

static void
try_hostile (const OdlCine *cine, const GByteArray *bytes, const char *what)
{
  g_autoptr (GError) error = NULL;
  const int64_t start = g_get_monotonic_time ();

  g_test_message ("%s", what);
  g_autoptr (OdlSource) source = open_bytes ("hostile", bytes, &error);
  if (source != NULL)
    assert_no_other_frame (cine, source, what);
  else
    odl_test_contains (what, error->message, "Cannot open hostile: ");
  odl_test_took (what, g_get_monotonic_time () - start, 30 * G_USEC_PER_SEC);
}

static void
set_u32 (GByteArray *bytes, size_t at, uint32_t value)
{
  value = GUINT32_TO_LE (value);
  memcpy (bytes->data + at, &value, 4);
}

// One number of a file replaced by nonsense: the entries of the table and the lengths of
// the pieces, wherever they stand.
static void
lie_in_numbers (const OdlCine *cine, const OdlCineLayout *layout)
{
  static const uint32_t lies[] = { 0, 1, 7, 64, 0x7fffffff, 0x80000000, 0xffffffff };
  g_autoptr (GByteArray) whole = odl_cine_layout (cine, layout);
  size_t at = cine->head->len + 12;

  for (int i = 0; i < 4; i++) {
    uint32_t length;
    memcpy (&length, whole->data + at + 4, 4);
    length = GUINT32_FROM_LE (length);
    for (size_t k = 0; k < G_N_ELEMENTS (lies); k++) {
      g_autoptr (GByteArray) bytes = odl_cine_layout (cine, layout);
      g_autofree char *what = g_strdup_printf ("length %d is %u", i, lies[k]);
      set_u32 (bytes, at + 4, lies[k]);
      try_hostile (cine, bytes, what);
      if (i > 0 || length < 12)
        continue;
      g_autoptr (GByteArray) other = odl_cine_layout (cine, layout);
      g_autofree char *entry = g_strdup_printf ("entry %d is %u", (int) k % 3, lies[k]);
      set_u32 (other, at + 8 + k % 3 * 4, lies[k]);
      try_hostile (cine, other, entry);
    }
    at += 8 + length;
  }
}

static void
lie_in_bytes (const OdlCine *cine, const OdlCineLayout *layout, uint32_t seed)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (seed);

  for (int i = 0; i < 12; i++) {
    g_autoptr (GByteArray) bytes = odl_cine_layout (cine, layout);
    const int from = i < 6 ? (int) cine->head->len : 132;
    const int at = g_rand_int_range (dice, from, (int) bytes->len);
    bytes->data[at] ^= (uint8_t) (1 << g_rand_int_range (dice, 0, 8));
    g_autofree char *what = g_strdup_printf ("a bit of byte %d flipped", at);
    try_hostile (cine, bytes, what);
  }
}

static void
lie_in_frames (const OdlCine *cine, const OdlCineLayout *layout)
{
  static const char *const numbers[] = { "0", "1", "2", "9", "-", "4294967295" };

  for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++) {
    static const uint8_t tag[] = { 0x28, 0, 8, 0, 'I', 'S' };
    g_autoptr (GByteArray) bytes = odl_cine_layout (cine, layout);
    size_t at = 0;
    while (memcmp (bytes->data + at, tag, sizeof tag) != 0)
      at++;
    g_byte_array_remove_range (bytes, (guint) at + 8, bytes->data[at + 6]);
    bytes->data[at + 6] = 10;
    const guint rest = (guint) at + 8;
    g_autoptr (GByteArray) other = g_byte_array_new ();
    g_autofree char *text = g_strdup_printf ("%-10s", numbers[i]);
    g_byte_array_append (other, bytes->data, rest);
    g_byte_array_append (other, (const uint8_t *) text, 10);
    g_byte_array_append (other, bytes->data + rest, bytes->len - rest);
    g_autofree char *what = g_strdup_printf ("%s frames", numbers[i]);
    try_hostile (cine, other, what);
  }
}

static void
empty_and_endless (OdlCine *cine, const OdlCineLayout *layout)
{
  g_autoptr (GByteArray) endless = odl_cine_layout (cine, layout);
  g_autoptr (GError) error = NULL;

  // Without the end of the sequence nothing is lost.
  g_byte_array_set_size (endless, endless->len - 8);
  g_autoptr (OdlSource) source = open_bytes ("endless", endless, &error);
  g_assert_no_error (error);
  assert_whole (cine, source);
  for (int i = 0; i < 2; i++) {
    GByteArray *piece = g_ptr_array_index (cine->pieces, i * 2);
    g_autoptr (GByteArray) kept = g_byte_array_new ();
    g_byte_array_append (kept, piece->data, piece->len);
    g_byte_array_set_size (piece, 0);
    g_autoptr (GByteArray) bytes = odl_cine_layout (cine, layout);
    try_hostile (cine, bytes, "an empty piece");
    g_byte_array_append (piece, kept->data, kept->len);
  }
}

static void
test_hostile (gconstpointer data)
{
  static const OdlCineLayout with_table = { 1, ODL_CINE_TABLE },
                             in_parts = { 2, ODL_CINE_EMPTY_TABLE };
  g_autoptr (OdlCine) cine = odl_cine_make (folder, data);

  if (cine == NULL)
    return;
  const bool jpeg = g_str_has_prefix (cine->codec->name, "jpeg-b");
  const OdlCineLayout *layout = jpeg ? &in_parts : &with_table;
  lie_in_numbers (cine, layout);
  lie_in_bytes (cine, layout, 1);
  lie_in_frames (cine, layout);
  empty_and_endless (cine, layout);
}

static const struct {
  const char *name;
  void (*run) (gconstpointer codec);
  const char *only; // codecs, each between spaces; NULL: all
} cases[] = {
  { "whole-whatever-the-pieces", test_whole, NULL },
  { "as-the-programs-cut-it", test_programs, NULL },
  { "a-damaged-frame-is-marked-and-the-rest-is-well", test_damaged, NULL },
  { "frames-before-a-cut-are-well", test_cut, NULL },
  { "wrong-tables-never-show-another-frame", test_hostile,
    " jpeg-baseline jpeg-ls jpeg-2000 rle " },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = odl_test_folder ();
  for (size_t i = 0; i < odl_cine_n_codecs; i++)
    for (size_t k = 0; k < G_N_ELEMENTS (cases); k++) {
      const char *codec = odl_cine_codecs[i].name;
      g_autofree char *word = g_strdup_printf (" %s ", codec);
      g_autofree char *name = g_strdup_printf ("/%s/%s", codec, cases[k].name);
      if (cases[k].only == NULL || strstr (cases[k].only, word) != NULL)
        g_test_add_data_func (name, &odl_cine_codecs[i], cases[k].run);
    }
  const int status = g_test_run ();
  odl_test_remove_folder (folder);
  g_free (folder);
  return status;
}
