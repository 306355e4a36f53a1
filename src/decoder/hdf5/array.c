// SPDX-License-Identifier: MIT
#include "decoder/hdf5/array.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "decoder/metaimage/convert.h"

#define MAX_FILTERS 32
// Parameters of the filters “scale-offset” and “nbit”: how many numbers, of how many
// bytes each (of nbit for single numbers alone).
#define MAX_FILTER_VALUES 20
#define FILTER_COUNT 2
#define FILTER_SIZE 4

// Filters that are registered but not built in, by which programs write.
static const struct {
  H5Z_filter_t id;
  const char *name;
} filters[] = {
  { H5Z_FILTER_SZIP, "szip" },
  { 305, "LZO" },
  { 307, "bzip2" },
  { 32000, "LZF" },
  { 32001, "Blosc" },
  { 32004, "LZ4" },
  { 32008, "bitshuffle" },
  { 32013, "ZFP" },
  { 32015, "Zstandard" },
  { 32017, "SZ" },
  { 32026, "Blosc2" },
};

// ---- Types ---------------------------------------------------------------------------

// As libhdf5 hands them out.
static hid_t
native_type (OdlMetaSample sample)
{
  switch (sample) {
  case ODL_META_U8:
    return H5T_NATIVE_UINT8;
  case ODL_META_S8:
    return H5T_NATIVE_INT8;
  case ODL_META_U16:
    return H5T_NATIVE_UINT16;
  case ODL_META_S16:
    return H5T_NATIVE_INT16;
  case ODL_META_U32:
    return H5T_NATIVE_UINT32;
  case ODL_META_S32:
    return H5T_NATIVE_INT32;
  case ODL_META_U64:
    return H5T_NATIVE_UINT64;
  case ODL_META_S64:
    return H5T_NATIVE_INT64;
  case ODL_META_F32:
    return H5T_NATIVE_FLOAT;
  case ODL_META_F64:
    return H5T_NATIVE_DOUBLE;
  }
  return -1;
}

static bool
find_whole (hid_t type, OdlMetaSample *sample)
{
  static const OdlMetaSample by_size[2][4]
      = { { ODL_META_U8, ODL_META_U16, ODL_META_U32, ODL_META_U64 },
          { ODL_META_S8, ODL_META_S16, ODL_META_S32, ODL_META_S64 } };
  const size_t size = H5Tget_size (type);
  const int row = H5Tget_sign (type) == H5T_SGN_2;

  for (int i = 0; i < 4; i++)
    if (size <= (size_t) 1 << i) {
      *sample = by_size[row][i];
      return size > 0;
    }
  return false;
}

static bool
find_float (hid_t type, OdlMetaSample *sample)
{
  const size_t size = H5Tget_size (type);

  *sample = size <= sizeof (float) ? ODL_META_F32 : ODL_META_F64;
  return size > 0 && size <= sizeof (double);
}

// Two floats of one type, as h5py and MATLAB write complex numbers.
static bool
find_complex (hid_t type, OdlMetaSample *sample)
{
  OdlMetaSample each[2];
  bool found = H5Tget_nmembers (type) == 2;

  for (unsigned i = 0; i < 2 && found; i++) {
    const hid_t member = H5Tget_member_type (type, i);
    found = member >= 0 && H5Tget_class (member) == H5T_FLOAT
            && find_float (member, &each[i]);
    if (member >= 0)
      H5Tclose (member);
  }
  *sample = found ? each[0] : ODL_META_F32;
  return found && each[0] == each[1];
}

static bool
find_type (OdlH5Array *array)
{
  switch (H5Tget_class (array->type)) {
  case H5T_INTEGER:
  case H5T_BITFIELD:
    return find_whole (array->type, &array->sample);
  case H5T_FLOAT:
    return find_float (array->type, &array->sample);
  case H5T_ENUM:
    array->sample = ODL_META_U8;
    array->is_bool = true;
    return H5Tget_size (array->type) == 1 && H5Tget_nmembers (array->type) == 2;
  case H5T_COMPOUND:
    array->is_complex = true;
    return find_complex (array->type, &array->sample);
  default:
    return false;
  }
}

static hid_t
memory_type (const OdlH5Array *array)
{
  const hid_t number = native_type (array->sample);
  const size_t size = H5Tget_size (number);

  if (array->is_bool)
    return H5Tcopy (array->type);
  if (!array->is_complex)
    return H5Tcopy (number);
  const hid_t type = H5Tcreate (H5T_COMPOUND, 2 * size);
  for (unsigned i = 0; i < 2; i++) {
    char *name = H5Tget_member_name (array->type, i);
    if (name != NULL)
      H5Tinsert (type, name, i * size, number);
    H5free_memory (name);
  }
  return type;
}

size_t
odl_h5_array_number_bytes (const OdlH5Array *array)
{
  return odl_number_size (odl_meta_number_type (array->sample))
         * (array->is_complex ? 2 : 1);
}

// ---- Opening -------------------------------------------------------------------------

