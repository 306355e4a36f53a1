// SPDX-License-Identifier: MIT
#include "decoder/metaimage/header.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "decoder/metaimage/files.h"

#include "decoder/protocol.h"

// Where the voxels of a MetaImage lie in the body, as ITK reads and writes it
// (itk::MetaImageIO): the numbers of TransformMatrix that follow each other are the
// direction of one axis, Offset is the centre of the first voxel, the world is LPS, and
// CenterOfRotation plays no part.

// Numbers as written, in the order of the file.
typedef struct {
  double matrix[ODL_META_MAX_DIMENSIONS * ODL_META_MAX_DIMENSIONS];
  int n_matrix; // 0: missing
  double offset[3];
  int n_offset; // 0: missing
  char letters[8]; // where axes come from, such as "RAI" of those of LPS; "": missing
} OdlMetaPlace;

// Axes of LPS in the directions that letters name as their beginnings. False: these are
// no three axes of the body, such as "???".
static bool
from_letters (const char *letters, double m[3][4])
{
  static const char *const ends[3] = { "RL", "AP", "IS" };
  int found = 0;

  memset (m, 0, 12 * sizeof (double));
  for (int axis = 0; axis < 3 && letters[axis] != '\0'; axis++)
    for (int row = 0; row < 3; row++) {
      const char *end = strchr (ends[row], g_ascii_toupper (letters[axis]));
      if (end == NULL)
        continue;
      m[row][axis] = end == ends[row] ? 1 : -1;
      found |= 1 << row;
    }
  return found == 7;
}

static bool
from_matrix (const OdlMetaPlace *written, int n_axes, double m[3][4])
{
  for (int row = 0; row < 3; row++)
    for (int axis = 0; axis < 3; axis++)
      m[row][axis] = written->matrix[n_axes * axis + row];
  return written->n_matrix == n_axes * n_axes && odl_place_is_sane (m);
}

// MetaIO takes missing directions for those of LPS.
static void
set_identity (double m[3][4])
{
  memset (m, 0, 12 * sizeof (double));
  for (int axis = 0; axis < 3; axis++)
    m[axis][axis] = 1;
}

// Directions as ITK takes them: what is longer than 1 makes voxels larger.
static void
set_steps (OdlMetaHeader *header)
{
  double (*lps)[4] = header->place.lps;

  for (int axis = 0; axis < 3; axis++) {
    const double mm = header->spacing_mm[axis] > 0 ? header->spacing_mm[axis] : 1;
    for (int row = 0; row < 3; row++)
      lps[row][axis] *= mm;
  }
}

static bool
leads_elsewhere (const double a[3][4], const double b[3][4])
{
  OdlPlace one = { .extent = { 2, 2, 2 } }, other = one;

  memcpy (one.lps, a, sizeof one.lps);
  memcpy (other.lps, b, sizeof other.lps);
  odl_place_turn (&one);
  odl_place_turn (&other);
  return strcmp (one.letters, other.letters) != 0;
}

// Fills place, is_placed, place_differs and ignored of `header` with `n_axes` axes, 3 or
// more, whose size and spacing are known.
static void
odl_meta_place (OdlMetaHeader *header, const OdlMetaPlace *written, int n_axes)
{
  OdlPlace *place = &header->place;
  double matrix[3][4] = { { 0 } }, letters[3][4];

  place->extent[0] = header->width;
  place->extent[1] = header->height;
  place->extent[2] = MAX (header->n_slices, 1);
  const bool has_letters = from_letters (written->letters, letters);
  const bool has_matrix = from_matrix (written, n_axes, matrix);
  if (written->n_matrix > 0 && !has_matrix)
    header->ignored = "TransformMatrix";
  set_identity (place->lps);
  if (has_matrix || has_letters)
    memcpy (place->lps, has_matrix ? matrix : letters, sizeof place->lps);
  header->place_differs = has_matrix && has_letters && leads_elsewhere (matrix, letters);
  set_steps (header);
  for (int row = 0; row < 3 && written->n_offset == 3; row++)
    place->lps[row][3] = written->offset[row];
  const bool offset_is_sane = odl_place_is_sane (place->lps);
  if (written->n_offset > 0 && (written->n_offset < 3 || !offset_is_sane))
    header->ignored = "Offset";
  // Letters without a first voxel are no place, and neither is one without directions.
  header->is_placed
      = header->ignored == NULL && (has_matrix || has_letters || written->n_offset == 3);
  if (header->is_placed)
    odl_place_turn (place);
  else
    odl_place_keep (place);
}

