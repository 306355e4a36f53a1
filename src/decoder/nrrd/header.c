// SPDX-License-Identifier: MIT
#include "decoder/nrrd/header.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"

// All spellings of the format's definition.
static const struct {
  const char *const names[7];
  OdlMetaType type;
} types[] = {
  { { "signed char", "int8", "int8_t" }, { "int8", ODL_META_S8, 1 } },
  { { "uchar", "unsigned char", "uint8", "uint8_t" }, { "uint8", ODL_META_U8, 1 } },
  { { "short", "short int", "signed short", "signed short int", "int16", "int16_t" },
    { "int16", ODL_META_S16, 2 } },
  { { "ushort", "unsigned short", "unsigned short int", "uint16", "uint16_t" },
    { "uint16", ODL_META_U16, 2 } },
  { { "int", "signed int", "int32", "int32_t" }, { "int32", ODL_META_S32, 4 } },
  { { "uint", "unsigned int", "uint32", "uint32_t" }, { "uint32", ODL_META_U32, 4 } },
  { { "longlong", "long long", "long long int", "signed long long",
      "signed long long int", "int64", "int64_t" },
    { "int64", ODL_META_S64, 8 } },
  { { "ulonglong", "unsigned long long", "unsigned long long int", "uint64", "uint64_t" },
    { "uint64", ODL_META_U64, 8 } },
  { { "float" }, { "float", ODL_META_F32, 4 } },
  { { "double" }, { "double", ODL_META_F64, 8 } },
};

static const struct {
  const char *name;
  OdlNrrdEncoding encoding;
} encodings[] = {
  { "raw", ODL_NRRD_RAW },    { "txt", ODL_NRRD_TEXT },  { "text", ODL_NRRD_TEXT },
  { "ascii", ODL_NRRD_TEXT }, { "hex", ODL_NRRD_HEX },   { "gz", ODL_NRRD_GZIP },
  { "gzip", ODL_NRRD_GZIP },  { "bz2", ODL_NRRD_BZIP2 }, { "bzip2", ODL_NRRD_BZIP2 },
};

static bool
find_type (OdlNrrdHeader *header, GError **error)
{
  g_autofree char *name = odl_nrrd_field (&header->lines, "type");

  if (name == NULL)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its header does not say how samples are stored (type)"));
  for (size_t i = 0; i < G_N_ELEMENTS (types); i++)
    for (size_t n = 0; n < G_N_ELEMENTS (types[i].names) && types[i].names[n] != NULL;
         n++)
      if (g_ascii_strcasecmp (name, types[i].names[n]) == 0)
        header->type = &types[i].type;
  return header->type != NULL
         || odl_error_set (
             error, ODL_ERROR_UNSUPPORTED,
             _ ("its samples are of the type “%.40s”, which is not supported"), name);
}

static bool
find_encoding (OdlNrrdHeader *header, GError **error)
{
  g_autofree char *name = odl_nrrd_field (&header->lines, "encoding");
  g_autofree char *endian = odl_nrrd_field (&header->lines, "endian");
  size_t i = 0;

  if (name == NULL)
    return odl_error_set (
        error, ODL_ERROR_CORRUPT,
        _ ("its header does not say how samples are packed (encoding)"));
  while (i < G_N_ELEMENTS (encodings)
         && g_ascii_strcasecmp (name, encodings[i].name) != 0)
    i++;
  if (i == G_N_ELEMENTS (encodings))
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("its samples are packed in the way “%.40s”, which is not supported"), name);
  header->encoding = encodings[i].encoding;
  const bool has_order = header->type->size > 1 && header->encoding != ODL_NRRD_TEXT;
  const bool big = endian != NULL && g_ascii_strcasecmp (endian, "big") == 0;
  const bool little = endian != NULL && g_ascii_strcasecmp (endian, "little") == 0;
  if (has_order && !big && !little)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its header does not say in which order the bytes of a "
                             "sample are (endian)"));
  // Numbers of text are kept as this machine has them.
  header->big_endian = has_order ? big : G_BYTE_ORDER == G_BIG_ENDIAN;
  return true;
}

