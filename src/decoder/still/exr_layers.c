// SPDX-License-Identifier: MIT
#include "decoder/still/exr_layers.h"

#include <string.h>

typedef const exr_attr_chlist_entry_t Channel;

// Kinds of pictures by the last words of their channels' names, the better ones first.
// Nuke writes whole words.
static const struct {
  OdlExrKind kind;
  bool may_have_opacity;
  int n;
  const char *words[3][2];
} kinds[] = {
  { ODL_EXR_COLOURS, true, 3, { { "R", "red" }, { "G", "green" }, { "B", "blue" } } },
  { ODL_EXR_VECTOR, false, 3, { { "X", NULL }, { "Y", NULL }, { "Z", NULL } } },
  { ODL_EXR_CHROMA, true, 3, { { "Y", NULL }, { "RY", NULL }, { "BY", NULL } } },
  { ODL_EXR_LUMINANCE, true, 1, { { "Y", NULL } } },
};

static const char *const opacity_words[2] = { "A", "alpha" };

static size_t
layer_length (const char *name)
{
  const char *dot = strrchr (name, '.');

  return dot != NULL ? (size_t) (dot - name) : 0;
}

static const char *
last_word (const char *name)
{
  const char *dot = strrchr (name, '.');

  return dot != NULL ? dot + 1 : name;
}

static bool
is_in_layer (const char *name, const char *layer, size_t length)
{
  return layer_length (name) == length && memcmp (name, layer, length) == 0
         && (strchr (name, '.') != NULL) == (layer[length] == '.');
}

// The channel with one of both words in the layer that `layer`, a channel's name, is in.
static Channel *
find (const exr_attr_chlist_t *list, const char *layer, const char *const words[2])
{
  const size_t length = layer_length (layer);

  for (int i = 0; i < list->num_channels; i++) {
    const char *name = list->entries[i].name.str, *word = last_word (name);
    if (is_in_layer (name, layer, length)
        && (g_ascii_strcasecmp (word, words[0]) == 0
            || (words[1] != NULL && g_ascii_strcasecmp (word, words[1]) == 0)))
      return &list->entries[i];
  }
  return NULL;
}

// What the layer of channel `first` is a picture of; false: of nothing as a whole.
static bool
find_picture (const exr_attr_chlist_t *list, Channel *first, OdlExrLayer *found)
{
  static const char *const across[2] = { "X", NULL };
  const char *layer = first->name.str;
  const size_t length = layer_length (layer);

  for (size_t k = 0; k < G_N_ELEMENTS (kinds); k++) {
    int n = 0;
    for (; n < kinds[k].n; n++)
      if ((found->channels[n] = find (list, layer, kinds[k].words[n])) == NULL)
        break;
    if (n < kinds[k].n)
      continue;
    // Two of a vector's numbers are no luminance.
    if (kinds[k].kind == ODL_EXR_LUMINANCE && find (list, layer, across) != NULL)
      continue;
    found->kind = kinds[k].kind;
    found->channels[n]
        = kinds[k].may_have_opacity ? find (list, layer, opacity_words) : NULL;
    found->has_opacity = found->channels[n] != NULL;
    found->n_channels = n + (found->has_opacity ? 1 : 0);
    found->name = g_strndup (layer, length);
    return true;
  }
  return false;
}

static bool
holds (const OdlExrLayer *layer, Channel *channel)
{
  for (int c = 0; c < layer->n_channels; c++)
    if (layer->channels[c] == channel)
      return true;
  return false;
}

// Names of further parts begin with the part's, unless they do so anyway.
static void
name_part (exr_const_context_t exr, int n_parts, OdlExrLayer *layer)
{
  g_autofree char *own = layer->name;
  const char *part = NULL;

  layer->name = NULL;
  if (n_parts < 2 || exr_get_name (exr, layer->part, &part) != EXR_ERR_SUCCESS)
    part = NULL;
  if (part == NULL || *part == '\0' || g_str_has_prefix (own, part))
    layer->name = g_steal_pointer (&own);
  else
    layer->name = *own == '\0' ? g_strdup (part) : g_strdup_printf ("%s.%s", part, own);
}

static void
add_part (exr_const_context_t exr, int n_parts, int part, GArray *layers)
{
  const exr_attr_chlist_t *list = NULL;
  exr_storage_t storage;

  if (exr_get_storage (exr, part, &storage) != EXR_ERR_SUCCESS
      || (storage != EXR_STORAGE_SCANLINE && storage != EXR_STORAGE_TILED)
      || exr_get_channels (exr, part, &list) != EXR_ERR_SUCCESS || list == NULL)
    return;
  for (int i = 0; i < list->num_channels && layers->len < ODL_EXR_MOST_LAYERS; i++) {
    OdlExrLayer layer = { .part = part };
    Channel *channel = &list->entries[i];
    const bool is_picture = find_picture (list, channel, &layer);
    // A layer stands where its first channel does.
    if (is_picture && holds (&layer, channel)) {
      bool first = true;
      for (int j = 0; j < i; j++)
        first = first && !holds (&layer, &list->entries[j]);
      if (!first) {
        g_free (layer.name);
        continue;
      }
    } else {
      g_free (layer.name);
      layer = (OdlExrLayer){ .part = part,
                             .kind = ODL_EXR_CHANNEL,
                             .name = g_strdup (channel->name.str),
                             .channels = { channel },
                             .n_channels = 1 };
    }
    name_part (exr, n_parts, &layer);
    g_array_append_vals (layers, &layer, 1);
  }
}

static int
rank (const OdlExrLayer *layer)
{
  const bool unnamed = strchr (layer->channels[0]->name.str, '.') == NULL;
  const bool colours = layer->kind == ODL_EXR_COLOURS || layer->kind == ODL_EXR_CHROMA;

  if (colours || layer->kind == ODL_EXR_LUMINANCE)
    return unnamed ? 4 : colours ? 3 : 2;
  return layer->kind == ODL_EXR_VECTOR ? 1 : 0;
}

static void
clear_cb (void *data)
{
  g_free (((OdlExrLayer *) data)->name);
}

GArray *
odl_exr_layers (exr_const_context_t exr)
{
  GArray *layers = g_array_new (FALSE, TRUE, sizeof (OdlExrLayer));
  int n_parts = 1, best = 0;

  g_array_set_clear_func (layers, clear_cb);
  if (exr_get_count (exr, &n_parts) != EXR_ERR_SUCCESS)
    n_parts = 1;
  for (int part = 0; part < n_parts && layers->len < ODL_EXR_MOST_LAYERS; part++)
    add_part (exr, n_parts, part, layers);
  for (int i = 1; i < (int) layers->len; i++)
    if (rank (&g_array_index (layers, OdlExrLayer, i))
        > rank (&g_array_index (layers, OdlExrLayer, best)))
      best = i;
  // The best one moves to the front, those before it back by one place.
  for (int i = best; i > 0; i--) {
    OdlExrLayer *at = &g_array_index (layers, OdlExrLayer, i);
    const OdlExrLayer before = at[-1];
    at[-1] = *at;
    *at = before;
  }
  return layers;
}
