// SPDX-License-Identifier: MIT
#include "widgets/diagnostics.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <langinfo.h>
#include <math.h>
#include <string.h>

#include "base/machine.h"
#include "base/text.h"
#include "session/player/timeline.h"
#include "widgets/expression.h"

#define DOT " · "

static void
add (GString *text, const char *separator, char *part)
{
  g_autofree char *owned = part;
  if (!owned || !*owned)
    return;
  if (text->len > 0)
    g_string_append (text, separator);
  g_string_append (text, owned);
}

static char *
levels_text (int levels)
{
  return g_strdup_printf (ngettext ("%d level", "%d levels", levels), levels);
}

static char *
ms_number (double ms)
{
  return g_strdup_printf (ms < 10 ? "%.2f" : "%.1f", ms);
}

static char *
time_text (bool gpu, int64_t time_ns)
{
  double ms = time_ns / 1e6;
  g_autofree char *number = ms_number (ms);
  // Translators: time per frame on the graphics card or the processor, in milliseconds.
  return g_strdup_printf (gpu ? _ ("GPU %s ms") : _ ("CPU %s ms"), number);
}

// Renderer names are long: only the part before the first bracket, slash or comma is
// used.
static char *
short_renderer (const char *renderer)
{
  return renderer ? g_strchomp (g_strndup (renderer, strcspn (renderer, "(/,"))) : NULL;
}

// Rounded up, so that small amounts are not shown as 0.
static double
mebibytes (size_t bytes)
{
  return ceil ((double) bytes / (1 << 20));
}

char *
odl_diagnostics_line (const OdlDiagnostics *d)
{
  GString *line = g_string_new (NULL);
  add (line, DOT, d->processor ? odl_machine_short_cpu (d->processor) : NULL);
  add (line, DOT, short_renderer (d->renderer));
  add (line, DOT, g_strdup (d->engine));
  add (line, DOT, g_strdup_printf ("%d × %d", d->width, d->height));
  if (d->levels > 0)
    add (line, DOT, levels_text (d->levels));
  if (d->frames_per_second > 0)
    // Translators: frames per second.
    add (line, DOT, g_strdup_printf (_ ("%.0f fps"), d->frames_per_second));
  if (d->fast)
    add (line, DOT, g_strdup (_ ("as fast as possible")));
  if (d->dropped > 0)
    add (line, DOT, g_strdup_printf (_ ("%" PRIu64 " dropped"), d->dropped));
  if (d->time_ns > 0)
    add (line, DOT, time_text (d->gpu, d->time_ns));
  if (d->cached_bytes > 0)
    // Translators: memory that frames of a moving picture take.
    add (line, DOT, g_strdup_printf (_ ("cache %.0f MiB"), mebibytes (d->cached_bytes)));
  if (d->latency_us > 0)
    // Translators: time from the arrival of a frame to its display, in milliseconds.
    add (line, DOT, g_strdup_printf (_ ("latency %.0f ms"), d->latency_us / 1e3));
  return g_string_free (line, FALSE);
}

char *
odl_diagnostics_ms (double ms)
{
  g_autofree char *number = ms_number (ms);
  // Translators: milliseconds.
  return g_strdup_printf (_ ("%s ms"), number);
}

char *
odl_diagnostics_engine (OdlEngineChoice used, OdlEngineChoice asked)
{
  g_autofree char *name = odl_engine_choice_to_text (used);
  if (!asked.klass || odl_engine_choice_equal (used, asked))
    return g_steal_pointer (&name);
  g_autofree char *request = odl_engine_choice_to_text (asked);
  // Translators: two engines; the second was asked for and does not work.
  return g_strdup_printf (_ ("%s in place of %s"), name, request);
}

char *
odl_diagnostics_measured (const OdlRanking *ranking, bool measuring)
{
  if (measuring)
    return g_strdup (_ ("Measuring…"));
  if (!ranking)
    return g_strdup (_ ("Open a picture and add a filter to have the engines measured"));
  if (ranking->measured_at == 0)
    return g_strdup (_ ("Not measured yet"));
  g_autoptr (GDateTime) at = g_date_time_new_from_unix_local (ranking->measured_at);
  g_autofree char *text = at ? g_date_time_format (at, "%F %R") : g_strdup ("?");
  // Translators: date and time.
  return g_strdup_printf (_ ("Measured on %s"), text);
}

