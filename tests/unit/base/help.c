// SPDX-License-Identifier: MIT
#include "base/help.h"

#include <string.h>

static GPtrArray *
parse (const char *text)
{
  return odl_help_parse (text, strlen (text));
}

static void
blocks_are_told_apart (void)
{
  static const struct {
    OdlHelpKind kind;
    const char *term, *text;
  } wanted[] = {
    { ODL_HELP_HEADING, NULL, "Purpose of it" },
    { ODL_HELP_PARAGRAPH, NULL, "It goes on." },
    { ODL_HELP_TERM, "`key`", "what: it says" },
    { ODL_HELP_CODE, NULL, "a + b\n  c" },
    { ODL_HELP_TERM, "no colon", "" },
  };
  g_autoptr (GPtrArray) blocks = parse ("\n# Purpose\n  of it\n\n\nIt goes\non.\n"
                                        "\n- `key`: what:\n  it says\n\n    a + b\n"
                                        "      c  \r\n\n- no colon");

  g_assert_cmpuint (blocks->len, ==, G_N_ELEMENTS (wanted));
  for (guint i = 0; i < blocks->len; i++) {
    const OdlHelpBlock *block = blocks->pdata[i];
    g_assert_cmpint (block->kind, ==, wanted[i].kind);
    g_assert_cmpstr (block->term, ==, wanted[i].term);
    g_assert_cmpstr (block->text, ==, wanted[i].text);
  }
}

static void
odd_text_is_read_all_the_same (void)
{
  static const char *const texts[]
      = { "", "\n", "\n\n\n", "# ", "- ", "-", "#", "    ", "- : ", "\xff\xfe", "`" };

  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GPtrArray) blocks = parse (texts[i]);
    g_autofree char *lines = odl_help_to_lines (blocks, 20);
    g_assert_true (g_utf8_validate (lines, -1, NULL));
  }
}

static void
long_text_ends_at_the_limit (void)
{
  g_autofree char *text = g_strnfill (2 * ODL_HELP_MOST_BYTES, 'x');
  g_autoptr (GPtrArray) blocks = odl_help_parse (text, strlen (text));

  g_assert_cmpuint (blocks->len, ==, 1);
  g_assert_cmpuint (strlen (((OdlHelpBlock *) blocks->pdata[0])->text), ==,
                    ODL_HELP_MOST_BYTES);
}

static void
lines_are_filled (void)
{
  g_autoptr (GPtrArray) blocks
      = parse ("# Ends\n\nÄ word of `ten` and\nmore\n\n- a: b\n\n- c: d\n\n    x = 1\n");
  g_autofree char *lines = odl_help_to_lines (blocks, 20);

  g_assert_cmpstr (lines, ==,
                   "Ends\n    Ä word of ten\n    and more\n\n    a\n        b\n    c\n"
                   "        d\n\n        x = 1\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/help/blocks-are-told-apart", blocks_are_told_apart);
  g_test_add_func ("/base/help/odd-text-is-read-all-the-same",
                   odd_text_is_read_all_the_same);
  g_test_add_func ("/base/help/long-text-ends-at-the-limit", long_text_ends_at_the_limit);
  g_test_add_func ("/base/help/lines-are-filled", lines_are_filled);
  return g_test_run ();
}
