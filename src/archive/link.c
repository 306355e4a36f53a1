// SPDX-License-Identifier: MIT
#include "archive/link.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "archive/callers.h"
#include "base/error.h"
#include "base/text.h"

#define USUAL_IDLE_SECONDS 60

// ---- Names of nodes ----

// The host between '@' and the last colon; an address of IPv6 stands in brackets (RFC
// 3986). NULL: it is none. Transfer full.
static char *
host_between (const char *begin, const char *end)
{
  g_autofree char *host = g_strndup (begin, (gsize) (end - begin));
  const gsize n = strlen (host);

  if (n > 2 && host[0] == '[' && host[n - 1] == ']') {
    g_autofree char *inner = g_strndup (host + 1, n - 2);
    g_autoptr (GInetAddress) address = g_inet_address_new_from_string (inner);
    return address != NULL ? g_steal_pointer (&inner) : NULL;
  }
  return n > 0 && strpbrk (host, ":[]") == NULL ? g_steal_pointer (&host) : NULL;
}

bool
odl_node_name_parse (const char *text, OdlNodeName *name, GError **error)
{
  const char *at = strchr (text, '@');
  const char *colon = at != NULL ? strrchr (at, ':') : NULL;
  guint64 port = 0;

  *name = (OdlNodeName){ 0 };
  if (colon != NULL
      && g_ascii_string_to_unsigned (colon + 1, 10, 1, G_MAXUINT16, &port, NULL))
    name->host = host_between (at + 1, colon);
  if (name->host == NULL)
    return odl_usage_error (error,
                            _ ("“%s” is no node; write TITLE@HOST:PORT, such as "
                               "ARCHIVE@192.168.4.7:104 or ARCHIVE@[fd00::7]:104"),
                            text);
  name->title = g_strndup (text, (gsize) (at - text));
  name->port = (guint) port;
  if (odl_title_is_valid (name->title))
    return true;
  odl_usage_error (
      error, _ ("“%s” is no title of a node; titles have 1 to 16 letters and digits"),
      name->title);
  odl_node_name_clear (name);
  return false;
}

void
odl_node_name_clear (OdlNodeName *name)
{
  g_free (name->title);
  g_free (name->host);
  *name = (OdlNodeName){ 0 };
}

char *
odl_node_name_to_text (const OdlNodeName *name)
{
  const bool six = strchr (name->host, ':') != NULL;

  return g_strdup_printf (six ? "%s@[%s]:%u" : "%s@%s:%u", name->title, name->host,
                          name->port);
}

// ---- What is proposed ----

guint
odl_proposal_find (const OdlProposal *self, const char *sop_class, const char *syntax)
{
  guint i = 0;

  while (i < self->n
         && (!g_str_equal (self->contexts[i].sop_class, sop_class)
             || !g_str_equal (self->contexts[i].syntax, syntax)))
    i++;
  return i;
}

bool
odl_proposal_is_taken (const OdlProposal *self, guint context)
{
  return context < self->n && self->taken[context] != 0;
}

bool
odl_proposal_add (OdlProposal *self,
                  const char *sop_class,
                  const char *syntax,
                  bool we_receive)
{
  if (self->n == ODL_NETWORK_MAX_CONTEXTS)
    return false;
  OdlNetworkContext *context = &self->contexts[self->n++];
  *context = (OdlNetworkContext){ .we_receive = we_receive };
  g_strlcpy (context->sop_class, sop_class, sizeof context->sop_class);
  g_strlcpy (context->syntax, syntax, sizeof context->syntax);
  return true;
}

// ---- The association ----

// The first one of that family. Transfer full.
static char *
first_of (GList *found, GSocketFamily family)
{
  for (GList *one = found; one != NULL; one = one->next)
    if (g_inet_address_get_family (one->data) == family)
      return g_inet_address_to_string (one->data);
  return NULL;
}

char *
odl_link_resolve (const OdlNodeName *to, GCancellable *cancellable, GError **error)
{
  g_autoptr (GResolver) resolver = g_resolver_get_default ();
  g_autoptr (GError) given = NULL;
  GList *found = g_resolver_lookup_by_name (resolver, to->host, cancellable, &given);
  // Of a name with both, DICOM nodes are known to answer at the first kind.
  char *address = first_of (found, G_SOCKET_FAMILY_IPV4);

  if (address == NULL)
    address = first_of (found, G_SOCKET_FAMILY_IPV6);
  g_resolver_free_addresses (found);
  if (address == NULL)
    odl_error_set (error, ODL_ERROR_IO, _ ("“%s” has no address: %s"), to->host,
                   given != NULL ? given->message : "");
  return address;
}

OdlPeer *
odl_link_start (const OdlLinkParams *params,
                const char *role,
                guint64 most_bytes,
                GError **error)
{
  const guint idle = params->idle_seconds;

  return odl_peer_start (
      &(OdlPeerStart){ .role = role,
                       .connection_fd = -1,
                       .tls = params->tls,
                       .idle_seconds = idle > 0 ? idle : USUAL_IDLE_SECONDS,
                       .most_bytes = most_bytes },
      error);
}

OdlPeer *
odl_link_connect (const OdlLinkParams *params,
                  OdlPeer *peer,
                  const char *address,
                  OdlProposal *proposal,
                  GCancellable *cancellable,
                  char **end)
{
  OdlNetworkOrder order = { .kind = ODL_NETWORK_CONNECT,
                            .port = params->to->port,
                            .n_contexts = proposal->n };
  OdlNetworkReport report;
  g_autoptr (GError) error = NULL;

  g_strlcpy (order.address, address, sizeof order.address);
  if (params->tls != NULL && !params->tls->any_host)
    g_strlcpy (order.host, params->to->host, sizeof order.host);
  g_strlcpy (order.calling, params->calling, sizeof order.calling);
  g_strlcpy (order.called, params->to->title, sizeof order.called);
  if (!odl_peer_order (peer, &order, proposal->contexts, -1, &error)
      || !odl_peer_receive (peer, &report, proposal->taken, sizeof proposal->taken,
                            cancellable, &error))
    *end = g_strdup (error->message);
  else if (report.kind != ODL_NETWORK_CONNECTED)
    *end = odl_peer_end_to_text (&report);
  if (*end == NULL)
    return peer;
  odl_peer_end (peer);
  return NULL;
}

OdlPeer *
odl_link_open (const OdlLinkParams *params,
               const char *role,
               guint64 most_bytes,
               const char *address,
               OdlProposal *proposal,
               GCancellable *cancellable,
               char **end)
{
  g_autoptr (GError) error = NULL;
  OdlPeer *peer = odl_link_start (params, role, most_bytes, &error);

  if (peer != NULL)
    return odl_link_connect (params, peer, address, proposal, cancellable, end);
  *end = g_strdup (error->message);
  return NULL;
}

void
odl_link_release (OdlPeer *peer, GCancellable *cancellable)
{
  OdlNetworkOrder order = { .kind = ODL_NETWORK_RELEASE };
  OdlNetworkReport report;

  if (odl_peer_order (peer, &order, NULL, -1, NULL))
    odl_peer_receive (peer, &report, NULL, 0, cancellable, NULL);
}

char *
odl_link_status_to_text (const OdlNetworkReport *report)
{
  g_autofree char *comment = odl_text_in_one_line (report->reason);

  return *comment != '\0'
             ? g_strdup_printf (_ ("the node answered with status %04X: %s"),
                                report->status, comment)
             : g_strdup_printf (_ ("the node answered with status %04X"), report->status);
}