// Significant digits of a float.
#define MOST_DIGITS 7

// Maximum length of typed text in a message.
#define TYPED_CHARS 30

char *
odl_diagnostics_number (double value)
{
  const double size = fabs (value);
  const int before = size >= 1 ? (int) floor (log10 (size)) + 1 : 0;
  const int zeros = size > 0 && size < 1 ? -(int) floor (log10 (size)) - 1 : 0;
  const int digits = CLAMP (MOST_DIGITS - before + zeros, 0, 300);
  g_autofree char *text = g_strdup_printf ("%.*f", digits, value);
  const char *sign = nl_langinfo (RADIXCHAR);
  char *fraction = strstr (text, sign);

  if (fraction) {
    char *end = text + strlen (text);
    while (end[-1] == '0')
      end--;
    *(end == fraction + strlen (sign) ? fraction : end) = '\0';
  }
  return g_strdup (g_str_equal (text, "-0") ? "0" : text);
}

bool
odl_diagnostics_read_number (const char *text, double *value)
{
  const char *sign = nl_langinfo (RADIXCHAR);
  g_auto (GStrv) halves = g_strsplit (text, sign, 2);
  g_autoptr (GString) plain = g_string_new (halves[0] ? halves[0] : "");
  char *end = NULL;

  if (halves[0] && halves[1]) {
    // Another point may follow, so that "1.2,3" is not a number.
    g_string_append_c (plain, '.');
    g_string_append (plain, halves[1]);
  }
  g_string_replace (plain, "\u2212", "-", 0); // as typeset text has it
  g_strstrip (plain->str);
  // Neither "0x10" nor "inf" nor "nan".
  if (!*plain->str || strspn (plain->str, "0123456789.eE+-") != strlen (plain->str))
    return false;
  const double parsed = g_ascii_strtod (plain->str, &end);
  if (*end)
    return false;
  *value = parsed;
  return true;
}

char *
odl_diagnostics_take_number (const char *text, const OdlNumberRange *range, double *value)
{
  double number;
  g_autofree char *stays = odl_diagnostics_number (*value);
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  g_autofree char *typed = odl_diagnostics_short_name (stripped, TYPED_CHARS);

  if (!*stripped)
    return g_strdup_printf (_ ("There was no number; %s stays."), stays);
  if (!odl_expression_read (stripped, odl_diagnostics_read_number, &number))
    return g_strdup_printf (_ ("“%s” is not a number; %s stays."), typed, stays);
  if (number < range->least || number > range->most) {
    g_autofree char *least = odl_diagnostics_number (range->least);
    g_autofree char *most = odl_diagnostics_number (range->most);
    // Translators: what was typed, the ends of what is possible, and the number before.
    return g_strdup_printf (_ ("“%s” is not between %s and %s; %s stays."), typed, least,
                            most, stays);
  }
  if (range->whole && number != round (number))
    return g_strdup_printf (_ ("“%s” is not a whole number; %s stays."), typed, stays);
  *value = number;
  return NULL;
}

char *
odl_diagnostics_window (double centre, double width, const char *unit)
{
  g_autofree char *c = odl_text_with_minus (odl_diagnostics_number (centre));
  g_autofree char *w = odl_diagnostics_number (width);
  // Translators: centre and width of the grey-level window and the unit of both.
  return g_strchomp (g_strdup_printf (_ ("C %s · W %s %s"), c, w, unit ? unit : ""));
}

char *
odl_diagnostics_levels (const char *window, bool table, bool sigmoid)
{
  if (table)
    // Translators: grey levels by a table in the file; the window that comes near it.
    return g_strdup_printf (_ ("file's table ≈ %s"), window);
  // Translators: a window, whose values become levels by the sigmoid function.
  return sigmoid ? g_strdup_printf (_ ("%s · sigmoid"), window) : g_strdup (window);
}

char *
odl_diagnostics_zoom (double zoom)
{
  if (fabs (zoom - 1) < 1e-9)
    return g_strdup ("1:1");
  return g_strdup_printf (zoom < 0.1 ? "%.1f %%" : "%.0f %%", zoom * 100);
}

