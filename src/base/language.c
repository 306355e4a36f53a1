// SPDX-License-Identifier: MIT
#include "base/language.h"

#include "config.h"

#include <libintl.h>
#include <locale.h>

// In the order of precedence that setlocale uses.
static const char *const locale_variables[] = { "LC_ALL", "LC_MESSAGES", "LANG" };

static const char *
wanted_locale (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (locale_variables); i++) {
    const char *value = g_getenv (locale_variables[i]);
    if (value != NULL && *value != '\0')
      return value;
  }
  return NULL;
}

static const char *
messages_folder (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);

  if (program != NULL && g_str_has_prefix (program, ODL_BUILD_ROOT "/"))
    return ODL_BUILD_ROOT "/po";
  return ODL_LOCALE_DIR;
}

static void
bind_messages (void)
{
  bindtextdomain (GETTEXT_PACKAGE, messages_folder ());
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
}

void
odl_language_init (void)
{
  const char *wanted = wanted_locale ();

  if (wanted == NULL) {
    // An unset locale means ASCII, which cannot show "512 × 512".
    g_setenv ("LANG", "C.UTF-8", TRUE);
    setlocale (LC_ALL, "");
  } else if (setlocale (LC_ALL, "") == NULL) {
    // gettext needs the name of the language and any locale other than "C".
    g_setenv ("LANGUAGE", wanted, FALSE);
    g_setenv ("LC_ALL", "C.UTF-8", TRUE);
    setlocale (LC_ALL, "");
  }
  bind_messages ();
  textdomain (GETTEXT_PACKAGE);
}

void
odl_language_init_helper (void)
{
  setlocale (LC_CTYPE, "");
  setlocale (LC_MESSAGES, "");
  bind_messages ();
  // Opens the catalogue while it is accessible.
  dgettext (GETTEXT_PACKAGE, "cancelled");
}
