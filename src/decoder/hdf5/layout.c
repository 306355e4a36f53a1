// SPDX-License-Identifier: MIT
#include "decoder/hdf5/layout.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "decoder/hdf5/array.h"
#include "decoder/hdf5/axes.h"

#define MAX_LISTED 12 // arrays that a sentence names
#define MAX_OPENED 512 // arrays that are looked into for it

typedef struct {
  const OdlH5File *file;
  GString *text;
  char *only; // an array that can be a picture
  unsigned n, n_pictures, n_opened;
  bool is_cut; // there are more
} List;

static bool
list_cb (const char *path, OdlH5Thing thing, void *data)
{
  List *list = data;

  if (thing != ODL_H5_ARRAY)
    return true;
  g_autofree char *what
      = list->n_opened++ < MAX_OPENED ? odl_h5_array_describe (list->file, path) : NULL;
  if (what == NULL)
    return true;
  g_autofree char *name = g_utf8_make_valid (path, -1);
  if (list->n < MAX_LISTED)
    g_string_append_printf (list->text, "%s%s (%s)", list->n > 0 ? ", " : "", name, what);
  else if (list->n == MAX_LISTED)
    g_string_append (list->text, ", …");
  list->n++;
  // Two sides of more than one number.
  OdlH5Array array;
  int n_long = 0;
  if (odl_h5_array_open (&array, list->file, path, G_MAXSIZE, NULL))
    for (int i = 0; i < array.n_sides; i++)
      n_long += array.sides[i] > 1;
  odl_h5_array_close (&array);
  if (n_long >= 2 && list->n_pictures++ == 0)
    list->only = g_strdup (path);
  return true;
}

static List
list_arrays (const OdlH5File *file)
{
  List list = { file, g_string_new (NULL) };

  odl_h5_file_walk (file, list_cb, &list, &list.is_cut);
  list.is_cut |= list.n_opened > MAX_OPENED;
  return list;
}

char *
odl_h5_list_text (const OdlH5File *file, unsigned *n)
{
  List list = list_arrays (file);

  g_free (list.only);
  *n = list.n;
  return g_string_free (list.text, FALSE);
}

// The only array that can be a picture, with two sides of more than one number. Transfer
// full; NULL with ODL_ERROR_UNSUPPORTED and what there is: there are none or several.
static char *
odl_h5_list_only (const OdlH5File *file, GError **error)
{
  List list = list_arrays (file);
  const bool is_one = list.n_pictures == 1 && !list.is_cut;

  if (list.n == 0)
    odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                   _ ("it holds no arrays of numbers that can be shown"));
  else if (!is_one)
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 // Translators: a list of names with their sizes.
                 _ ("it does not say which of its arrays is a picture: write the name of "
                    "one behind that of the file, as in FILE:/NAME. It holds %s"),
                 list.text->str);
  if (!is_one)
    g_clear_pointer (&list.only, g_free);
  g_string_free (list.text, TRUE);
  return list.only;
}

void
odl_h5_layout_clear (OdlH5Layout *layout)
{
  odl_h5_array_close (&layout->array);
  odl_h5_array_close (&layout->other);
  if (layout->stamps_s != NULL)
    g_array_unref (layout->stamps_s);
  g_free (layout->path);
  g_free (layout->other_path);
  g_free (layout->unit);
  *layout = (OdlH5Layout){ .kind = "" };
}

uint64_t
odl_h5_layout_numbers (const OdlH5Layout *layout)
{
  uint64_t n = 1;

  for (int i = 0; i < layout->array.n_sides; i++)
    n *= layout->whole[i] ? layout->array.sides[i] : 1;
  return n;
}

// ---- Plain arrays --------------------------------------------------------------------

// Colours stand behind, as in NumPy's files, or before rows and columns (MATLAB).
static bool
are_colours (const OdlH5Layout *layout, int from_end)
{
  const uint64_t n = odl_h5_side (layout, from_end);

  return layout->array.n_sides >= 3 && !layout->array.is_complex
         && (n == 3 || n == 4 || (n == 1 && from_end == 0));
}

static bool
take_plain (OdlH5Layout *layout, GError **error)
{
  const int n = layout->array.n_sides;
  OdlH5Axes axes = { 0, n > 1 ? 1 : -1, -1, -1, n > 2 ? 2 : -1 };

  if (layout->array.by_columns) {
    const bool colours = are_colours (layout, 2) && layout->array.sample == ODL_META_U8;
    layout->kind = "MATLAB";
    axes = (OdlH5Axes){ n > 1 ? 1 : 0, n > 1 ? 0 : -1, colours ? 2 : -1, -1,
                        n > 2 + colours ? 2 + colours : -1 };
  } else if (are_colours (layout, 0)) {
    axes = (OdlH5Axes){ 1, 2, 0, -1, n > 3 ? 3 : -1 };
  }
  return odl_h5_take_axes (layout, &axes, error);
}

static bool
refuse_name (const OdlH5File *file, const char *name, GError **error)
{
  unsigned n;
  g_autofree char *list = odl_h5_list_text (file, &n);
  g_autofree char *shown = g_utf8_make_valid (name, -1);

  g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
               // Translators: a name that was asked for, and a list of names.
               _ ("it has no array “%.200s”; it holds %s"), shown,
               n > 0 ? list : _ ("none"));
  return false;
}

bool
odl_h5_layout_find (OdlH5Layout *layout,
                    const OdlH5File *file,
                    const char *name,
                    size_t memory,
                    GError **error)
{
  bool found = false;

  *layout = (OdlH5Layout){ .kind = "",
                           .array = { .set = -1, .type = -1 },
                           .other = { .set = -1, .type = -1 } };
  if (!odl_h5_try_zea (layout, file, name, memory, &found, error))
    return false;
  if (!found && !odl_h5_try_uff (layout, file, name, memory, &found, error))
    return false;
  if (found) {
    odl_h5_beams_settle (layout);
    return true;
  }
  if (name != NULL && odl_h5_file_look (file, name) != ODL_H5_ARRAY)
    return refuse_name (file, name, error);
  layout->path = name != NULL ? g_strdup (name) : odl_h5_list_only (file, error);
  return layout->path != NULL && odl_h5_open_arrays (layout, file, memory, error)
         && take_plain (layout, error);
}
