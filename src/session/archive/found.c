// SPDX-License-Identifier: MIT
#include "session/archive/found.h"

#define MOST_COUNTED 10000000

struct _OdlArchiveFound {
  GObject parent_instance;
  OdlLevel level;
  char *values[ODL_N_KEYS];
};

G_DEFINE_FINAL_TYPE (OdlArchiveFound, odl_archive_found, G_TYPE_OBJECT)

OdlArchiveFound *
odl_archive_found_new (OdlLevel level, OdlValues values)
{
  OdlArchiveFound *self = g_object_new (ODL_TYPE_ARCHIVE_FOUND, NULL);

  self->level = level;
  for (int i = 0; i < ODL_N_KEYS; i++)
    self->values[i] = g_strdup (values[i]);
  return self;
}

OdlLevel
odl_archive_found_level (const OdlArchiveFound *self)
{
  return self->level;
}

const char *
odl_archive_found_value (const OdlArchiveFound *self, OdlKey key)
{
  return self->values[key] != NULL ? self->values[key] : "";
}

guint
odl_archive_found_count (const OdlArchiveFound *self, OdlKey key)
{
  guint64 n = 0;

  return g_ascii_string_to_unsigned (odl_archive_found_value (self, key), 10, 0,
                                     MOST_COUNTED, &n, NULL)
             ? (guint) n
             : 0;
}

static void
finalize (GObject *object)
{
  OdlArchiveFound *self = ODL_ARCHIVE_FOUND (object);

  for (int i = 0; i < ODL_N_KEYS; i++)
    g_free (self->values[i]);
  G_OBJECT_CLASS (odl_archive_found_parent_class)->finalize (object);
}

static void
odl_archive_found_class_init (OdlArchiveFoundClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
}

static void
odl_archive_found_init (OdlArchiveFound *self)
{
}
