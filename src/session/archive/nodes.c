// SPDX-License-Identifier: MIT
#include "session/archive/nodes.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "archive/callers.h"
#include "base/error.h"

#define USUAL_TITLE "ONDELETTE"
#define MOST_NODES 100
#define MOST_KEY_BYTES 65536

OdlArchiveNode *
odl_archive_node_new (void)
{
  OdlArchiveNode *self = g_new (OdlArchiveNode, 1);

  *self = (OdlArchiveNode){ .name = g_strdup (""),
                            .title = g_strdup (""),
                            .host = g_strdup (""),
                            .own_title = g_strdup (""),
                            .authorities = g_strdup (""),
                            .key = g_strdup (""),
                            .certificate = g_strdup ("") };
  return self;
}

OdlArchiveNode *
odl_archive_node_copy (const OdlArchiveNode *self)
{
  OdlArchiveNode *copy = g_new (OdlArchiveNode, 1);

  *copy = *self;
  copy->name = g_strdup (self->name);
  copy->title = g_strdup (self->title);
  copy->host = g_strdup (self->host);
  copy->own_title = g_strdup (self->own_title);
  copy->authorities = g_strdup (self->authorities);
  copy->key = g_strdup (self->key);
  copy->certificate = g_strdup (self->certificate);
  return copy;
}

void
odl_archive_node_free (OdlArchiveNode *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->title);
  g_free (self->host);
  g_free (self->own_title);
  g_free (self->authorities);
  g_free (self->key);
  g_free (self->certificate);
  g_free (self);
}

char *
odl_archive_node_address (const OdlArchiveNode *self)
{
  return odl_node_name_to_text (&(OdlNodeName){ self->title, self->host, self->port });
}

// ---- Whether one can be called -------------------------------------------------------

// OpenSSL would ask for a password where nobody sees it.
static bool
has_password (const char *path)
{
  g_autofree char *text = NULL;
  gsize n = 0;

  return g_file_get_contents (path, &text, &n, NULL) && n <= MOST_KEY_BYTES
         && strstr (text, "ENCRYPTED") != NULL;
}

static bool
check_tls (const OdlArchiveNode *self, GError **error)
{
  const char *const files[] = { self->authorities, self->certificate, self->key };

  if (*self->authorities == '\0')
    return odl_usage_error (error, _ ("Choose the file of certificates that vouch for "
                                      "the node: without it nobody knows who answers."));
  if ((*self->key == '\0') != (*self->certificate == '\0'))
    return odl_usage_error (error, _ ("Choose your own certificate and its key, or "
                                      "neither."));
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    if (*files[i] != '\0' && !g_file_test (files[i], G_FILE_TEST_IS_REGULAR))
      return odl_error_set (error, ODL_ERROR_IO, _ ("%s: there is no such file"),
                            files[i]);
  if (*self->key != '\0' && has_password (self->key))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("%s: keys with a password are not read; store the key "
                             "without one, where nobody else can read it"),
                          self->key);
  return true;
}

bool
odl_archive_node_check (const OdlArchiveNode *self, GError **error)
{
  if (*self->name == '\0')
    return odl_usage_error (error, _ ("Give the node a name."));
  if (!odl_title_is_valid (self->title))
    return odl_usage_error (
        error,
        _ ("The title of a node has 1 to 16 letters and digits, such as ARCHIVE."));
  if (*self->own_title != '\0' && !odl_title_is_valid (self->own_title))
    return odl_usage_error (error, _ ("Our own title has 1 to 16 letters and digits, or "
                                      "is left empty."));
  if (*self->host == '\0' || strpbrk (self->host, " \t/@") != NULL
      || strlen (self->host) >= ODL_NETWORK_HOST)
    return odl_usage_error (error, _ ("Say the name of the node's machine, or its "
                                      "address."));
  if (self->port == 0 || self->port > G_MAXUINT16)
    return odl_usage_error (error, _ ("Ports are numbers from 1 to 65535; nodes often "
                                      "have 104, 11112 or 4242."));
  return !self->encrypted || check_tls (self, error);
}

