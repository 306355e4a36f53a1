// SPDX-License-Identifier: MIT
#include "cine_maker.h"

#include <stdio.h>
#include <string.h>

#include "dicom_writer.h"
#include "support.h"

#define WIDTH ODL_CINE_WIDTH
#define HEIGHT ODL_CINE_HEIGHT
#define TAG_PIXELS 0x7fe00010

const OdlCineCodec odl_cine_codecs[] = {
  { "jpeg-baseline", "dcmcjpeg +eb +q 95", "dcmdjpeg", 6, 8, 1, 0 },
  { "jpeg-extended", "dcmcjpeg +ee +q 95 +sr", "dcmdjpeg", 5, 12, 1, 0 },
  { "jpeg-lossless", "dcmcjpeg +el", "dcmdjpeg", 6, 16, 1, 0 },
  { "jpeg-lossless-sv1", "dcmcjpeg +e1", "dcmdjpeg", 6, 8, 1, 0 },
  { "jpeg-colour", "dcmcjpeg +eb +q 95 +s4", "dcmdjpeg +cp +px", 5, 8, 3, 2 },
  { "jpeg-lossless-colour", "dcmcjpeg +e1", "dcmdjpeg +cp +px", 5, 8, 3, 0 },
  { "jpeg-ls", "dcmcjpls +el", "dcmdjpls", 6, 8, 1, 0 },
  { "jpeg-ls-16", "dcmcjpls +el", "dcmdjpls", 5, 16, 1, 0 },
  { "jpeg-ls-near", "dcmcjpls +en +md 3", "dcmdjpls", 5, 8, 1, 0 },
  { "jpeg-ls-colour", "dcmcjpls +el", "dcmdjpls", 5, 8, 3, 0 },
  { "jpeg-2000", "gdcmconv --j2k", "gdcmconv --raw", 6, 8, 1, 0 },
  { "jpeg-2000-lossy", "gdcmconv --j2k --lossy -r 6", "gdcmconv --raw", 5, 16, 1, 0 },
  { "jpeg-2000-colour", "gdcmconv --j2k", "gdcmconv --raw", 5, 8, 3, 0 },
  { "rle", "dcmcrle", "dcmdrle", 6, 8, 1, 0 },
  { "rle-16", "dcmcrle", "dcmdrle", 6, 16, 1, 0 },
  { "rle-colour", "dcmcrle", "dcmdrle", 5, 8, 3, 0 },
};
const size_t odl_cine_n_codecs = G_N_ELEMENTS (odl_cine_codecs);

// ---- The native file -----------------------------------------------------------------

// Smooth enough that lossy codecs keep most of it, and with noise of its own.
static void
put_frame (GByteArray *out, const OdlCineCodec *codec, int index)
{
  g_autoptr (GRand) noise = g_rand_new_with_seed ((guint32) index + 1);
  const unsigned most = (1u << codec->bits) - 1;

  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      for (int c = 0; c < codec->samples; c++) {
        const unsigned ramp = (unsigned) (x * (c + 1) + y * 2 + index * 7) * 3 % 200;
        const unsigned value = (ramp + (unsigned) g_rand_int_range (noise, 0, 40)) % 256;
        odl_dicom_put_u16 (out, value * most / 255);
        if (codec->bits == 8)
          g_byte_array_set_size (out, out->len - 1);
      }
}

static char *
write_native (const char *folder, const OdlCineCodec *codec)
{
  g_autoptr (GByteArray) out = odl_dicom_begin (ODL_DICOM_LE);
  g_autofree char *frames = g_strdup_printf ("%d", codec->frames);
  const int sample_bytes = codec->bits > 8 ? 2 : 1;

  odl_dicom_put_text (out, 0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.7.2");
  odl_dicom_put_text (out, 0x00080018, "UI", "1.2.3.4.5");
  odl_dicom_put_text (out, 0x00181063, "DS", "40");
  odl_dicom_put_short (out, 0x00280002, (unsigned) codec->samples);
  odl_dicom_put_text (out, 0x00280004, "CS", codec->samples == 3 ? "RGB" : "MONOCHROME2");
  if (codec->samples == 3)
    odl_dicom_put_short (out, 0x00280006, 0);
  odl_dicom_put_text (out, 0x00280008, "IS", frames);
  odl_dicom_put_short (out, 0x00280010, HEIGHT);
  odl_dicom_put_short (out, 0x00280011, WIDTH);
  odl_dicom_put_short (out, 0x00280100, (unsigned) sample_bytes * 8);
  odl_dicom_put_short (out, 0x00280101, (unsigned) codec->bits);
  odl_dicom_put_short (out, 0x00280102, (unsigned) codec->bits - 1);
  odl_dicom_put_short (out, 0x00280103, 0);
  odl_dicom_put_head (
      out, TAG_PIXELS, sample_bytes == 2 ? "OW" : "OB",
      (uint32_t) (codec->frames * WIDTH * HEIGHT * codec->samples * sample_bytes));
  for (int i = 0; i < codec->frames; i++)
    put_frame (out, codec, i);
  g_autofree char *name = g_strconcat (codec->name, "-native", NULL);
  return odl_test_write (folder, name, out->data, out->len);
}

// ---- Programs ------------------------------------------------------------------------

static void
run (const char *command, const char *from, const char *to)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autofree char *said = NULL;
  g_auto (GStrv) split = g_strsplit (command, " ", -1);
  int status = 0;

  for (char **word = split; *word != NULL; word++)
    if (**word != '\0')
      g_ptr_array_add (words, g_strdup (*word));
  g_ptr_array_add (words, g_strdup (from));
  g_ptr_array_add (words, g_strdup (to));
  g_ptr_array_add (words, NULL);
  g_spawn_sync (NULL, (char **) words->pdata, NULL,
                G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, &said,
                &status, &error);
  g_assert_no_error (error);
  if (status != 0)
    g_error ("%s: %s", command, said);
}

