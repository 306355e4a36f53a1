// SPDX-License-Identifier: MIT
#include "engine/registry.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"

static const OdlEngineClass *const engines[] = {
  &odl_reference_engine, &odl_cpu_engine,        &odl_gl_fragment_engine,
  &odl_gl_lookup_engine, &odl_gl_compute_engine,
};

size_t
odl_engine_count (void)
{
  return G_N_ELEMENTS (engines);
}

const OdlEngineClass *
odl_engine_at (size_t index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (engines), NULL);
  return engines[index];
}

const OdlEngineClass *
odl_engine_find (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (engines); i++)
    if (g_str_equal (engines[i]->name, name))
      return engines[i];
  return NULL;
}

static const OdlEngineVariant *
find_variant (const OdlEngineClass *klass, const char *name)
{
  const OdlEngineVariant *variant = klass->variants;

  while (variant != NULL && variant->name != NULL && !g_str_equal (variant->name, name))
    variant++;
  return variant != NULL && variant->name != NULL ? variant : NULL;
}

static void
set_unknown_engine (const char *name, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (engines); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", engines[i]->name);
  g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
               _ ("there is no engine “%s”; there are %s"), name, names->str);
}

static void
set_unknown_variant (const OdlEngineClass *klass, const char *name, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  if (klass->variants == NULL) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
                 _ ("the engine %s has no variants: leave “:%s” out"), klass->name, name);
    return;
  }
  for (const OdlEngineVariant *v = klass->variants; v->name != NULL; v++)
    g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", v->name);
  g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
               _ ("the engine %s has no variant “%s”; it has %s"), klass->name, name,
               names->str);
}

bool
odl_engine_choice_parse (const char *text, OdlEngineChoice *choice, GError **error)
{
  g_return_val_if_fail (text != NULL && choice != NULL, false);

  g_auto (GStrv) words = g_strsplit (text, ":", 2);
  const char *name = words[0] != NULL ? words[0] : "";
  const OdlEngineClass *klass = odl_engine_find (name);
  const OdlEngineVariant *variant = NULL;

  if (klass == NULL) {
    set_unknown_engine (name, error);
    return false;
  }
  if (words[1] != NULL) {
    variant = find_variant (klass, words[1]);
    if (variant == NULL) {
      set_unknown_variant (klass, words[1], error);
      return false;
    }
  }
  *choice = (OdlEngineChoice){ klass, variant != NULL ? variant->name : NULL };
  return true;
}

char *
odl_engine_choice_to_text (OdlEngineChoice choice)
{
  g_return_val_if_fail (choice.klass != NULL, NULL);
  return g_strjoin (":", choice.klass->name, choice.variant, NULL);
}