static bool
check_filters (hid_t creation, GError **error)
{
  const int n = H5Pget_nfilters (creation);

  for (int i = 0; i < MIN (n, MAX_FILTERS); i++) {
    char own[64] = "";
    unsigned flags, config;
    size_t n_values = 0;
    const H5Z_filter_t id = H5Pget_filter2 (creation, (unsigned) i, &flags, &n_values,
                                            NULL, sizeof own, own, &config);
    const char *name = NULL;
    if (id >= 0 && H5Zfilter_avail (id) > 0)
      continue;
    for (size_t k = 0; k < G_N_ELEMENTS (filters); k++)
      if (filters[k].id == id)
        name = filters[k].name;
    if (name == NULL)
      name = own[0] != '\0' && g_utf8_validate (own, -1, NULL) ? own : _ ("unknown");
    g_set_error (
        error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
        _ ("its numbers are packed by the filter %d (%s), which is not built in: "
           "write them again with gzip (h5repack -f GZIP=4)"),
        id, name);
    return false;
  }
  return true;
}

static bool
check_chunk (OdlH5Array *array, hid_t creation, size_t memory, GError **error)
{
  hsize_t sides[ODL_H5_MAX_SIDES];
  uint64_t bytes = H5Tget_size (array->type);
  const int n = H5Pget_chunk (creation, ODL_H5_MAX_SIDES, sides);

  if (n < 1)
    return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("its chunks are damaged"));
  for (int i = 0; i < n; i++)
    if (sides[i] == 0 || bytes > memory / sides[i]) {
      g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                   _ ("a chunk of it has more than the %.0f MB that a file of this size "
                      "may take"),
                   (double) memory / 1e6);
      return false;
    } else {
      bytes *= sides[i];
    }
  array->chunk_bytes = (size_t) bytes;
  return true;
}

// libhdf5 unpacks as many numbers as these filters' own parameters say, which may be
// others than the chunk's, into memory for as many, and reads past the end of what is
// packed.
static bool
check_counts (const OdlH5Array *array, hid_t creation, GError **error)
{
  const size_t size = H5Tget_size (array->type);
  const int n = H5Pget_nfilters (creation);

  for (int i = 0; i < MIN (n, MAX_FILTERS); i++) {
    unsigned flags, values[MAX_FILTER_VALUES] = { 0 };
    size_t n_values = MAX_FILTER_VALUES;
    const H5Z_filter_t id = H5Pget_filter2 (creation, (unsigned) i, &flags, &n_values,
                                            values, 0, NULL, NULL);
    if (id != H5Z_FILTER_SCALEOFFSET && id != H5Z_FILTER_NBIT)
      continue;
    if (n_values <= FILTER_SIZE || values[FILTER_COUNT] != array->chunk_bytes / size
        || (id == H5Z_FILTER_SCALEOFFSET && values[FILTER_SIZE] != size))
      return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("its chunks are damaged"));
  }
  return true;
}

// Before its sides are asked for, since a virtual array would look for its parts then.
static bool
check_storage (OdlH5Array *array, size_t memory, GError **error)
{
  const hid_t creation = H5Dget_create_plist (array->set);
  const H5D_layout_t layout = creation >= 0 ? H5Pget_layout (creation) : H5D_LAYOUT_ERROR;
  bool done = false;

  if (layout == H5D_VIRTUAL)
    odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("it is a view of arrays elsewhere (a virtual dataset), which is not "
           "followed: open the file that holds them"));
  else if (layout == H5D_CONTIGUOUS && H5Pget_external_count (creation) != 0)
    odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                   _ ("its numbers are in another file, which is not followed"));
  else if (layout == H5D_CHUNKED)
    done = check_filters (creation, error) && check_chunk (array, creation, memory, error)
           && check_counts (array, creation, error);
  else
    done = layout == H5D_CONTIGUOUS || layout == H5D_COMPACT
           || odl_error_set (error, ODL_ERROR_CORRUPT, _ ("its array is damaged"));
  if (creation >= 0)
    H5Pclose (creation);
  return done;
}

static bool
find_sides (OdlH5Array *array, GError **error)
{
  hsize_t sides[ODL_H5_MAX_SIDES] = { 1 };
  const hid_t space = H5Dget_space (array->set);
  const int n = space >= 0 ? H5Sget_simple_extent_dims (space, sides, NULL) : -1;
  const bool is_null = space >= 0 && H5Sget_simple_extent_type (space) == H5S_NULL;

  if (space >= 0)
    H5Sclose (space);
  array->n_sides = MAX (n, 1);
  for (int i = 0; i < array->n_sides; i++) {
    array->sides[i] = sides[i];
    if (sides[i] == 0 || is_null)
      return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("the array holds no numbers"));
  }
  return n >= 0 || odl_error_set (error, ODL_ERROR_CORRUPT, _ ("its array is damaged"));
}

bool
odl_h5_array_refuse_size (GError **error)
{
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("its array says that it is larger than the file, or nothing "
                           "was written into it"));
}

