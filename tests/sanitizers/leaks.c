// SPDX-License-Identifier: MIT
// GLib's table of quarks is not looked at by the leak sanitizer. By intention GLib never
// frees a table when one that is larger by 2048 quarks takes its place (quark_new in
// glib/gquark.c); GTK and GStreamer's registry need several. A line in lsan.supp cannot
// name that: the fast unwinder does not get out of g_malloc. So the sanitizer looks away
// while libraries are loaded, when GLib makes the first table, and while a quark is made.
// Part of all programs built with -Db_sanitize=address.
#include <dlfcn.h>
#include <glib.h>
#include <sanitizer/lsan_interface.h>

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
  __lsan_enable ();
}

// Calls GLib's function of a name, unwatched.
#define MAKE_QUARK(name, text) \
  __lsan_disable (); \
  const typeof (name (text)) made \
      = ((typeof (&(name))) dlsym (RTLD_NEXT, #name)) (text); \
  __lsan_enable (); \
  return made

GQuark (g_quark_from_string) (const char *text)
{
  MAKE_QUARK (g_quark_from_string, text);
}

GQuark (g_quark_from_static_string) (const char *text)
{
  MAKE_QUARK (g_quark_from_static_string, text);
}

const char *(g_intern_string) (const char *text)
{
  MAKE_QUARK (g_intern_string, text);
}

const char *(g_intern_static_string) (const char *text)
{
  MAKE_QUARK (g_intern_static_string, text);
}

// Libraries stay loaded, so that a report can name those that keep memory, and lsan.supp
// can list them.
int
dlclose (void *handle)
{
  return 0;
}
