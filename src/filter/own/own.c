// SPDX-License-Identifier: MIT
#include "filter/own/own.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "filter/own/header.h"
#include "filter/own/python.h"
#include "filter/own/tokens.h"
#include "filter/rows.h"

#define FIRST_LINE 100001

// “half-width” is HALF_WIDTH in the code, as in the files of shaders/spatial.
static char **
code_names (const GArray *parameters)
{
  char **names = g_new0 (char *, parameters->len + 1);

  for (guint i = 0; i < parameters->len; i++) {
    names[i] = g_ascii_strup (g_array_index (parameters, OdlParameter, i).key, -1);
    g_strdelimit (names[i], "-", '_');
  }
  return names;
}

// ---- all codes -----------------------------------------------------------------------

typedef struct {
  GMutex lock;
  GPtrArray *all; // OdlOwnCode, until exit; NULL: none yet
  int asks, registered; // atomic
} Codes;

// The ends of names; NULL: any other.
static const char *const endings[ODL_N_OWN_LANGUAGES] = { [ODL_OWN_PYTHON] = ".py" };
// The filters that have no file yet.
static const char *const filters[ODL_N_OWN_LANGUAGES]
    = { [ODL_OWN_GLSL] = "glsl", [ODL_OWN_PYTHON] = "python" };

OdlOwnLanguage
odl_own_language (const char *name)
{
  g_return_val_if_fail (name != NULL, ODL_OWN_GLSL);
  for (size_t i = 0; i < G_N_ELEMENTS (endings); i++)
    if (endings[i] != NULL && g_str_has_suffix (name, endings[i]))
      return (OdlOwnLanguage) i;
  return ODL_OWN_GLSL;
}

const char *
odl_own_filter_name (OdlOwnLanguage language)
{
  return filters[language];
}

static Codes *
codes (void)
{
  static Codes known;

  return &known;
}

// By name, or by any of a language.
static const OdlOwnCode *
find (const char *name, OdlOwnLanguage language, const char *hash)
{
  Codes *known = codes ();
  const OdlOwnCode *found = NULL;

  g_mutex_lock (&known->lock);
  for (guint i = 0; known->all != NULL && i < known->all->len && found == NULL; i++) {
    const OdlOwnCode *code = g_ptr_array_index (known->all, i);
    if (g_str_equal (code->hash, hash)
        && (name != NULL ? g_str_equal (code->name, name)
                         : language == ODL_N_OWN_LANGUAGES || code->language == language))
      found = code;
  }
  g_mutex_unlock (&known->lock);
  return found;
}

const OdlOwnCode *
odl_own_code_find (const char *name, const char *hash)
{
  g_return_val_if_fail (hash != NULL, NULL);
  // Those who compile it ask without a name.
  const OdlOwnCode *glsl = name == NULL ? find (NULL, ODL_OWN_GLSL, hash) : NULL;
  return glsl != NULL ? glsl : find (name, ODL_N_OWN_LANGUAGES, hash);
}

// The same bytes under another name share what was said of them.
static void
keep (OdlOwnCode *code)
{
  Codes *known = codes ();
  const OdlOwnCode *same = find (NULL, code->language, code->hash);

  code->state = same != NULL      ? (int) odl_own_state (same)
                : odl_own_asks () ? ODL_OWN_WAITS
                                  : ODL_OWN_ALLOWED;
  code->fault = same != NULL ? odl_own_fault (same) : "";
  code->ends_loops = same != NULL && odl_own_loops_are_ended (same);
  g_mutex_lock (&known->lock);
  if (known->all == NULL)
    known->all = g_ptr_array_new ();
  g_ptr_array_add (known->all, code);
  g_mutex_unlock (&known->lock);
}

void
odl_own_ask (void)
{
  g_atomic_int_set (&codes ()->asks, 1);
}

bool
odl_own_asks (void)
{
  return g_atomic_int_get (&codes ()->asks) != 0;
}

OdlOwnState
odl_own_state (const OdlOwnCode *code)
{
  g_return_val_if_fail (code != NULL, ODL_OWN_REFUSED);
  return (OdlOwnState) g_atomic_int_get (&code->state);
}

const char *
odl_own_fault (const OdlOwnCode *code)
{
  Codes *known = codes ();

  g_return_val_if_fail (code != NULL, "");
  g_mutex_lock (&known->lock);
  const char *fault = code->fault;
  g_mutex_unlock (&known->lock);
  return fault;
}

