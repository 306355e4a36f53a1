// SPDX-License-Identifier: MIT
#include "widgets/settings.h"

#include "config.h"

struct _OdlSettings {
  GObject parent_instance;
  GSettings *gsettings; // NULL: no schema
  GHashTable *values; // key -> GVariant, used without a schema
};

G_DEFINE_FINAL_TYPE (OdlSettings, odl_settings, G_TYPE_OBJECT)

// A copy of the schema's defaults for runs without the schema; a test compares them.
static const struct {
  const char *key;
  const char *value;
} defaults[] = {
  { "window-width", "1280" },
  { "window-height", "800" },
  { "window-maximized", "false" },
  { "sandbox-optional", "false" },
  { "show-sources", "true" },
  { "show-filters", "true" },
  { "show-diagnostics", "false" },
  { "style", "'follow'" },
  { "engine", "'auto'" },
  { "remember-recent", "true" },
  { "last-folder", "''" },
  { "sequence-rate", "25" },
  { "frame-cache-mb", "0" },
  { "last-camera", "''" },
  { "keep-view", "true" },
  { "list-studies", "true" },
  { "stacks-begin", "'first'" },
  { "sources-width", "210" },
  { "show-lab", "false" },
  { "lab-height", "300" },
  { "lab-page", "'histograms'" },
  { "thumbnail-side", "48" },
  { "mouse", "'here'" },
  { "own-keys", "''" },
  { "keep-measured", "true" },
  { "number-unit", "'file'" },
  { "window-presets", "''" },
  { "save-format", "''" },
  { "record-frames", "'shown'" },
  { "show-parameters", "true" },
  { "show-filters-medical", "false" },
  { "show-parameters-medical", "false" },
  { "show-levels", "false" },
  { "show-levels-medical", "true" },
  { "screen-luminance", "''" },
  { "archive-nodes", "''" },
  { "archive-node", "''" },
  { "arrays", "false" },
};

// g_settings_new would abort without the schema, so it is looked up first: where schemas
// are installed, then where the build leaves it.
static GSettingsSchema *
look_up_schema (void)
{
  GSettingsSchemaSource *installed = g_settings_schema_source_get_default ();
  GSettingsSchema *schema
      = installed ? g_settings_schema_source_lookup (installed, ODL_APP_ID, TRUE) : NULL;
  if (schema)
    return schema;
  g_autoptr (GSettingsSchemaSource) built = g_settings_schema_source_new_from_directory (
      ODL_BUILD_SCHEMA_DIR, installed, FALSE, NULL);
  return built ? g_settings_schema_source_lookup (built, ODL_APP_ID, FALSE) : NULL;
}

static GVariant *
read_value (OdlSettings *self, const char *key)
{
  if (self->gsettings)
    return g_settings_get_value (self->gsettings, key);
  GVariant *value = g_hash_table_lookup (self->values, key);
  g_return_val_if_fail (value, NULL);
  return g_variant_ref (value);
}

static void
write_value (OdlSettings *self, const char *key, GVariant *value)
{
  if (self->gsettings)
    g_settings_set_value (self->gsettings, key, value);
  else
    g_hash_table_insert (self->values, g_strdup (key), g_variant_ref_sink (value));
}

GVariant *
odl_settings_default (const char *key)
{
  for (size_t i = 0; i < G_N_ELEMENTS (defaults); i++)
    if (g_str_equal (defaults[i].key, key))
      return g_variant_ref_sink (
          g_variant_parse (NULL, defaults[i].value, NULL, NULL, NULL));
  return NULL;
}

gboolean
odl_settings_are_kept (OdlSettings *self)
{
  return self->gsettings != NULL;
}

gboolean
odl_settings_get_boolean (OdlSettings *self, const char *key)
{
  g_autoptr (GVariant) value = read_value (self, key);
  return value && g_variant_get_boolean (value);
}

int
odl_settings_get_int (OdlSettings *self, const char *key)
{
  g_autoptr (GVariant) value = read_value (self, key);
  return value ? g_variant_get_int32 (value) : 0;
}

char *
odl_settings_get_string (OdlSettings *self, const char *key)
{
  g_autoptr (GVariant) value = read_value (self, key);
  return value ? g_variant_dup_string (value, NULL) : g_strdup ("");
}

void
odl_settings_set_boolean (OdlSettings *self, const char *key, gboolean value)
{
  write_value (self, key, g_variant_new_boolean (value));
}

void
odl_settings_set_int (OdlSettings *self, const char *key, int value)
{
  write_value (self, key, g_variant_new_int32 (value));
}

void
odl_settings_set_string (OdlSettings *self, const char *key, const char *value)
{
  write_value (self, key, g_variant_new_string (value));
}

static void
odl_settings_finalize (GObject *object)
{
  OdlSettings *self = ODL_SETTINGS (object);
  g_clear_object (&self->gsettings);
  g_clear_pointer (&self->values, g_hash_table_unref);
  G_OBJECT_CLASS (odl_settings_parent_class)->finalize (object);
}

static void
odl_settings_class_init (OdlSettingsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = odl_settings_finalize;
}

static void
odl_settings_init (OdlSettings *self)
{
  g_autoptr (GSettingsSchema) schema = look_up_schema ();
  if (schema)
    self->gsettings = g_settings_new_full (schema, NULL, NULL);
  self->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                        (GDestroyNotify) g_variant_unref);
  for (size_t i = 0; i < G_N_ELEMENTS (defaults); i++) {
    GVariant *value = g_variant_parse (NULL, defaults[i].value, NULL, NULL, NULL);
    g_hash_table_insert (self->values, g_strdup (defaults[i].key), value);
  }
}

OdlSettings *
odl_settings_new (void)
{
  return g_object_new (ODL_TYPE_SETTINGS, NULL);
}
