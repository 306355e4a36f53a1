// SPDX-License-Identifier: MIT
#include "session/trust.h"

#include <gio/gio.h>
#include <string.h>

#include "base/cache_file.h"
#include "work/python.h"

// Of the file: each code with its bytes, and what escapes in them take.
#define MOST_BYTES ((gsize) 3 * ODL_TRUST_MOST * ODL_OWN_MOST_BYTES)
#define NAME "name"
#define TEXT "text"
#define SINCE "since"

struct _OdlTrust {
  GObject parent_instance;
  GArray *kept; // OdlTrusted, the oldest first
};

G_DEFINE_FINAL_TYPE (OdlTrust, odl_trust, G_TYPE_OBJECT)

char *
odl_trust_path (void)
{
  return g_build_filename (g_get_user_state_dir (), "ondelette", "trusted-code", NULL);
}

// ---- the file ------------------------------------------------------------------------

// Bytes that have another hash than they are kept under were changed by somebody.
static void
read_one (OdlTrust *self, GKeyFile *file, const char *hash)
{
  g_autofree char *name = g_key_file_get_string (file, hash, NAME, NULL);
  g_autofree char *text = g_key_file_get_string (file, hash, TEXT, NULL);
  const gint64 since = g_key_file_get_int64 (file, hash, SINCE, NULL);
  g_autofree char *found
      = text ? g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1) : NULL;
  const OdlOwnCode *code = name && g_strcmp0 (found, hash) == 0
                               ? odl_own_code_new (name, text, strlen (text), NULL)
                               : NULL;
  if (!code || self->kept->len == ODL_TRUST_MOST)
    return;
  odl_own_set_state (code, ODL_OWN_ALLOWED, NULL);
  const OdlTrusted trusted = { code, since };
  g_array_append_val (self->kept, trusted);
}

static void
load (OdlTrust *self)
{
  g_autofree char *path = odl_trust_path ();
  g_autoptr (GKeyFile) file = odl_cache_file_open (path, MOST_BYTES);
  g_auto (GStrv) hashes = g_key_file_get_groups (file, NULL);
  for (int i = 0; hashes[i]; i++)
    read_one (self, file, hashes[i]);
}

// What cannot be written is asked again next time.
static void
save (OdlTrust *self)
{
  g_autofree char *path = odl_trust_path ();
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  for (guint i = 0; i < self->kept->len; i++) {
    const OdlTrusted *trusted = &g_array_index (self->kept, OdlTrusted, i);
    const OdlOwnCode *code = trusted->code;
    g_autofree char *text = g_strndup (code->bytes, code->length);
    g_key_file_set_string (file, code->hash, NAME, code->name);
    g_key_file_set_string (file, code->hash, TEXT, text);
    g_key_file_set_int64 (file, code->hash, SINCE, trusted->since);
  }
  gsize length;
  g_autofree char *data = g_key_file_to_data (file, &length, NULL);
  if (g_mkdir_with_parents (folder, 0700) == 0)
    g_file_set_contents_full (path, data, (gssize) length, G_FILE_SET_CONTENTS_CONSISTENT,
                              0600, NULL);
}

// ---- answers -------------------------------------------------------------------------

static void
forget (OdlTrust *self, const OdlOwnCode *code)
{
  for (guint i = self->kept->len; i-- > 0;)
    if (g_str_equal (g_array_index (self->kept, OdlTrusted, i).code->hash, code->hash))
      g_array_remove_index (self->kept, i);
}

void
odl_trust_allow (OdlTrust *self, const OdlOwnCode *code)
{
  g_return_if_fail (ODL_IS_TRUST (self) && code != NULL);

  const OdlTrusted trusted = { code, g_get_real_time () / G_USEC_PER_SEC };
  forget (self, code);
  if (self->kept->len == ODL_TRUST_MOST)
    g_array_remove_index (self->kept, 0);
  g_array_append_val (self->kept, trusted);
  odl_own_set_state (code, ODL_OWN_ALLOWED, NULL);
  save (self);
  g_signal_emit_by_name (self, "changed");
}

void
odl_trust_refuse (OdlTrust *self, const OdlOwnCode *code)
{
  g_return_if_fail (ODL_IS_TRUST (self) && code != NULL);

  const guint before = self->kept->len;
  forget (self, code);
  odl_own_set_state (code, ODL_OWN_REFUSED, NULL);
  if (self->kept->len != before)
    save (self);
  g_signal_emit_by_name (self, "changed");
}

GArray *
odl_trust_list (OdlTrust *self)
{
  g_return_val_if_fail (ODL_IS_TRUST (self), NULL);

  GArray *list = g_array_new (FALSE, FALSE, sizeof (OdlTrusted));
  for (guint i = self->kept->len; i-- > 0;)
    g_array_append_val (list, g_array_index (self->kept, OdlTrusted, i));
  return list;
}

// ---- life ----------------------------------------------------------------------------

OdlTrust *
odl_trust_of_program (void)
{
  static OdlTrust *trust;
  if (!trust) {
    odl_own_ask ();
    odl_python_offer ();
    trust = g_object_new (ODL_TYPE_TRUST, NULL);
    load (trust);
  }
  return trust;
}

static void
odl_trust_finalize (GObject *object)
{
  g_array_unref (ODL_TRUST (object)->kept);
  G_OBJECT_CLASS (odl_trust_parent_class)->finalize (object);
}

static void
odl_trust_class_init (OdlTrustClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = odl_trust_finalize;
  g_signal_new ("changed", ODL_TYPE_TRUST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static void
odl_trust_init (OdlTrust *self)
{
  self->kept = g_array_new (FALSE, FALSE, sizeof (OdlTrusted));
}