char *
odl_diagnostics_frame (int64_t index, int64_t n_frames, bool slice)
{
  if (n_frames == 0)
    return g_strdup_printf (_ ("Frame %" PRId64), index + 1);
  return g_strdup_printf (slice ? _ ("Slice %" PRId64 "/%d") : _ ("Frame %" PRId64 "/%d"),
                          index + 1, (int) MIN (n_frames, G_MAXINT));
}

char *
odl_diagnostics_instance (const char *instance, int64_t number, int n)
{
  // Translators: "Im": image; its number in its series, as the file has it.
  g_autofree char *image = g_strdup_printf (_ ("Im %s"), instance);
  // Translators: image 40, which is the 21st of the 60 that are shown: "Im 40 (21/60)".
  return number > 0 ? g_strdup_printf (_ ("%s (%" PRId64 "/%d)"), image, number, n)
                    : g_strdup (image);
}

char *
odl_diagnostics_volume (int64_t index, int64_t n_volumes)
{
  return g_strdup_printf (_ ("Volume %" PRId64 "/%d"), index + 1,
                          (int) MIN (n_volumes, G_MAXINT));
}

static char *
clock_text (double time_s, double length_s)
{
  const bool fine = length_s < 60 && time_s < 60;
  const int64_t hundredths = (int64_t) (time_s * 100 + (fine ? 0.5 : 0));
  const int64_t seconds = hundredths / 100;
  if (fine)
    return g_strdup_printf ("%d:%02d.%02d", (int) (seconds / 60), (int) (seconds % 60),
                            (int) (hundredths % 100));
  if (MAX (length_s, time_s) < 3600)
    return g_strdup_printf ("%d:%02d", (int) (seconds / 60), (int) (seconds % 60));
  return g_strdup_printf ("%d:%02d:%02d", (int) (seconds / 3600),
                          (int) (seconds / 60 % 60), (int) (seconds % 60));
}

char *
odl_diagnostics_time (double time_s, double length_s)
{
  char *time = clock_text (time_s, length_s);
  if (length_s <= 0)
    return time;
  g_autofree char *now = time;
  g_autofree char *length = clock_text (length_s, length_s);
  return g_strdup_printf ("%s / %s", now, length);
}

char *
odl_diagnostics_rate (double frames_per_second, guint64 dropped)
{
  GString *text = g_string_new (NULL);
  if (frames_per_second >= 10)
    // Translators: frames per second.
    add (text, DOT, g_strdup_printf (_ ("%.0f fps"), frames_per_second));
  else if (frames_per_second > 0)
    add (text, DOT, g_strdup_printf (_ ("%.1f fps"), frames_per_second));
  if (dropped > 0)
    add (text, DOT, g_strdup_printf (_ ("%" PRIu64 " dropped"), dropped));
  return g_string_free (text, FALSE);
}

char *
odl_diagnostics_recording (int64_t elapsed_ns, int64_t bytes, int64_t dropped)
{
  const int64_t seconds = elapsed_ns / 1000000000;
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "%" PRId64 ":%02" PRId64, seconds / 60, seconds % 60);
  if (bytes > 0)
    add (text, DOT, g_format_size ((guint64) bytes));
  if (dropped > 0)
    add (text, DOT, g_strdup_printf (_ ("%" PRIu64 " dropped"), (guint64) dropped));
  return g_string_free (text, FALSE);
}

char *
odl_diagnostics_exporting (int64_t written, int64_t total)
{
  if (total > 0)
    return g_strdup_printf (_ ("Exporting frame %" PRId64 " of %" PRId64),
                            MIN (written + 1, total), total);
  return g_strdup_printf (_ ("Exporting frame %" PRId64), written + 1);
}

char *
odl_diagnostics_opening (const char *name, double unpacked)
{
  if (unpacked < 0)
    return g_strdup_printf (_ ("Opening %s"), name);
  // Translators: “%s” is a file that is unpacked before it can be shown, “%d” a share in
  // percent.
  return g_strdup_printf (_ ("Opening %s · unpacking: %d %%"), name,
                          (int) (100 * unpacked));
}

char *
odl_diagnostics_filtering (double done)
{
  // Translators: “%d” is a share in percent.
  return g_strdup_printf (_ ("Filtering the volume: %d %%"), (int) (100 * done));
}

