// SPDX-License-Identifier: MIT
#include "session/arrays/ask.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

#define MAGIC "ondelette"
#define MOST_AXES 5
#define MOST_NUMBER 999999999
// Longer ones are no spacing or value of a picture, and would not be floats.
#define MOST_VALUE 1e30
#define MOST_TIME_S 1e9

static const char *const kinds[ODL_N_ASKS] = {
  [ODL_ASK_SHOW] = "show",
  [ODL_ASK_RECIPE] = "recipe",
  [ODL_ASK_RESULT] = "result",
  [ODL_ASK_WATCH] = "watch",
};

// What lines have said of the shape, before it is put together.
typedef struct {
  OdlAsk *ask;
  unsigned seen; // bits 1u << row of `keys`
  char axes[MOST_AXES + 1];
  int sides[MOST_AXES];
  int n_sides;
  int n_times;
  bool has_type;
} Reading;

// ---- values --------------------------------------------------------------------------

// Digits alone, the whole word.
static bool
read_integer (const char *word, int most, int *value)
{
  const size_t n = strlen (word);

  if (n < 1 || n > 9 || strspn (word, "0123456789") != n)
    return false;
  *value = (int) g_ascii_strtoull (word, NULL, 10);
  return *value <= most;
}

static bool
read_real (const char *word, double low, double high, double *value)
{
  return odl_number_from_text (word, value) && *value >= low && *value <= high;
}

static bool
read_name (Reading *reading, const char *text)
{
  const size_t n = strlen (text);

  if (n < 1 || n > ODL_ASK_MOST_NAME || strchr (text, '/') != NULL)
    return false;
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    if (!g_unichar_isprint (g_utf8_get_char (at)))
      return false;
  reading->ask->name = g_strdup (text);
  return true;
}

static bool
read_recipe (Reading *reading, const char *text)
{
  reading->ask->recipe = g_strdup (text);
  return true;
}

static bool
read_type (Reading *reading, const char *text)
{
  static const struct {
    const char *name;
    OdlSampleType type;
  } types[]
      = { { "u8", ODL_SAMPLE_U8 }, { "u16", ODL_SAMPLE_U16 }, { "f32", ODL_SAMPLE_F32 } };

  for (size_t i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (types[i].name, text)) {
      reading->ask->shape.type = types[i].type;
      reading->has_type = true;
      return true;
    }
  return false;
}

// In this order, rows and columns always: tzyxc.
static bool
read_axes (Reading *reading, const char *text)
{
  const char *at = "tzyxc";

  if (strlen (text) > MOST_AXES || strstr (text, "yx") == NULL)
    return false;
  for (const char *axis = text; *axis != '\0'; axis++) {
    at = strchr (at, *axis);
    if (at == NULL)
      return false;
    at++;
  }
  g_strlcpy (reading->axes, text, sizeof reading->axes);
  return true;
}

static bool
read_sides (Reading *reading, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", MOST_AXES + 1);

  reading->n_sides = (int) g_strv_length (words);
  if (reading->n_sides > MOST_AXES)
    return false;
  for (int i = 0; i < reading->n_sides; i++)
    if (!read_integer (words[i], ODL_IMAGE_MAX_SIDE, &reading->sides[i])
        || reading->sides[i] < 1)
      return false;
  return true;
}

// x y, or x y z.
static bool
read_spacing (Reading *reading, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", 4);
  const guint n = g_strv_length (words);

  if (n < 2 || n > 3)
    return false;
  for (guint i = 0; i < n; i++)
    if (!read_real (words[i], 1e-9, 1e9, &reading->ask->shape.spacing_mm[i]))
      return false;
  return true;
}

static bool
read_range (Reading *reading, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", 3);
  OdlArrayShape *shape = &reading->ask->shape;

  return g_strv_length (words) == 2
         && read_real (words[0], -MOST_VALUE, MOST_VALUE, &shape->minimum)
         && read_real (words[1], -MOST_VALUE, MOST_VALUE, &shape->maximum)
         && (float) shape->minimum < (float) shape->maximum;
}

static bool
read_rate (Reading *reading, const char *text)
{
  return read_real (text, 1e-3, 1e4, &reading->ask->shape.rate);
}

static bool
read_times (Reading *reading, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  const guint n = g_strv_length (words);
  double *times = g_new (double, MAX (n, 1));

  reading->ask->shape.times_s = times;
  reading->n_times = (int) n;
  for (guint i = 0; i < n; i++)
    if (!read_real (words[i], -MOST_TIME_S, MOST_TIME_S, &times[i])
        || (i > 0 && times[i] < times[i - 1] + 1e-6))
      return false;
  return n > 0;
}

// ---- lines ---------------------------------------------------------------------------

#define BIT(kind) (1u << (kind))