#define MAX_LINE 65536
#define MAX_HEADER ((size_t) 256 << 20)
// Largest gap in the numbering of a sequence's fields.
#define MAX_GAP 4096u
#define MAX_FILES (1u << 20)
#define MM_MAX 1e6

// MetaIO's LONG has 4 bytes.
static const OdlMetaType types[] = {
  { "MET_UCHAR", ODL_META_U8, 1 },       { "MET_CHAR", ODL_META_S8, 1 },
  { "MET_USHORT", ODL_META_U16, 2 },     { "MET_SHORT", ODL_META_S16, 2 },
  { "MET_UINT", ODL_META_U32, 4 },       { "MET_INT", ODL_META_S32, 4 },
  { "MET_ULONG", ODL_META_U32, 4 },      { "MET_LONG", ODL_META_S32, 4 },
  { "MET_ULONG_LONG", ODL_META_U64, 8 }, { "MET_LONG_LONG", ODL_META_S64, 8 },
  { "MET_FLOAT", ODL_META_F32, 4 },      { "MET_DOUBLE", ODL_META_F64, 8 },
};

// Values of the keys before validation.
typedef struct {
  OdlMetaHeader *header;
  uint64_t n_dimensions; // 0: missing
  uint64_t extent[ODL_META_MAX_DIMENSIONS];
  size_t n_extents;
  uint64_t channels;
  int64_t header_size;
  bool ascii;
  char *type_name;
  char *object_type;
  bool has_minimum, has_maximum;
  OdlMetaPlace place;
} Reading;

static bool
is_true (const char *value)
{
  return g_ascii_strncasecmp (value, "true", 4) == 0 || value[0] == '1';
}

static bool
take_number (const char **at, double *number)
{
  char *end = NULL;

  *number = g_ascii_strtod (*at, &end);
  bool found = end != *at;
  *at = end;
  return found;
}

static void
read_object (Reading *reading, const char *value)
{
  g_free (reading->object_type);
  reading->object_type = g_strdup (value);
}

static void
read_n_dimensions (Reading *reading, const char *value)
{
  reading->n_dimensions = g_ascii_strtoull (value, NULL, 10);
}

static void
read_extents (Reading *reading, const char *value)
{
  char *end = NULL;

  g_auto (GStrv) words = g_strsplit_set (value, " \t", -1);
  g_autoptr (GStrvBuilder) kept = g_strv_builder_new ();
  for (char **word = words; *word != NULL; word++)
    if (**word != '\0')
      g_strv_builder_add (kept, *word);
  g_auto (GStrv) extents = g_strv_builder_end (kept);
  g_autofree char *dimensions = g_strjoinv ("×", extents);
  g_strlcpy (reading->header->dimensions, dimensions, sizeof reading->header->dimensions);
  reading->n_extents = 0;
  for (const char *at = value; reading->n_extents < ODL_META_MAX_DIMENSIONS; at = end) {
    while (g_ascii_isspace (*at))
      at++;
    // strtoull would accept a sign and wrap.
    if (!g_ascii_isdigit (*at))
      return;
    reading->extent[reading->n_extents++] = g_ascii_strtoull (at, &end, 10);
  }
}

static void
read_spacing (Reading *reading, const char *value)
{
  OdlMetaHeader *header = reading->header;
  double *spacing = header->spacing_mm;

  header->spacing_field = "ElementSpacing";
  header->spacing_was_negative = header->spacing_is_nonsense = false;
  memset (spacing, 0, sizeof header->spacing_mm);
  // The amount of a negative one counts, as in NIfTI files.
  for (int axis = 0; axis < 3 && take_number (&value, &spacing[axis]); axis++) {
    header->spacing_was_negative |= spacing[axis] < 0;
    spacing[axis] = fabs (spacing[axis]);
    header->spacing_is_nonsense |= !(spacing[axis] > 0 && spacing[axis] < MM_MAX);
  }
  header->spacing_is_nonsense |= spacing[0] == 0;
  // MetaIO says 1 where nothing is known.
  double interval = 0;
  if (take_number (&value, &interval) && interval > 0 && interval < MM_MAX
      && interval != 1)
    header->interval_s = interval;
  if (header->spacing_is_nonsense || spacing[1] == 0)
    memset (spacing, 0, sizeof header->spacing_mm);
}

// The size of elements that have no spacing, as MetaIO and ITK take it.
static void
read_size (Reading *reading, const char *value)
{
  OdlMetaHeader *header = reading->header;

  if (header->spacing_field != NULL
      && g_str_equal (header->spacing_field, "ElementSpacing"))
    return;
  read_spacing (reading, value);
  header->spacing_field = "ElementSize";
}

