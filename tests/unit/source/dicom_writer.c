// SPDX-License-Identifier: MIT
#include "dicom_writer.h"

#include <string.h>

void
odl_dicom_put_u16 (GByteArray *out, unsigned value)
{
  uint8_t bytes[] = { (uint8_t) value, (uint8_t) (value >> 8) };
  g_byte_array_append (out, bytes, 2);
}

void
odl_dicom_put_u32 (GByteArray *out, uint32_t value)
{
  odl_dicom_put_u16 (out, value & 0xffff);
  odl_dicom_put_u16 (out, value >> 16);
}

void
odl_dicom_put_head (GByteArray *out, uint32_t tag, const char *vr, uint32_t length)
{
  odl_dicom_put_u16 (out, tag >> 16);
  odl_dicom_put_u16 (out, tag & 0xffff);
  g_byte_array_append (out, (const uint8_t *) vr, 2);
  if (strstr ("OB OW OV SQ UN", vr) != NULL) {
    odl_dicom_put_u16 (out, 0);
    odl_dicom_put_u32 (out, length);
  } else {
    odl_dicom_put_u16 (out, length);
  }
}

void
odl_dicom_put_short (GByteArray *out, uint32_t tag, unsigned value)
{
  odl_dicom_put_head (out, tag, "US", 2);
  odl_dicom_put_u16 (out, value);
}

void
odl_dicom_put_bytes_of (GByteArray *out, int width, int height)
{
  odl_dicom_put_short (out, 0x00280010, height);
  odl_dicom_put_short (out, 0x00280011, width);
  odl_dicom_put_short (out, 0x00280100, 8);
  odl_dicom_put_short (out, 0x00280101, 8);
  odl_dicom_put_short (out, 0x00280102, 7);
  odl_dicom_put_short (out, 0x00280103, 0);
}

void
odl_dicom_put_text (GByteArray *out, uint32_t tag, const char *vr, const char *text)
{
  size_t length = strlen (text);
  odl_dicom_put_head (out, tag, vr, (uint32_t) ((length + 1) & ~(size_t) 1));
  g_byte_array_append (out, (const uint8_t *) text, (guint) length);
  if (length % 2 == 1)
    g_byte_array_append (out, (const uint8_t *) " ", 1);
}

GByteArray *
odl_dicom_begin (const char *syntax)
{
  GByteArray *out = g_byte_array_new ();

  g_byte_array_set_size (out, 128);
  memset (out->data, 0, 128);
  g_byte_array_append (out, (const uint8_t *) "DICM", 4);
  odl_dicom_put_text (out, 0x00020010, "UI", syntax);
  return out;
}

void
odl_dicom_put_item (GByteArray *out, const void *data, size_t size)
{
  odl_dicom_put_u16 (out, 0xfffe);
  odl_dicom_put_u16 (out, 0xe000);
  odl_dicom_put_u32 (out, (uint32_t) size);
  g_byte_array_append (out, data, (guint) size);
}

void
odl_dicom_put_sequence (GByteArray *out, uint32_t tag, const GByteArray *item)
{
  g_autoptr (GByteArray) items = g_byte_array_new ();

  odl_dicom_put_item (items, item->data, item->len);
  odl_dicom_put_head (out, tag, "SQ", items->len);
  g_byte_array_append (out, items->data, items->len);
}

void
odl_dicom_write_in (const char *folder, const char *path, const GByteArray *bytes)
{
  g_autofree char *whole = g_build_filename (folder, path, NULL);
  g_autofree char *parent = g_path_get_dirname (whole);
  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_assert_true (
      g_file_set_contents (whole, (const char *) bytes->data, bytes->len, NULL));
}