// Whether numbers that follow each other are all there.
static bool
check_size (OdlH5Array *array, GError **error)
{
  uint64_t bytes = H5Tget_size (array->type);
  bool fits = true;

  for (int i = 0; i < array->n_sides && fits; i++) {
    fits = bytes <= G_MAXINT64 / array->sides[i];
    bytes *= fits ? array->sides[i] : 1;
  }
  return (fits && (array->chunk_bytes > 0 || bytes <= H5Dget_storage_size (array->set)))
         || odl_h5_array_refuse_size (error);
}

bool
odl_h5_array_open (OdlH5Array *array,
                   const OdlH5File *file,
                   const char *path,
                   size_t memory,
                   GError **error)
{
  *array = (OdlH5Array){ .set = H5Dopen2 (file->file, path, H5P_DEFAULT), .type = -1 };
  if (array->set < 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("its array is damaged"));
  array->type = H5Dget_type (array->set);
  if (array->type < 0 || !find_type (array))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("its array has no numbers that can be shown, but texts, "
                             "references or tables"));
  if (!check_storage (array, memory, error) || !find_sides (array, error)
      || !check_size (array, error))
    return false;
  g_autofree char *matlab = odl_h5_file_text (file, path, "MATLAB_class");
  array->by_columns = matlab != NULL;
  return true;
}

void
odl_h5_array_close (OdlH5Array *array)
{
  if (array->type > 0)
    H5Tclose (array->type);
  if (array->set > 0)
    H5Dclose (array->set);
  array->set = array->type = -1;
}

bool
odl_h5_array_keep (OdlH5Array *array,
                   const OdlH5File *file,
                   const char *path,
                   size_t bytes)
{
  const hid_t access = H5Pcreate (H5P_DATASET_ACCESS);

  // Slots are a prime number, some for each chunk. What an array was opened with stays
  // until it is closed.
  H5Pset_chunk_cache (access, 12421, bytes, 1);
  H5Dclose (array->set);
  array->set = H5Dopen2 (file->file, path, access);
  H5Pclose (access);
  return array->set >= 0;
}

char *
odl_h5_array_describe (const OdlH5File *file, const char *path)
{
  static const char *const names[]
      = { [ODL_META_U8] = "uint8",   [ODL_META_S8] = "int8",    [ODL_META_U16] = "uint16",
          [ODL_META_S16] = "int16",  [ODL_META_U32] = "uint32", [ODL_META_S32] = "int32",
          [ODL_META_U64] = "uint64", [ODL_META_S64] = "int64",  [ODL_META_F32] = "float",
          [ODL_META_F64] = "double" };
  g_autoptr (GString) text = g_string_new (NULL);
  OdlH5Array array;

  const bool opened = odl_h5_array_open (&array, file, path, G_MAXSIZE, NULL);
  for (int i = 0; i < array.n_sides; i++)
    g_string_append_printf (text, "%s%" G_GUINT64_FORMAT, i > 0 ? "×" : "",
                            array.sides[i]);
  if (opened)
    g_string_append_printf (text, " %s%s", array.is_complex ? "complex " : "",
                            array.is_bool ? "bool" : names[array.sample]);
  odl_h5_array_close (&array);
  return opened ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

// ---- Reading -------------------------------------------------------------------------

bool
odl_h5_array_read (const OdlH5Array *array,
                   const uint64_t *start,
                   const uint64_t *count,
                   void *to)
{
  hsize_t from[ODL_H5_MAX_SIDES], sizes[ODL_H5_MAX_SIDES], all = 1;
  const hid_t space = H5Dget_space (array->set), type = memory_type (array);
  bool done = false;

  for (int i = 0; i < array->n_sides; i++) {
    from[i] = start[i];
    sizes[i] = count[i];
    all *= count[i];
  }
  const hid_t memory = H5Screate_simple (1, &all, NULL);
  if (space >= 0 && type >= 0 && memory >= 0
      && (H5Sget_simple_extent_type (space) == H5S_SCALAR
          || H5Sselect_hyperslab (space, H5S_SELECT_SET, from, NULL, sizes, NULL) >= 0))
    done = H5Dread (array->set, type, memory, space, H5P_DEFAULT, to) >= 0;
  if (memory >= 0)
    H5Sclose (memory);
  if (type >= 0)
    H5Tclose (type);
  if (space >= 0)
    H5Sclose (space);
  return done;
}

size_t
odl_h5_array_numbers (const OdlH5File *file,
                      const char *path,
                      double *numbers,
                      size_t most)
{
  OdlH5Array array;
  size_t n = 1;

  if (odl_h5_file_look (file, path) != ODL_H5_ARRAY)
    return 0;
  bool done = odl_h5_array_open (&array, file, path, most * sizeof (double), NULL)
              && !array.is_complex && !array.is_bool;
  for (int i = 0; i < array.n_sides && done; i++) {
    done = array.sides[i] <= most / n;
    n *= (size_t) array.sides[i];
  }
  done = done
         && H5Dread (array.set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers)
                >= 0;
  odl_h5_array_close (&array);
  return done ? n : 0;
}