static void
read_channels (Reading *reading, const char *value)
{
  reading->channels = g_ascii_strtoull (value, NULL, 10);
}

static void
read_type (Reading *reading, const char *value)
{
  g_free (reading->type_name);
  reading->type_name = g_strdup (value);
}

static void
read_byte_order (Reading *reading, const char *value)
{
  reading->header->big_endian = is_true (value);
}

static void
read_binary (Reading *reading, const char *value)
{
  reading->ascii = !is_true (value);
}

static void
read_compressed (Reading *reading, const char *value)
{
  reading->header->compressed = is_true (value);
}

static void
read_header_size (Reading *reading, const char *value)
{
  reading->header_size = g_ascii_strtoll (value, NULL, 10);
}

static void
read_minimum (Reading *reading, const char *value)
{
  reading->has_minimum = take_number (&value, &reading->header->range[0]);
}

static void
read_maximum (Reading *reading, const char *value)
{
  reading->has_maximum = take_number (&value, &reading->header->range[1]);
}

static void
read_orientation (Reading *reading, const char *value)
{
  g_strlcpy (reading->header->orientation, value, sizeof reading->header->orientation);
}

static void
read_matrix (Reading *reading, const char *value)
{
  OdlMetaPlace *place = &reading->place;

  for (place->n_matrix = 0; place->n_matrix < (int) G_N_ELEMENTS (place->matrix)
                            && take_number (&value, &place->matrix[place->n_matrix]);)
    place->n_matrix++;
}

static void
read_offset (Reading *reading, const char *value)
{
  OdlMetaPlace *place = &reading->place;

  for (place->n_offset = 0;
       place->n_offset < 3 && take_number (&value, &place->offset[place->n_offset]);)
    place->n_offset++;
}

static void
read_letters (Reading *reading, const char *value)
{
  g_strlcpy (reading->place.letters, value, sizeof reading->place.letters);
}

static void
read_beams (Reading *reading, const char *value)
{
  reading->header->beams_are_odd = !odl_beams_from_key (value, &reading->header->beams);
}

static const struct {
  const char *key;
  void (*read) (Reading *reading, const char *value);
} keys[] = {
  { "ObjectType", read_object },
  { "NDims", read_n_dimensions },
  { "DimSize", read_extents },
  { "ElementSpacing", read_spacing },
  { "ElementSize", read_size },
  { "ElementNumberOfChannels", read_channels },
  { "ElementType", read_type },
  { "BinaryDataByteOrderMSB", read_byte_order },
  { "ElementByteOrderMSB", read_byte_order },
  { "BinaryData", read_binary },
  { "CompressedData", read_compressed },
  { "HeaderSize", read_header_size },
  { "ElementMin", read_minimum },
  { "ElementMax", read_maximum },
  { "UltrasoundImageOrientation", read_orientation },
  { "TransformMatrix", read_matrix },
  { "Rotation", read_matrix },
  { "Orientation", read_matrix },
  { "Offset", read_offset },
  { "Position", read_offset },
  { "Origin", read_offset },
  { "AnatomicalOrientation", read_letters },
  { "Beams", read_beams },
};

// Seq_Frame0012_Timestamp = 3.4
static void
read_frame_field (OdlMetaHeader *header, const char *key, const char *value)
{
  char *end = NULL;
  uint64_t frame = g_ascii_strtoull (key + strlen ("Seq_Frame"), &end, 10);

  header->is_sequence = true;
  if (g_str_equal (end, "_ImageStatus") && g_ascii_strcasecmp (value, "INVALID") == 0
      && frame < ODL_DECODER_MAX_FRAMES)
    g_hash_table_add (header->invalid, GUINT_TO_POINTER ((guint) frame));
  if (!g_str_equal (end, "_Timestamp") || frame >= ODL_DECODER_MAX_FRAMES
      || frame >= header->stamps_s->len + MAX_GAP)
    return;
  double stamp = NAN;
  if (!take_number (&value, &stamp))
    stamp = NAN;
  while (header->stamps_s->len <= frame) {
    double none = NAN;
    g_array_append_val (header->stamps_s, none);
  }
  g_array_index (header->stamps_s, double, frame) = stamp;
}

static void
read_line (Reading *reading, const char *key, const char *value)
{
  if (g_str_has_prefix (key, "Seq_Frame"))
    read_frame_field (reading->header, key, value);
  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++)
    if (g_str_equal (key, keys[i].key))
      keys[i].read (reading, value);
}

