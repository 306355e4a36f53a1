// SPDX-License-Identifier: MIT
// What libraries allocate while they are loaded is not looked at by the leak sanitizer.
// GLib's constructor makes the table of quarks, and by intention never frees it when a
// larger one takes its place, beyond 2048 quarks (quark_new in glib/gquark.c), which
// GStreamer's registry needs. A line in lsan.supp cannot name that: the fast unwinder
// does not get out of g_malloc. Linked into all programs built with -Db_sanitize=address.
#include <sanitizer/lsan_interface.h>

// Runs before the constructors of libraries.
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
  __lsan_enable ();
}