void
odl_own_set_state (const OdlOwnCode *code, OdlOwnState state, const char *why)
{
  Codes *known = codes ();

  g_return_if_fail (code != NULL);
  g_mutex_lock (&known->lock);
  for (guint i = 0; i < known->all->len; i++) {
    OdlOwnCode *other = g_ptr_array_index (known->all, i);
    if (!g_str_equal (other->hash, code->hash) || other->language != code->language)
      continue;
    other->fault = g_intern_string (why != NULL ? why : "");
    g_atomic_int_set (&other->state, (int) state);
  }
  g_mutex_unlock (&known->lock);
}

bool
odl_own_loops_are_ended (const OdlOwnCode *code)
{
  g_return_val_if_fail (code != NULL, false);
  return g_atomic_int_get (&code->ends_loops) != 0;
}

void
odl_own_set_loops_are_ended (const OdlOwnCode *code, bool ended)
{
  Codes *known = codes ();

  g_return_if_fail (code != NULL);
  g_mutex_lock (&known->lock);
  for (guint i = 0; i < known->all->len; i++) {
    OdlOwnCode *other = g_ptr_array_index (known->all, i);
    if (g_str_equal (other->hash, code->hash))
      g_atomic_int_set (&other->ends_loops, ended);
  }
  g_mutex_unlock (&known->lock);
}

static const OdlParameter second = { .key = "with",
                                     .label = N_ ("Second picture"),
                                     .unit = "",
                                     .kind = ODL_PARAMETER_FILE };

static const char *const dimension_names[] = { "2", "3", NULL };

static const OdlParameter dimensions
    = { CHOICE ("dimensions", N_ ("Dimensions"), "", dimension_names), .tacit = true,
        .for_volumes = true, .offset = ODL_OWN_MOST_PARAMETERS };

static void
fill_filter (OdlOwnCode *code, GArray *parameters)
{
  const OdlFilter *row = odl_filter_find (filters[code->language]);

  code->n_named = parameters->len;
  if (code->reads_other)
    g_array_prepend_val (parameters, second);
  if (code->language == ODL_OWN_PYTHON)
    g_array_append_val (parameters, dimensions);
  code->filter = *row;
  code->filter.label = code->name;
  code->filter.code = code;
  code->filter.n_parameters = parameters->len;
  code->filter.parameters
      = (const OdlParameter *) (void *) g_array_free (g_array_ref (parameters), FALSE);
  code->named = code->filter.parameters + (code->reads_other ? 1 : 0);
}

static char *
read_python (OdlOwnHeader *header, const char *text, OdlOwnPythonTakes *takes)
{
  return odl_own_python_read (header, text, takes) ? g_strdup ("") : NULL;
}

static char *
rewrite (OdlOwnHeader *header, const char *text, size_t length, bool *reads_other)
{
  if (!odl_own_header_read (header, text))
    return NULL;
  g_auto (GStrv) names = code_names (header->parameters);
  const OdlOwnSource source = { text, length, header->name, (const char *const *) names };
  return odl_own_rewrite (&source, reads_other, header->error);
}

static OdlOwnCode *
make (const char *name, const char *bytes, size_t length, GError **error)
{
  g_autoptr (GArray) parameters = g_array_new (FALSE, TRUE, sizeof (OdlParameter));
  g_autofree char *text = g_strndup (bytes, length);
  OdlOwnHeader header = { .name = name, .parameters = parameters, .error = error };
  const OdlOwnLanguage language = odl_own_language (name);
  OdlOwnPythonTakes takes = { 0 };

  char *rewritten = language == ODL_OWN_PYTHON
                        ? read_python (&header, text, &takes)
                        : rewrite (&header, text, length, &takes.other);
  if (rewritten == NULL)
    return NULL;
  OdlOwnCode *code = g_new0 (OdlOwnCode, 1);
  code->language = language;
  code->takes_out = takes.out;
  code->name = g_strdup (name);
  code->hash
      = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) bytes, length);
  code->bytes = g_memdup2 (bytes, length);
  code->length = length;
  code->text = rewritten;
  code->reads_other = takes.other;
  fill_filter (code, parameters);
  return code;
}