char *
odl_diagnostics_speed (double speed)
{
  if (speed == ODL_SPEED_FAST)
    // Translators: as fast as possible, on a small button where else "2×" stands.
    return g_strdup (_ ("Max"));
  if (speed == 0.25)
    return g_strdup ("¼×");
  if (speed == 0.5)
    return g_strdup ("½×");
  return g_strdup_printf ("%.3g×", speed);
}

char *
odl_diagnostics_timing (double frame_rate, const char *source, bool given)
{
  g_autofree char *rate
      = frame_rate > 0 ? g_strdup_printf ("%.4g", frame_rate) : g_strdup ("?");
  if (!given)
    return g_strdup_printf (
        _ ("No speed is given: %s frames per second, as the preferences say"), rate);
  if (!source)
    return g_strdup_printf (_ ("%s frames per second"), rate);
  // Translators: a number, and where it comes from, such as "Frame Time".
  return g_strdup_printf (_ ("%s frames per second by %s"), rate, source);
}

char *
odl_diagnostics_cache (int frames, size_t bytes, size_t most)
{
  return g_strdup_printf (ngettext ("%d frame, %.0f MiB of %.0f MiB",
                                    "%d frames, %.0f MiB of %.0f MiB", frames),
                          frames, mebibytes (bytes), mebibytes (most));
}

int
odl_diagnostics_digits (double step)
{
  int digits = 0;
  while (digits < 6 && fabs (step - round (step)) > 1e-6) {
    step *= 10;
    digits++;
  }
  return digits;
}

static bool
is_harmless (gunichar c)
{
  bool bidi = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  return !bidi && g_unichar_isprint (c);
}

char *
odl_diagnostics_short_name (const char *text, int max_chars)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *clean = g_string_new (NULL);
  for (const char *p = valid; *p; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);
    g_string_append_unichar (clean, is_harmless (c) ? c : ' ');
  }
  g_autofree char *all = g_string_free (clean, FALSE);
  long n = g_utf8_strlen (all, -1);
  if (n <= max_chars)
    return g_steal_pointer (&all);
  int tail = max_chars / 3;
  int head = max_chars - tail - 1;
  g_autofree char *begin = g_utf8_substring (all, 0, head);
  g_autofree char *end = g_utf8_substring (all, n - tail, n);
  return g_strconcat (begin, "…", end, NULL);
}

char *
odl_diagnostics_sentence (const char *clause)
{
  g_autofree char *valid = g_utf8_make_valid (clause, -1);
  char first[7] = { 0 };
  if (*valid == '\0')
    return g_strdup ("");
  g_unichar_to_utf8 (g_unichar_toupper (g_utf8_get_char (valid)), first);
  return g_strconcat (first, g_utf8_next_char (valid), NULL);
}

char *
odl_diagnostics_breakable (const char *name)
{
  GString *text = g_string_new (NULL);
  for (const char *at = name; *at; at++) {
    g_string_append_c (text, *at);
    if (strchr ("_-.", *at) && at[1])
      g_string_append (text, "\u200b");
  }
  return g_string_free (text, FALSE);
}

char *
odl_diagnostics_screen (const OdlMonitor *screen)
{
  if (!screen)
    return g_strdup (
        _ ("not calibrated (no GSDF): equal steps of grey need not look equal"));
  g_autofree char *least = odl_diagnostics_number (screen->luminance[0]);
  g_autofree char *most = odl_diagnostics_number (screen->luminance[screen->n - 1]);
  // Translators: the standard function of displays, the day of the measurement, and the
  // darkest and brightest luminance of the screen.
  return g_strdup_printf (_ ("calibrated (GSDF, %s), %s to %s cd/m²"), screen->date,
                          least, most);
}

char *
odl_diagnostics_date (const char *date)
{
  const size_t length = date ? strlen (date) : 0;
  // Files before DICOM 3 have points.
  if (length == 10 && strspn (date, "0123456789.") == 10 && date[4] == '.'
      && date[7] == '.')
    return g_strdup_printf ("%.4s-%.2s-%.2s", date, date + 5, date + 8);
  if (length != 8 || strspn (date, "0123456789") != 8)
    return g_strdup (date);
  return g_strdup_printf ("%.4s-%.2s-%.2s", date, date + 4, date + 6);
}
