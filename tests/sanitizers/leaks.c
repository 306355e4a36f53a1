// SPDX-License-Identifier: MIT
// GLib's table of quarks is not looked at by the leak sanitizer. By intention GLib never
// frees a table when one that is larger by 2048 quarks takes its place (quark_new in
// glib/gquark.c); GTK and GStreamer's registry need several. A line in lsan.supp cannot
// name that: the fast unwinder does not get out of g_malloc. So the first table, which
// GLib's constructor makes, and more than will be needed are made while the sanitizer
// looks away. Part of all programs built with -Db_sanitize=address.
#include <glib.h>
#include <sanitizer/lsan_interface.h>

#define QUARKS 16384

// Runs before the constructors of libraries: what these keep is theirs, too.
static void
before_libraries (int argc, char **argv, char **environment)
{
  __lsan_disable ();
}

typedef void Initialiser (int argc, char **argv, char **environment);

__attribute__ ((used,
                section (".preinit_array"))) static Initialiser *const first_initialiser
    = before_libraries;

// Runs after them, before those of the program.
__attribute__ ((constructor (101))) static void
after_libraries (void)
{
  for (int i = 0; i < QUARKS; i++) {
    char name[32];
    g_snprintf (name, sizeof name, "sanitized-quark-%d", i);
    g_quark_from_string (name);
  }
  __lsan_enable ();
}