const OdlOwnCode *
odl_own_code_new (const char *name, const char *bytes, size_t length, GError **error)
{
  g_return_val_if_fail (name != NULL && bytes != NULL, NULL);

  g_autofree char *shown = odl_text_in_one_line (name);
  g_autofree char *hash
      = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) bytes, length);
  const OdlOwnCode *found = odl_own_code_find (shown, hash);

  if (found != NULL)
    return found;
  if (length > ODL_OWN_MOST_BYTES || memchr (bytes, '\0', length) != NULL
      || !g_utf8_validate (bytes, (gssize) length, NULL))
    return odl_error_null (error, ODL_ERROR_CORRUPT,
                           _ ("%s: this is no code: it is not a text file, or longer "
                              "than 64 KiB"),
                           shown);
  OdlOwnCode *code = make (shown, bytes, length, error);
  if (code != NULL)
    keep (code);
  return code;
}

// ---- functions of the program ---------------------------------------------------------

static const OdlOwnCode *
registered (const char *name)
{
  Codes *known = codes ();
  const OdlOwnCode *found = NULL;

  g_mutex_lock (&known->lock);
  for (guint i = 0; known->all != NULL && i < known->all->len; i++) {
    const OdlOwnCode *code = g_ptr_array_index (known->all, i);
    if (code->call != NULL && g_str_equal (code->name, name))
      found = code; // the latest one
  }
  g_mutex_unlock (&known->lock);
  return found;
}

const OdlOwnCode *
odl_own_registered (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  const OdlOwnCode *found = registered (name);
  return found != NULL && !odl_own_is_withdrawn (found) ? found : NULL;
}

void
odl_own_withdraw (const OdlOwnCode *code)
{
  g_return_if_fail (code != NULL);
  g_atomic_int_set (&((OdlOwnCode *) code)->withdrawn, 1);
}

bool
odl_own_is_withdrawn (const OdlOwnCode *code)
{
  g_return_val_if_fail (code != NULL, true);
  return g_atomic_int_get (&code->withdrawn) != 0;
}

// Each has a hash of its own, whatever its signature is.
static char *
next_hash (const char *name, const char *signature)
{
  const int number = g_atomic_int_add (&codes ()->registered, 1);
  g_autofree char *text = g_strdup_printf ("%s %d %s", name, number, signature);

  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
}

const OdlOwnCode *
odl_own_register (const char *name,
                  const char *signature,
                  OdlOwnRunner *call,
                  void *data,
                  GError **error)
{
  g_return_val_if_fail (name != NULL && signature != NULL && call != NULL, NULL);

  g_autoptr (GArray) parameters = g_array_new (FALSE, TRUE, sizeof (OdlParameter));
  OdlOwnHeader header = { .name = name, .parameters = parameters, .error = error };
  OdlOwnPythonTakes takes = { 0 };

  if (!odl_own_header_is_key (name) || odl_filter_find (name) != NULL)
    return odl_error_null (error, ODL_ERROR_USAGE,
                           _ ("“%s” is no name for a filter: small letters, digits and "
                              "“-”, and none that a filter has already"),
                           name);
  if (!odl_own_python_read (&header, signature, &takes))
    return NULL;
  if (takes.other)
    return odl_error_null (error, ODL_ERROR_USAGE,
                           _ ("%s: a function of a program has no second picture"), name);
  OdlOwnCode *code = g_new0 (OdlOwnCode, 1);
  code->language = ODL_OWN_PYTHON;
  code->takes_out = takes.out;
  code->name = g_strdup (name);
  code->hash = next_hash (name, signature);
  code->bytes = g_strdup (signature);
  code->length = strlen (signature);
  code->text = g_strdup ("");
  code->call = call;
  code->call_data = data;
  fill_filter (code, parameters);
  code->filter.name = code->name;
  keep (code);
  g_atomic_int_set (&code->state, ODL_OWN_ALLOWED);
  return code;
}

bool
odl_own_has_loops (const OdlOwnCode *code)
{
  g_return_val_if_fail (code != NULL, false);
  return strstr (code->text, ODL_OWN_GIVEN "turn") != NULL;
}