static bool
find_sizes (OdlNrrdHeader *header, GError **error)
{
  g_autofree char *dimension = odl_nrrd_field (&header->lines, "dimension");
  g_autofree char *sizes = odl_nrrd_field (&header->lines, "sizes");
  const uint64_t n_axes = dimension != NULL ? g_ascii_strtoull (dimension, NULL, 10) : 0;

  if (n_axes < 1 || n_axes > ODL_NRRD_MAX_AXES || sizes == NULL)
    return odl_error_set (
        error, ODL_ERROR_CORRUPT,
        _ ("its header does not say how large the picture is (dimension, sizes)"));
  g_auto (GStrv) words = odl_nrrd_words (sizes);
  if (g_strv_length (words) != n_axes)
    return odl_error_set (
        error, ODL_ERROR_CORRUPT,
        _ ("its header does not say how large the picture is (dimension, sizes)"));
  header->n_axes = (int) n_axes;
  header->n_samples = 1;
  for (int i = 0; i < header->n_axes; i++) {
    OdlNrrdAxis *axis = &header->axes[i];
    OdlNrrdText word = { words[i], strlen (words[i]) };
    if (!odl_nrrd_text_take_number (&word, &axis->size) || word.n > 0 || axis->size == 0)
      return odl_error_set (error, ODL_ERROR_CORRUPT,
                            _ ("its header declares a size that is no number above 0 "
                               "(“%.40s”)"),
                            words[i]);
    if (axis->size > (uint64_t) G_MAXINT64 / 8 / header->n_samples)
      return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                            _ ("its header declares a picture that is too large"));
    axis->stride = header->n_samples;
    header->n_samples *= axis->size;
  }
  return true;
}

static bool
find_skips (OdlNrrdHeader *header, GError **error)
{
  g_autofree char *line = odl_nrrd_field (&header->lines, "line skip");
  g_autofree char *byte = odl_nrrd_field (&header->lines, "byte skip");
  char *line_end = line, *byte_end = byte;
  const int64_t lines = line != NULL ? g_ascii_strtoll (line, &line_end, 10) : 0;

  header->byte_skip = byte != NULL ? g_ascii_strtoll (byte, &byte_end, 10) : 0;
  if (lines >= 0 && (line == NULL || (line_end != line && *line_end == '\0'))
      && (byte == NULL || (byte_end != byte && *byte_end == '\0'))
      && header->byte_skip > -((int64_t) 1 << 60)
      && header->byte_skip < (int64_t) 1 << 60) {
    header->line_skip = (uint64_t) lines;
    return true;
  }
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("its header does not say where the samples begin (line skip, "
                           "byte skip)"));
}

// Programs of ultrasound: of the key that PlusLib and IGSIO write, or that of MetaImage.
static void
find_orientation (OdlNrrdHeader *header)
{
  static const char *const keys[]
      = { "ultrasound image orientation", "UltrasoundImageOrientation" };

  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++) {
    g_autofree char *value = odl_nrrd_key (&header->lines, keys[i]);
    if (value != NULL)
      g_strlcpy (header->orientation, value, sizeof header->orientation);
  }
}

bool
odl_nrrd_header_read (OdlNrrdHeader *header,
                      const uint8_t *data,
                      size_t size,
                      GError **error)
{
  *header = (OdlNrrdHeader){ .channel_axis = -1, .sequence = -1 };
  if (!odl_nrrd_lines_read (&header->lines, data, size, error)
      || !find_type (header, error) || !find_encoding (header, error)
      || !find_sizes (header, error) || !find_skips (header, error))
    return false;
  find_orientation (header);
  if (!odl_nrrd_axes_read (header, error))
    return false;
  odl_nrrd_place_read (header);
  return true;
}

void
odl_nrrd_header_clear (OdlNrrdHeader *header)
{
  odl_nrrd_lines_clear (&header->lines);
}
