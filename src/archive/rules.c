// SPDX-License-Identifier: MIT
#include "archive/rules.h"

#include <glib/gi18n-lib.h>
#include <stddef.h>

#include "base/error.h"

#define ID_DIGITS 16

static const struct {
  const char *key;
  size_t offset; // of OdlNetworkFacts
} texts[] = {
  { "modality", offsetof (OdlNetworkFacts, modality) },
  { "maker", offsetof (OdlNetworkFacts, maker) },
  { "model", offsetof (OdlNetworkFacts, model) },
  { "body-part", offsetof (OdlNetworkFacts, body_part) },
};

static const struct {
  const char *key;
  size_t offset; // of OdlRule
} works[] = {
  { "preset", offsetof (OdlRule, preset) },
  { "strength", offsetof (OdlRule, strength) },
  { "inside", offsetof (OdlRule, inside) },
};

struct _OdlRules {
  GPtrArray *list;
};

static void
rule_free (void *data)
{
  OdlRule *rule = data;

  for (gsize i = 0; i < G_N_ELEMENTS (rule->patterns); i++)
    g_free (rule->patterns[i]);
  g_free (rule->name);
  g_free (rule->id);
  g_free (rule->preset);
  g_free (rule->strength);
  g_free (rule->inside);
  g_free (rule);
}

void
odl_rules_free (OdlRules *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->list);
  g_free (self);
}

// The place of a key in a rule; NULL: there is no such key.
static char **
place_of (OdlRule *rule, const char *key)
{
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    if (g_str_equal (texts[i].key, key))
      return &rule->patterns[i];
  for (gsize i = 0; i < G_N_ELEMENTS (works); i++)
    if (g_str_equal (works[i].key, key))
      return (char **) (void *) ((char *) rule + works[i].offset);
  return NULL;
}

static bool
read_rule (GKeyFile *file, const char *path, OdlRule *rule, GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (file, rule->name, NULL, NULL);

  for (int i = 0; keys[i] != NULL; i++) {
    char **place = place_of (rule, keys[i]);
    if (place == NULL)
      return odl_usage_error (error,
                              _ ("%s: “%s” in [%s] is no key; there are modality, maker, "
                                 "model, body-part, preset, strength and inside"),
                              path, keys[i], rule->name);
    *place = g_key_file_get_string (file, rule->name, keys[i], NULL);
  }
  if (rule->preset == NULL)
    return odl_usage_error (error, _ ("%s: [%s] names no preset"), path, rule->name);
  g_autofree char *all
      = g_strjoin ("\n", rule->preset, rule->strength != NULL ? rule->strength : "",
                   rule->inside != NULL ? rule->inside : "", NULL);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, all, -1);
  rule->id = g_strndup (hash, ID_DIGITS);
  return true;
}

OdlRules *
odl_rules_load (const char *path, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (OdlRules) self = g_new (OdlRules, 1);
  g_autoptr (GError) given = NULL;

  self->list = g_ptr_array_new_with_free_func (rule_free);
  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, &given))
    return odl_error_null (error, ODL_ERROR_IO, "%s: %s", path, given->message);
  g_auto (GStrv) names = g_key_file_get_groups (file, NULL);
  for (int i = 0; names[i] != NULL; i++) {
    OdlRule *rule = g_new0 (OdlRule, 1);
    rule->name = g_strdup (names[i]);
    g_ptr_array_add (self->list, rule);
    if (!read_rule (file, path, rule, error))
      return NULL;
  }
  if (self->list->len == 0)
    return odl_error_null (error, ODL_ERROR_USAGE, _ ("%s holds no rule"), path);
  return g_steal_pointer (&self);
}

guint
odl_rules_count (const OdlRules *self)
{
  return self->list->len;
}

const OdlRule *
odl_rules_at (const OdlRules *self, guint index)
{
  return g_ptr_array_index (self->list, index);
}

static bool
matches (const char *pattern, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *low = g_utf8_casefold (valid, -1);
  g_autofree char *wanted = g_utf8_casefold (pattern, -1);

  return g_pattern_match_simple (wanted, low);
}

const OdlRule *
odl_rules_find (const OdlRules *self, const OdlNetworkFacts *facts)
{
  for (guint i = 0; i < self->list->len; i++) {
    const OdlRule *rule = g_ptr_array_index (self->list, i);
    bool all = true;
    for (gsize t = 0; t < G_N_ELEMENTS (texts); t++)
      all = all
            && (rule->patterns[t] == NULL
                || matches (rule->patterns[t], (const char *) facts + texts[t].offset));
    if (all)
      return rule;
  }
  return NULL;
}