const OdlOwnCode *
odl_own_twin (const OdlOwnCode *code, OdlOwnTwin twin)
{
  // shaders/spatial/own.glsl
  static const char *const words[] = {
    [ODL_OWN_TWIN_TURNS] = "COUNT_TURNS",
    [ODL_OWN_TWIN_NUMBERS] = "COUNT_NUMBERS",
    [ODL_OWN_TWIN_AGAIN] = "AGAIN",
  };

  g_return_val_if_fail (code != NULL && twin < G_N_ELEMENTS (words), NULL);
  // Python has no text of its own: what is hashed tells its twins apart.
  const bool is_python = code->language == ODL_OWN_PYTHON;
  g_autofree char *text = g_strconcat (is_python ? code->hash : code->text, "\n#define ",
                                       words[twin], "\n", NULL);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  const OdlOwnCode *found = odl_own_code_find (code->name, hash);
  if (found != NULL)
    return found;
  OdlOwnCode *counting = g_memdup2 (code, sizeof *code);
  counting->name = g_strdup (code->name);
  counting->hash = g_steal_pointer (&hash);
  counting->text = is_python ? g_strdup ("") : g_steal_pointer (&text);
  counting->tells_none = is_python && twin == ODL_OWN_TWIN_NUMBERS;
  counting->filter.code = counting;
  counting->filter.label = counting->name;
  keep (counting);
  odl_own_set_state (counting, odl_own_state (code), NULL);
  return counting;
}

bool
odl_own_is_hash (const char *hash)
{
  return strlen (hash) == ODL_OWN_HASH_LENGTH
         && strspn (hash, "0123456789abcdef") == ODL_OWN_HASH_LENGTH;
}

// ---- files ---------------------------------------------------------------------------

// At most `most` bytes; the number that were read, −1: an error.
static gssize
read_bytes (int fd, char *bytes, size_t most)
{
  size_t n = 0;

  while (n < most) {
    const ssize_t more = read (fd, bytes + n, most - n);
    if (more < 0 && errno == EINTR)
      continue;
    if (more < 0)
      return -1;
    if (more == 0)
      break;
    n += (size_t) more;
  }
  return (gssize) n;
}

const OdlOwnCode *
odl_own_code_load (const char *path, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *bytes = g_malloc (ODL_OWN_MOST_BYTES + 1);
  struct stat status;
  // Neither a pipe nor a device may keep it waiting.
  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

  if (fd < 0)
    return odl_error_null (error, ODL_ERROR_IO, "%s: %s", path, g_strerror (errno));
  const bool is_file = fstat (fd, &status) == 0 && S_ISREG (status.st_mode);
  // One byte more tells a longer file.
  const gssize n = is_file ? read_bytes (fd, bytes, ODL_OWN_MOST_BYTES + 1) : 0;
  const int reason = errno;
  close (fd);
  if (!is_file)
    return odl_error_null (error, ODL_ERROR_IO, _ ("%s: this is no code: it is no file"),
                           path);
  if (n < 0)
    return odl_error_null (error, ODL_ERROR_IO, "%s: %s", path, g_strerror (reason));
  return odl_own_code_new (name, bytes, (size_t) n, error);
}

// ---- what compilers say --------------------------------------------------------------

// The author's lines count from FIRST_LINE on (shaders/spatial/own.glsl):
// “0:100012(5): error:”, “0(100012) : error”, “ERROR: 0:100012:”.
char *
odl_own_explain (const OdlOwnCode *code, const char *log)
{
  g_return_val_if_fail (code != NULL && log != NULL, NULL);

  g_autoptr (GRegex) place
      = g_regex_new ("^(?:ERROR: )?\\d+[:(](1\\d{5})\\)?(?:\\(\\d+\\))? ?: *"
                     "(?:error *(?:[A-Z]\\d+)?: *)?(.*)$",
                     G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
  g_autoptr (GRegex) prefix
      = g_regex_new ("\\b(?:" ODL_OWN_PREFIX "|" ODL_OWN_GIVEN ")", G_REGEX_RAW, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  if (!g_regex_match (place, log, 0, &match))
    return NULL;
  g_autofree char *number = g_match_info_fetch (match, 1);
  g_autofree char *said = g_match_info_fetch (match, 2);
  g_autofree char *plain = g_regex_replace_literal (prefix, said, -1, 0, "", 0, NULL);
  g_autofree char *shown = odl_text_in_one_line (plain != NULL ? plain : said);
  // Translators: a file, the number of a line, and what the graphics driver says.
  return g_strdup_printf (_ ("%s, line %d: the graphics driver says: %s"), code->name,
                          atoi (number) - FIRST_LINE + 1, shown);
}