static const struct {
  const char *key;
  unsigned kinds; // of messages that may have it
  bool (*read) (Reading *reading, const char *text);
  const char *wants; // translatable
} keys[] = {
  { "name", BIT (ODL_N_ASKS) - 1, read_name,
    N_ ("a name of 1 to 120 bytes without “/”") },
  { "recipe", BIT (ODL_ASK_RECIPE), read_recipe, N_ ("filters") },
  { "type", BIT (ODL_ASK_SHOW), read_type, N_ ("u8, u16 or f32") },
  { "axes", BIT (ODL_ASK_SHOW), read_axes,
    N_ ("letters of tzyxc in this order, y and x among them") },
  { "shape", BIT (ODL_ASK_SHOW), read_sides, N_ ("a length for each axis") },
  { "spacing", BIT (ODL_ASK_SHOW), read_spacing, N_ ("mm in x, y and perhaps z") },
  { "range", BIT (ODL_ASK_SHOW), read_range, N_ ("the values of black and white") },
  { "rate", BIT (ODL_ASK_SHOW), read_rate, N_ ("frames per second") },
  { "times", BIT (ODL_ASK_SHOW), read_times, N_ ("ascending seconds") },
};

static bool
read_line (Reading *reading, const char *line, GError **error)
{
  const char *blank = strchr (line, ' ');
  const size_t n = blank != NULL ? (size_t) (blank - line) : strlen (line);

  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++) {
    if (strlen (keys[i].key) != n || strncmp (keys[i].key, line, n) != 0
        || (keys[i].kinds & BIT (reading->ask->kind)) == 0)
      continue;
    if (reading->seen & (1u << i))
      return odl_usage_error (error, _ ("the message says “%s” twice"), keys[i].key);
    reading->seen |= 1u << i;
    return keys[i].read (reading, blank != NULL ? blank + 1 : "")
           || odl_usage_error (error, _ ("“%s” of the message wants %s"), keys[i].key,
                               _ (keys[i].wants));
  }
  g_autofree char *word = g_utf8_substring (line, 0, MIN (g_utf8_strlen (line, -1), 20));
  return odl_usage_error (error, _ ("a message “%s” has no line “%s”"),
                          kinds[reading->ask->kind], word);
}

// What axes and sides make of the shape.
static bool
put_together (Reading *reading, GError **error)
{
  static const char letters[] = "tzyxc";
  OdlArrayShape *shape = &reading->ask->shape;
  size_t bytes;

  if (reading->ask->name == NULL || !reading->has_type || reading->n_sides == 0
      || reading->axes[0] == '\0' || (int) strlen (reading->axes) != reading->n_sides)
    return odl_usage_error (error, "%s",
                            _ ("an array needs “name”, “type”, “axes” and “shape”, with "
                               "a length for each axis"));
  shape->channels = shape->frames = 1;
  for (int i = 0; i < reading->n_sides; i++) {
    int *const sides[] = { &shape->frames, &shape->slices, &shape->height, &shape->width,
                           &shape->channels };
    *sides[strchr (letters, reading->axes[i]) - letters] = reading->sides[i];
  }
  if (shape->times_s != NULL && reading->n_times != shape->frames)
    return odl_usage_error (error, _ ("an array of %d frames comes with %d times"),
                            shape->frames, reading->n_times);
  return odl_array_shape_bytes (shape, &bytes, error);
}

// ---- messages ------------------------------------------------------------------------

// “ondelette VERSION KIND NUMBER”.
static bool
read_first (OdlAsk *ask, const char *line, GError **error)
{
  g_auto (GStrv) words = g_strsplit (line, " ", 5);
  int version = 0, number = 0;

  if (g_strv_length (words) < 2 || !g_str_equal (words[0], MAGIC)
      || !read_integer (words[1], MOST_NUMBER, &version))
    return odl_usage_error (error, "%s",
                            _ ("this is no message to Ondelette: it begins with another "
                               "word"));
  if (version != ODL_ASK_VERSION)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("the message has version %d of the protocol, and this "
                             "Ondelette has version %d: update the older one"),
                          version, ODL_ASK_VERSION);
  if (g_strv_length (words) != 4 || !read_integer (words[3], MOST_NUMBER, &number)
      || number < 1)
    return odl_usage_error (error, "%s", _ ("the message has no kind and number"));
  ask->number = (uint32_t) number;
  for (int i = 0; i < ODL_N_ASKS; i++)
    if (g_str_equal (kinds[i], words[2])) {
      ask->kind = (OdlAskKind) i;
      return true;
    }
  return odl_usage_error (error, "%s",
                          _ ("a message is one of “show”, “recipe”, “result” and "
                             "“watch”"));
}

bool
odl_ask_parse (OdlAsk *ask, const char *bytes, size_t n, GError **error)
{
  *ask = (OdlAsk){ 0 };
  if (n == 0 || n > ODL_ASK_MOST_BYTES || memchr (bytes, '\0', n) != NULL
      || !g_utf8_validate (bytes, (gssize) n, NULL))
    return odl_usage_error (error, _ ("a message is text in UTF-8 of 1 to %d bytes"),
                            ODL_ASK_MOST_BYTES);
  g_autofree char *text = g_strndup (bytes, n);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  Reading reading = { .ask = ask };

  if (!read_first (ask, lines[0], error))
    return false;
  for (char **line = lines + 1; *line != NULL; line++)
    if (**line != '\0' && !read_line (&reading, *line, error))
      return false;
  return ask->kind != ODL_ASK_SHOW || put_together (&reading, error);
}

void
odl_ask_clear (OdlAsk *ask)
{
  g_clear_pointer (&ask->name, g_free);
  g_clear_pointer (&ask->recipe, g_free);
  g_clear_pointer (&ask->shape.times_s, g_free);
}