static bool
is_at_hand (const char *command)
{
  g_auto (GStrv) words = g_strsplit (command, " ", 2);
  g_autofree char *path = g_find_program_in_path (words[0]);

  if (path == NULL)
    g_test_skip_printf ("%s is not installed", words[0]);
  return path != NULL;
}

// Where the value of the last element of pixels begins, and its length.
static size_t
find_pixels (const uint8_t *data, size_t size, uint32_t *length)
{
  static const uint8_t tag[] = { 0xe0, 0x7f, 0x10, 0x00, 'O' };

  for (size_t at = 0; at + 12 <= size; at++)
    if (memcmp (data + at, tag, sizeof tag) == 0) {
      memcpy (length, data + at + 8, 4);
      *length = GUINT32_FROM_LE (*length);
      return at + 12;
    }
  g_error ("there are no pixels");
}

static GBytes *
read_file (const char *path)
{
  g_autoptr (GError) error = NULL;
  char *contents;
  gsize size;

  g_file_get_contents (path, &contents, &size, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (contents, size);
}

static GBytes *
read_native (const char *path)
{
  g_autoptr (GBytes) file = read_file (path);
  gsize size;
  const uint8_t *data = g_bytes_get_data (file, &size);
  uint32_t length;
  const size_t at = find_pixels (data, size, &length);

  g_assert_cmpuint (length, <=, size - at);
  return g_bytes_new_from_bytes (file, at, length);
}

// One piece for each frame, as the program was told.
static void
take_pieces (OdlCine *cine, const char *path)
{
  g_autoptr (GBytes) file = read_file (path);
  gsize size;
  const uint8_t *data = g_bytes_get_data (file, &size);
  uint32_t length;
  size_t at = find_pixels (data, size, &length);

  g_byte_array_append (cine->head, data, (guint) at - 12);
  for (int i = -1; i < cine->codec->frames; i++) {
    g_assert_cmpmem (data + at, 4, "\xfe\xff\x00\xe0", 4);
    memcpy (&length, data + at + 4, 4);
    length = GUINT32_FROM_LE (length);
    if (i >= 0)
      g_ptr_array_add (cine->pieces,
                       g_byte_array_append (g_byte_array_new (), data + at + 8, length));
    at += 8 + length;
  }
  g_assert_cmpmem (data + at, 4, "\xfe\xff\xdd\xe0", 4);
}

char *
odl_cine_again (const char *folder, const OdlCineCodec *codec, const char *options)
{
  g_autofree char *name = g_strconcat (codec->name, options, NULL);
  char *path = g_build_filename (folder, name, NULL);
  g_autofree char *command = g_strconcat (codec->compress, " ", options, NULL);

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return path;
  g_autofree char *native = write_native (folder, codec);
  run (command, native, path);
  return path;
}

GBytes *
odl_cine_expand (const char *path, const char *program)
{
  if (!is_at_hand (program))
    return NULL;
  g_autofree char *folder = odl_test_folder ();
  g_autofree char *expanded = g_build_filename (folder, "expanded", NULL);

  run (program, path, expanded);
  GBytes *bytes = read_native (expanded);
  odl_test_remove_folder (folder);
  return bytes;
}

OdlCine *
odl_cine_make (const char *folder, const OdlCineCodec *codec)
{
  if (!is_at_hand (codec->compress) || !is_at_hand (codec->expand))
    return NULL;
  OdlCine *cine = g_new0 (OdlCine, 1);
  const bool dcmtk = g_str_has_prefix (codec->compress, "dcm");
  g_autofree char *packed = odl_cine_again (folder, codec, dcmtk ? "+ff" : "");
  g_autofree char *expanded = g_strconcat (packed, "-expanded", NULL);

  cine->codec = codec;
  cine->head = g_byte_array_new ();
  cine->pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
  take_pieces (cine, packed);
  if (!g_file_test (expanded, G_FILE_TEST_EXISTS))
    run (codec->expand, packed, expanded);
  cine->truth = read_native (expanded);
  return cine;
}

void
odl_cine_free (OdlCine *cine)
{
  if (cine == NULL)
    return;
  g_bytes_unref (cine->truth);
  g_byte_array_unref (cine->head);
  g_ptr_array_unref (cine->pieces);
  g_free (cine);
}

// ---- Other layouts -------------------------------------------------------------------

// Parts of unequal, even sizes.
static void
put_parts (GByteArray *out, const GByteArray *piece, int parts)
{
  size_t at = 0;

  for (int i = 1; i <= parts; i++) {
    const size_t end
        = i == parts ? piece->len
                     : ((size_t) piece->len * (size_t) (i * i) / (size_t) (parts * parts))
                           & ~(size_t) 1;
    odl_dicom_put_item (out, piece->data + at, end - at);
    at = end;
  }
}

static void
put_offsets (GByteArray *out, const GArray *offsets, size_t entry_bytes)
{
  for (guint i = 0; i < offsets->len; i++) {
    odl_dicom_put_u32 (out, (uint32_t) g_array_index (offsets, size_t, i));
    if (entry_bytes == 8)
      odl_dicom_put_u32 (out, 0);
  }
}

static void
put_extended (GByteArray *out, const OdlCine *cine, const GArray *offsets)
{
  odl_dicom_put_head (out, 0x7fe00001, "OV", offsets->len * 8);
  put_offsets (out, offsets, 8);
  odl_dicom_put_head (out, 0x7fe00002, "OV", offsets->len * 8);
  for (guint i = 0; i < offsets->len; i++) {
    const GByteArray *piece = g_ptr_array_index (cine->pieces, i);
    odl_dicom_put_u32 (out, piece->len);
    odl_dicom_put_u32 (out, 0);
  }
}

GByteArray *
odl_cine_layout (const OdlCine *cine, const OdlCineLayout *layout)
{
  GByteArray *out = g_byte_array_new ();
  g_autoptr (GByteArray) items = g_byte_array_new ();
  g_autoptr (GByteArray) table = g_byte_array_new ();
  g_autoptr (GArray) offsets = g_array_new (FALSE, FALSE, sizeof (size_t));

  for (guint i = 0; i < cine->pieces->len; i++) {
    const size_t offset = items->len;
    g_array_append_val (offsets, offset);
    put_parts (items, g_ptr_array_index (cine->pieces, i), layout->parts);
  }
  g_byte_array_append (out, cine->head->data, cine->head->len);
  if (layout->table == ODL_CINE_EXTENDED_TABLE)
    put_extended (out, cine, offsets);
  if (layout->table == ODL_CINE_TABLE)
    put_offsets (table, offsets, 4);
  odl_dicom_put_head (out, TAG_PIXELS, "OB", 0xffffffff);
  odl_dicom_put_item (out, table->data, table->len);
  g_byte_array_append (out, items->data, items->len);
  odl_dicom_put_u32 (out, 0xe0ddfffe);
  odl_dicom_put_u32 (out, 0);
  return out;
}

double
odl_cine_shape_difference (const OdlCineShape *shape,
                           const uint8_t *truth,
                           const OdlImage *image,
                           int rows)
{
  double worst = 0;

  g_assert_cmpint (odl_image_info (image)->extent.x, ==, shape->width);
  g_assert_cmpint (odl_image_info (image)->extent.y, ==, shape->height);
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < shape->width; x++)
      for (int c = 0; c < shape->samples; c++) {
        const int index = (y * shape->width + x) * shape->samples + c;
        const uint8_t *at = truth + (size_t) index * (size_t) shape->sample_bytes;
        const int value = shape->sample_bytes == 2 ? at[0] | at[1] << 8 : at[0];
        const double got = odl_test_sample (image, c, x, y);
        worst = MAX (worst, got > value ? got - value : value - got);
      }
  return worst;
}

double
odl_cine_difference (const OdlCine *cine, int index, const OdlImage *image)
{
  return odl_cine_rows_difference (cine, index, image, HEIGHT);
}

double
odl_cine_rows_difference (const OdlCine *cine, int index, const OdlImage *image, int rows)
{
  const OdlCineShape shape
      = { WIDTH, HEIGHT, cine->codec->samples, cine->codec->bits > 8 ? 2 : 1 };
  const uint8_t *truth = g_bytes_get_data (cine->truth, NULL);

  truth += (size_t) (index * WIDTH * HEIGHT * shape.samples * shape.sample_bytes);
  return odl_cine_shape_difference (&shape, truth, image, rows);
}
