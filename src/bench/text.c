// SPDX-License-Identifier: MIT
#include "bench/text.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>

void
odl_bench_append_cell (GString *out, const char *text, int width)
{
  const glong length = g_utf8_strlen (text, -1);

  g_string_append_printf (out, "%*s%s", (int) MAX (width - length, 0), "", text);
}

void
odl_bench_append_number (GString *out, double value, int width)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (!(value > 0) || !isfinite (value)) {
    odl_bench_append_cell (out, "–", width);
    return;
  }
  const char *format = value < 1      ? "%.4f"
                       : value < 10   ? "%.3f"
                       : value < 100  ? "%.2f"
                       : value < 1000 ? "%.1f"
                                      : "%.0f";
  odl_bench_append_cell (out, g_ascii_formatd (number, sizeof number, format, value),
                         width);
}

void
odl_bench_append_name (GString *out, const char *name, int width)
{
  const glong length = g_utf8_strlen (name, -1);
  g_autofree char *cut = g_utf8_substring (name, 0, MIN (length, width - 1));

  g_string_append (out, cut);
  g_string_append_printf (out, "%*s", (int) (width - MIN (length, width - 1)), "");
}

void
odl_bench_append_title (GString *out, const char *title)
{
  g_string_append_printf (out, "\n%s\n", title);
  for (glong i = g_utf8_strlen (title, -1); i > 0; i--)
    g_string_append_c (out, '-');
  g_string_append_c (out, '\n');
}

void
odl_bench_append (GString *out, const char *format, ...)
{
  va_list arguments;
  const locale_t c_locale = newlocale (LC_NUMERIC_MASK, "C", (locale_t) 0);
  const locale_t previous = uselocale (c_locale);

  va_start (arguments, format);
  g_string_append_vprintf (out, format, arguments);
  va_end (arguments);
  uselocale (previous);
  freelocale (c_locale);
}
