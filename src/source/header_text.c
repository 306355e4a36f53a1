// SPDX-License-Identifier: MIT
#include "source/header_text.h"

#include "base/text.h"
#include "source/dicom/dicom.h"
#include "source/helper/client.h"
#include "source/metaimage.h"

extern const OdlSourceClass odl_hdf5_source;
extern const OdlSourceClass odl_nrrd_source;

static const struct {
  const char *kind; // detail "header"
  const OdlSourceClass *klass;
  const char *format; // of the helper
} kinds[] = {
  { "metaimage", &odl_metaimage_source, "metaimage-text" },
  { "hdf5", &odl_hdf5_source, "hdf5-text" },
  { "nrrd", &odl_nrrd_source, "nrrd-text" },
};

const char *
odl_header_text_kind (const OdlSource *source)
{
  const char *kind = odl_source_detail (source, "header");

  for (size_t i = 0; kind != NULL && i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kind, kinds[i].kind))
      return kinds[i].kind;
  return odl_source_detail (source, "transfer-syntax") != NULL ? "dicom" : NULL;
}

char *
odl_header_text_read (const char *kind,
                      const char *path,
                      GCancellable *cancellable,
                      GError **error)
{
  // That of the whole file, also where a part of it is shown.
  const size_t inner
      = g_file_test (path, G_FILE_TEST_EXISTS) ? 0 : odl_text_before_inner (path);
  g_autofree char *file = inner > 0 ? g_strndup (path, inner) : g_strdup (path);

  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kind, kinds[i].kind))
      return odl_decoded_source_read_text (kinds[i].klass, file, kinds[i].format,
                                           cancellable, error);
  return odl_dicom_read_header (file, cancellable, error);
}