void
odl_archive_link_init (OdlArchiveLink *self, const OdlArchiveNode *node)
{
  const bool has_key = *node->key != '\0';

  *self = (OdlArchiveLink){
    .name = { node->title, node->host, node->port },
    .tls = { .key = has_key ? node->key : NULL,
             .certificate = has_key ? node->certificate : NULL,
             .authorities = node->authorities,
             .any_host = node->any_host },
  };
  self->link = (OdlLinkParams){
    .to = &self->name,
    .calling = *node->own_title != '\0' ? node->own_title : USUAL_TITLE,
    .tls = node->encrypted ? &self->tls : NULL,
  };
}

// ---- All of them ---------------------------------------------------------------------

// Texts of a group of the key file.
static const struct {
  const char *key;
  gsize offset;
} texts[] = {
  { "name", offsetof (OdlArchiveNode, name) },
  { "title", offsetof (OdlArchiveNode, title) },
  { "host", offsetof (OdlArchiveNode, host) },
  { "own-title", offsetof (OdlArchiveNode, own_title) },
  { "tls-ca", offsetof (OdlArchiveNode, authorities) },
  { "tls-key", offsetof (OdlArchiveNode, key) },
  { "tls-cert", offsetof (OdlArchiveNode, certificate) },
};

static char **
text_of (const OdlArchiveNode *node, gsize i)
{
  return G_STRUCT_MEMBER_P (node, texts[i].offset);
}

GPtrArray *
odl_archive_nodes_parse (const char *text)
{
  GPtrArray *nodes = g_ptr_array_new_with_free_func (
      (GDestroyNotify) (void (*) (void)) odl_archive_node_free);
  g_autoptr (GKeyFile) file = g_key_file_new ();

  if (*text == '\0'
      || !g_key_file_load_from_data (file, text, strlen (text), G_KEY_FILE_NONE, NULL))
    return nodes;
  g_auto (GStrv) groups = g_key_file_get_groups (file, NULL);
  for (int g = 0; groups[g] != NULL && nodes->len < MOST_NODES; g++) {
    g_autoptr (OdlArchiveNode) node = odl_archive_node_new ();
    for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
      char *value = g_key_file_get_string (file, groups[g], texts[i].key, NULL);
      if (value == NULL)
        continue;
      g_free (*text_of (node, i));
      *text_of (node, i) = value;
    }
    const int port = g_key_file_get_integer (file, groups[g], "port", NULL);
    node->port = port > 0 ? (guint) port : 0;
    node->encrypted = g_key_file_get_boolean (file, groups[g], "tls", NULL);
    node->any_host = g_key_file_get_boolean (file, groups[g], "tls-any-host", NULL);
    if (*node->name != '\0' && odl_archive_nodes_find (nodes, node->name) == NULL)
      g_ptr_array_add (nodes, g_steal_pointer (&node));
  }
  return nodes;
}

char *
odl_archive_nodes_to_text (const GPtrArray *nodes)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();

  for (guint n = 0; n < nodes->len; n++) {
    const OdlArchiveNode *node = nodes->pdata[n];
    g_autofree char *group = g_strdup_printf ("%u", n + 1);
    for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
      g_key_file_set_string (file, group, texts[i].key, *text_of (node, i));
    g_key_file_set_integer (file, group, "port", (int) node->port);
    g_key_file_set_boolean (file, group, "tls", node->encrypted);
    g_key_file_set_boolean (file, group, "tls-any-host", node->any_host);
  }
  return g_key_file_to_data (file, NULL, NULL);
}

OdlArchiveNode *
odl_archive_nodes_find (const GPtrArray *nodes, const char *name)
{
  for (guint i = 0; name != NULL && i < nodes->len; i++) {
    OdlArchiveNode *node = nodes->pdata[i];
    if (g_str_equal (node->name, name))
      return node;
  }
  return NULL;
}