// Sets n_frames to the product of all axes beyond the second.
static bool
multiply_extents (Reading *reading, GError **error)
{
  OdlMetaHeader *header = reading->header;
  uint64_t frames = 1;

  if (reading->n_extents == 0
      || (reading->n_dimensions != 0 && reading->n_dimensions != reading->n_extents))
    return odl_error_set (
        error, ODL_ERROR_CORRUPT,
        _ ("its header does not say how large the picture is (DimSize)"));
  for (size_t i = 2; i < reading->n_extents; i++) {
    if (reading->extent[i] == 0)
      return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("its header declares 0 frames"));
    if (reading->extent[i] > ODL_DECODER_MAX_FRAMES / frames)
      return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                            _ ("its header declares more frames than can be shown"));
    frames *= reading->extent[i];
  }
  if (reading->n_extents == 1)
    reading->extent[1] = 1;
  if (reading->extent[0] > G_MAXINT32 || reading->extent[1] > G_MAXINT32)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("its header declares a picture that is too large"));
  header->width = (uint32_t) reading->extent[0];
  header->height = (uint32_t) reading->extent[1];
  if (header->width == 0 || header->height == 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its header says that the picture is %u×%u pixels"),
                          header->width, header->height);
  header->n_frames = (uint32_t) frames;
  return true;
}

static bool
find_type (Reading *reading, GError **error)
{
  OdlMetaHeader *header = reading->header;
  g_autofree char *name = g_strdup (reading->type_name != NULL ? reading->type_name : "");

  if (name[0] == '\0')
    return odl_error_set (
        error, ODL_ERROR_CORRUPT,
        _ ("its header does not say how samples are stored (ElementType)"));
  if (g_str_has_suffix (name, "_ARRAY"))
    name[strlen (name) - strlen ("_ARRAY")] = '\0';
  for (size_t i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (name, types[i].name))
      header->type = &types[i];
  if (header->type == NULL)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("its samples are of the type “%.40s”, which is not supported"), name);
  if (reading->channels != 1 && reading->channels != 3 && reading->channels != 4) {
    g_autofree char *channels = g_strdup_printf ("%" G_GUINT64_FORMAT, reading->channels);
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("its pixels have %s values each; 1 (grey), 3 and 4 (colour) are supported"),
        channels);
  }
  header->channels = (uint32_t) reading->channels;
  return true;
}

static void
turn_to_transducer (OdlMetaHeader *header)
{
  OdlPlace *place = &header->place;

  place->extent[0] = header->width;
  place->extent[1] = header->height;
  place->extent[2] = MAX (header->n_slices, 1);
  header->is_turned = odl_place_turn_to_transducer (place, header->orientation);
  header->orientation_is_odd = !header->is_turned;
}

static bool
settle (Reading *reading, GError **error)
{
  OdlMetaHeader *header = reading->header;

  if (reading->object_type != NULL
      && g_ascii_strcasecmp (reading->object_type, "Image") != 0)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("it holds a MetaIO object of the type “%.40s”, not an image"),
        reading->object_type);
  if (!multiply_extents (reading, error) || !find_type (reading, error))
    return false;
  header->is_text = reading->ascii && !header->compressed;
  if (reading->ascii && header->compressed)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("its samples are compressed text (BinaryData = False), "
                             "which is not supported"));
  // Numbers are kept as this machine has them.
  if (header->is_text)
    header->big_endian = G_BYTE_ORDER == G_BIG_ENDIAN;
  size_t factors[]
      = { header->width, header->height, header->channels, header->type->size };
  if (!odl_size_product (factors, G_N_ELEMENTS (factors), &header->frame_bytes)
      || header->frame_bytes > G_MAXINT64 / ODL_DECODER_MAX_FRAMES)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("its header declares a picture that is too large"));
  // They lie in no space, nobody has turned them, and one follows the other.
  if (header->beams.array != ODL_BEAMS_NONE) {
    header->is_sequence = true;
    header->orientation[0] = '\0';
  }
  header->at_end = reading->header_size == -1;
  header->skip_bytes = (uint64_t) MAX (reading->header_size, 0);
  header->has_range = reading->has_minimum && reading->has_maximum;
  const bool is_volume = (reading->n_extents == 3 || reading->n_extents == 4)
                         && reading->extent[2] > 1 && header->channels != 4
                         && !header->is_sequence && header->orientation[0] == '\0';
  // Ultrasound volumes over time have four axes, pictures three.
  const bool is_swept = reading->n_extents == 4 && reading->extent[2] > 1
                        && header->orientation[0] != '\0';
  header->n_slices = is_volume || is_swept ? (uint32_t) reading->extent[2] : 0;
  const bool is_slice = reading->n_extents >= 3 && reading->extent[2] == 1;
  if (is_volume || (is_slice && !header->is_sequence && header->orientation[0] == '\0'))
    odl_meta_place (header, &reading->place, (int) reading->n_extents);
  if (header->orientation[0] != '\0')
    turn_to_transducer (header);
  return true;
}

