// SPDX-License-Identifier: MIT
#include "archive/callers.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"

#define ANY "any"
#define MAX_TITLE 16
#define MAX_BITS 128 // of an address of IPv6

typedef struct {
  char *title; // NULL: every one
  GInetAddressMask *from; // NULL: from anywhere
} Caller;

struct _OdlCallers {
  GArray *list;
};

static void
clear_cb (void *data)
{
  Caller *caller = data;

  g_free (caller->title);
  g_clear_object (&caller->from);
}

void
odl_callers_free (OdlCallers *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->list);
  g_free (self);
}

bool
odl_title_is_valid (const char *title)
{
  const size_t n = strlen (title);

  // Blanks at its ends are no part of a title (PS3.5 6.2).
  if (n == 0 || n > MAX_TITLE || title[0] == ' ' || title[n - 1] == ' ')
    return false;
  for (size_t i = 0; i < n; i++)
    if (title[i] < ' ' || title[i] > '~' || strchr ("\\,@", title[i]) != NULL)
      return false;
  return true;
}

// GLib warns of more bits than any address has.
static bool
has_too_many_bits (const char *address)
{
  const char *slash = strchr (address, '/');
  guint64 n = 0;

  return slash != NULL
         && !g_ascii_string_to_unsigned (slash + 1, 10, 0, MAX_BITS, &n, NULL);
}

// Addresses of IPv4 that are written as ones of IPv6 (::ffff:192.168.4.7) are the same
// machines. Takes the mask; transfer full.
static GInetAddressMask *
plain_mask (GInetAddressMask *mask)
{
  static const guint8 mapped[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff };
  const guint8 *bytes = g_inet_address_to_bytes (g_inet_address_mask_get_address (mask));
  const guint n_bits = g_inet_address_mask_get_length (mask);

  if (g_inet_address_mask_get_family (mask) != G_SOCKET_FAMILY_IPV6
      || n_bits < 8 * sizeof mapped || memcmp (bytes, mapped, sizeof mapped) != 0)
    return mask;
  g_autoptr (GInetAddress) address
      = g_inet_address_new_from_bytes (bytes + sizeof mapped, G_SOCKET_FAMILY_IPV4);
  g_object_unref (mask);
  return g_inet_address_mask_new (address, n_bits - 8 * sizeof mapped, NULL);
}

static bool
parse_one (const char *text, Caller *caller, GError **error)
{
  const char *at = strchr (text, '@');
  g_autofree char *title
      = g_strstrip (at != NULL ? g_strndup (text, (gsize) (at - text)) : g_strdup (text));

  if (!odl_title_is_valid (title))
    return odl_usage_error (
        error,
        _ ("“%s” is no title of a caller; titles have 1 to 16 letters "
           "and digits"),
        title);
  if (at != NULL) {
    g_autoptr (GError) why = NULL;
    caller->from = has_too_many_bits (at + 1)
                       ? NULL
                       : g_inet_address_mask_new_from_string (at + 1, &why);
    if (caller->from == NULL)
      return odl_usage_error (error,
                              _ ("“%s” is no address in numbers, such as 192.168.4.7, "
                                 "192.168.4.0/24 or fd00::/8; names are not looked up"),
                              at + 1);
    caller->from = plain_mask (caller->from);
  }
  caller->title = g_str_equal (title, ANY) ? NULL : g_steal_pointer (&title);
  return true;
}

OdlCallers *
odl_callers_parse (const char *text, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  g_autoptr (OdlCallers) self = g_new (OdlCallers, 1);

  self->list = g_array_new (FALSE, TRUE, sizeof (Caller));
  g_array_set_clear_func (self->list, clear_cb);
  for (guint i = 0; words[i] != NULL; i++) {
    Caller caller = { 0 };
    const bool good = parse_one (words[i], &caller, error);
    g_array_append_val (self->list, caller);
    if (!good)
      return NULL;
  }
  if (self->list->len == 0)
    return odl_error_null (error, ODL_ERROR_USAGE,
                           _ ("Say who may call, or “any” for everybody"));
  return g_steal_pointer (&self);
}

static bool
comes_from (const Caller *caller, GInetAddress *address)
{
  return caller->from == NULL || g_inet_address_mask_matches (caller->from, address);
}

bool
odl_callers_know_address (const OdlCallers *self, GInetAddress *address)
{
  for (guint i = 0; i < self->list->len; i++)
    if (comes_from (&g_array_index (self->list, Caller, i), address))
      return true;
  return false;
}

bool
odl_callers_know (const OdlCallers *self, const char *title, GInetAddress *address)
{
  g_autofree char *name = g_strstrip (g_strdup (title));

  for (guint i = 0; i < self->list->len; i++) {
    const Caller *caller = &g_array_index (self->list, Caller, i);
    if (comes_from (caller, address)
        && (caller->title == NULL || g_str_equal (caller->title, name)))
      return true;
  }
  return false;
}
