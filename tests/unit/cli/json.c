// SPDX-License-Identifier: MIT
// JSON as the command line writes it, read by a program that is not ours.
#include "cli/json.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PYTHON "/usr/bin/python3"

static void
fill (OdlJson *json)
{
  odl_json_init (json);
  odl_json_begin_object (json, NULL);
  odl_json_string (json, "text", "\"quoted\" \\ back\n\t\x01\x7f é 512×512");
  odl_json_string (json, "bad utf-8", "a\xff\xfe z");
  odl_json_string (json, "none", NULL);
  odl_json_string (json, "k\"ey", "");
  odl_json_number (json, "forty", 40.0);
  odl_json_number (json, "twentieth", 0.05);
  odl_json_number (json, "third", 1.0 / 3.0);
  odl_json_number (json, "small", 4.9e-324);
  odl_json_number (json, "large", -1.7976931348623157e308);
  odl_json_number (json, "nan", NAN);
  odl_json_number (json, "infinite", -INFINITY);
  odl_json_integer (json, "integer", G_MININT64);
  odl_json_bool (json, "yes", true);
  odl_json_begin_array (json, "empty");
  odl_json_end_array (json);
  odl_json_begin_array (json, "nested");
  odl_json_begin_object (json, NULL);
  odl_json_end_object (json);
  odl_json_integer (json, NULL, 1);
  odl_json_begin_array (json, NULL);
  odl_json_bool (json, NULL, false);
  odl_json_end_array (json);
  odl_json_end_array (json);
  odl_json_end_object (json);
}

static void
test_text (void)
{
  OdlJson json;
  odl_json_init (&json);
  odl_json_begin_object (&json, NULL);
  odl_json_number (&json, "a", 0.05);
  odl_json_begin_array (&json, "b");
  odl_json_integer (&json, NULL, 1);
  odl_json_string (&json, NULL, "x\"y");
  odl_json_end_array (&json);
  odl_json_begin_object (&json, "c");
  odl_json_end_object (&json);
  odl_json_end_object (&json);
  g_assert_cmpstr (json.text->str, ==,
                   "{\n  \"a\": 0.05,\n  \"b\": [\n    1,\n    \"x\\\"y\"\n  ],\n"
                   "  \"c\": {}\n}");
  odl_json_clear (&json);
}

static void
run_python (const char *program, const char *text)
{
  g_autofree char *path = NULL;
  g_autofree char *messages = NULL;
  g_autoptr (GError) error = NULL;
  int status = 0;
  int file = g_file_open_tmp ("ondelette-XXXXXX.json", &path, &error);

  g_assert_no_error (error);
  g_close (file, NULL);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  char *argv[] = { (char *) PYTHON, (char *) "-c", (char *) program, path, NULL };
  g_spawn_sync (NULL, argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, &messages,
                &status, &error);
  remove (path);
  g_assert_no_error (error);
  if (status != 0)
    g_test_message ("%s", messages);
  g_assert_cmpint (status, ==, 0);
}

static void
test_read_back (void)
{
  static const char program[]
      = "import json, sys\n"
        "j = json.load(open(sys.argv[1], encoding='utf-8'),\n"
        "              parse_constant=lambda word: sys.exit(word))\n"
        "assert j['text'] == '\"quoted\" \\\\ back\\n\\t\\x01\\x7f é 512×512', j\n"
        "assert j['bad utf-8'] == 'a\\ufffd\\ufffd z', j\n"
        "assert j['none'] is None and j['k\"ey'] == '' and j['forty'] == 40\n"
        "assert j['twentieth'] == 0.05 and j['third'] == 1 / 3\n"
        "assert j['small'] == 4.9e-324 and j['large'] == -1.7976931348623157e308\n"
        "assert j['nan'] is None and j['infinite'] is None\n"
        "assert j['integer'] == -2 ** 63 and j['yes'] is True\n"
        "assert j['empty'] == [] and j['nested'] == [{}, 1, [False]]\n";
  OdlJson json;

  if (!g_file_test (PYTHON, G_FILE_TEST_IS_EXECUTABLE)) {
    g_test_skip (PYTHON " is absent");
    return;
  }
  fill (&json);
  run_python (program, json.text->str);
  odl_json_clear (&json);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/is-indented-and-escaped", test_text);
  g_test_add_func ("/json/is-read-back-by-python", test_read_back);
  return g_test_run ();
}