typedef struct {
  char *key;
  char *value;
  size_t next; // offset after the line
} Line;

static void
line_clear (Line *line)
{
  g_clear_pointer (&line->key, g_free);
  g_clear_pointer (&line->value, g_free);
}

// Keys without a value get an empty one. False: no further line of text.
static bool
next_line (const uint8_t *data, size_t size, size_t at, Line *line)
{
  const size_t limit = MIN (size - at, MAX_LINE);
  const uint8_t *end = limit > 0 ? memchr (data + at, '\n', limit) : NULL;
  // The last line of a separate header may lack its end.
  const size_t length = end != NULL ? (size_t) (end - (data + at)) : limit;

  if (limit == 0 || (end == NULL && at + limit < size)
      || memchr (data + at, '\0', length) != NULL)
    return false;
  g_autofree char *text = g_strndup ((const char *) data + at, length);
  char *equals = strchr (text, '=');
  line->value = g_strstrip (g_strdup (equals != NULL ? equals + 1 : ""));
  if (equals != NULL)
    *equals = '\0';
  line->key = g_strstrip (g_strdup (text));
  line->next = at + length + (end != NULL);
  return true;
}

// The names after ElementDataFile = LIST, one per line.
static bool
read_list (OdlMetaHeader *header, const uint8_t *data, size_t size, size_t at)
{
  Line line = { 0 };

  while (header->files->len < MAX_FILES && next_line (data, size, at, &line)) {
    if (line.key[0] != '\0')
      g_ptr_array_add (header->files, g_strdup (line.key));
    at = line.next;
    line_clear (&line);
  }
  return header->files->len > 0;
}

static bool
read_keys (Reading *reading,
           const uint8_t *data,
           size_t size,
           char **data_file,
           size_t *next)
{
  Line line = { 0 };

  for (size_t at = 0; at < MIN (size, MAX_HEADER) && next_line (data, size, at, &line);
       at = line.next) {
    bool last = g_str_equal (line.key, "ElementDataFile");
    if (last) {
      *data_file = g_strdup (line.value);
      *next = line.next;
    } else {
      read_line (reading, line.key, line.value);
    }
    line_clear (&line);
    if (last)
      return true;
  }
  return false;
}

void
odl_meta_header_walk (const uint8_t *data,
                      size_t size,
                      void (*tell) (const char *key, const char *value, void *data),
                      void *tell_data)
{
  Line line = { 0 };

  for (size_t at = 0; at < MIN (size, MAX_HEADER) && next_line (data, size, at, &line);
       at = line.next) {
    const bool last = g_str_equal (line.key, "ElementDataFile");
    tell (line.key, line.value, tell_data);
    line_clear (&line);
    if (last)
      return;
  }
}

bool
odl_meta_header_read (OdlMetaHeader *header,
                      const uint8_t *data,
                      size_t size,
                      GError **error)
{
  Reading reading = { .header = header, .channels = 1 };
  g_autofree char *data_file = NULL;
  size_t next = 0;

  *header = (OdlMetaHeader){
    .files = g_ptr_array_new_with_free_func (g_free),
    .stamps_s = g_array_new (FALSE, FALSE, sizeof (double)),
    .invalid = g_hash_table_new (NULL, NULL),
  };
  bool whole = read_keys (&reading, data, size, &data_file, &next);
  bool done = whole ? settle (&reading, error)
                    : odl_error_set (error, ODL_ERROR_CORRUPT,
                                     _ ("its header ends without saying where the "
                                        "samples are (ElementDataFile)"));
  g_free (reading.type_name);
  g_free (reading.object_type);
  if (!done)
    return false;
  if (g_ascii_strcasecmp (data_file, "LOCAL") == 0) {
    header->local_offset = next;
    header->frames_per_file = header->n_frames;
    return true;
  }
  const bool list = g_ascii_strncasecmp (data_file, "LIST", 4) == 0
                    && (data_file[4] == '\0' || g_ascii_isspace (data_file[4]));
  if (list && !read_list (header, data, size, next))
    return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("its list of files is empty"));
  return odl_meta_files_find (header, reading.extent, reading.n_extents, data_file,
                              error);
}

void
odl_meta_header_clear (OdlMetaHeader *header)
{
  g_clear_pointer (&header->files, g_ptr_array_unref);
  g_clear_pointer (&header->stamps_s, g_array_unref);
  g_clear_pointer (&header->invalid, g_hash_table_unref);
}
