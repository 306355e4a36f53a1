// SPDX-License-Identifier: MIT
#include "archive/node.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "archive/call.h"
#include "base/error.h"

#define BACKLOG 128
// Associations at once, of all callers together; the others wait in the system's queue.
#define MAX_CALLS 64
#define LOOK_MS 200

// Until there may be descriptors and memory for another one.
#define SHORT_OF_MEANS_US 100000

// Those that were turned away, until they have read why.
#define MAX_LEAVING 256
#define LEAVING_US (2 * G_USEC_PER_SEC)

// Rejections (PS3.8 9.3.4) that need no look at the request.
static const guint8 unknown_address[] = { 3, 0, 0, 0, 0, 4, 0, 1, 1, 3 };
static const guint8 over_the_limit[] = { 3, 0, 0, 0, 0, 4, 0, 2, 3, 2 };

typedef struct {
  int fd;
  gint64 until_us;
} Leaving;

typedef struct {
  const OdlNodeParams *params; // as given, but for:
  OdlNodeParams own; // whose limits are whole, and whose callbacks take turns
  GMutex mutex;
  int listening_fd;
  GPtrArray *calls;
  GArray *leaving;
} Node;

// ---- News ----

static void
tell_cb (const OdlNodeNews *news, void *data)
{
  Node *node = data;

  g_mutex_lock (&node->mutex);
  node->params->told (news, node->params->data);
  g_mutex_unlock (&node->mutex);
}

static char *
refuse_cb (const OdlNetworkFacts *facts, void *data)
{
  Node *node = data;

  g_mutex_lock (&node->mutex);
  char *why = node->params->refuse (facts, node->params->data);
  g_mutex_unlock (&node->mutex);
  return why;
}

static void
tell (Node *node, OdlNodeNews news)
{
  tell_cb (&news, node);
}

// ---- Listening ----

static bool
listen_there (Node *node, GError **error)
{
  const OdlNodeParams *params = node->params;
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (params->address);
  const int yes = 1;
  struct sockaddr_storage name = { 0 };

  if (address == NULL)
    return odl_usage_error (error,
                            _ ("--listen takes an address in numbers, such as 127.0.0.1; "
                               "“%s” is none"),
                            params->address);
  g_autoptr (GSocketAddress) place
      = g_inet_socket_address_new (address, (guint16) params->port);
  node->listening_fd = socket (g_socket_address_get_family (place),
                               SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (node->listening_fd < 0
      || setsockopt (node->listening_fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0
      || !g_socket_address_to_native (place, &name, sizeof name, NULL)
      || bind (node->listening_fd, (struct sockaddr *) &name,
               (socklen_t) g_socket_address_get_native_size (place))
             != 0
      || listen (node->listening_fd, BACKLOG) != 0)
    return odl_error_set (error, ODL_ERROR_IO,
                          _ ("cannot listen at %s, port %u: %s; choose another --port"),
                          params->address, params->port, g_strerror (errno));
  return true;
}

static guint
port_of (const Node *node)
{
  struct sockaddr_storage name;
  socklen_t size = sizeof name;

  if (getsockname (node->listening_fd, (struct sockaddr *) &name, &size) != 0)
    return 0;
  g_autoptr (GSocketAddress) place = g_socket_address_new_from_native (&name, size);
  return g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (place));
}

// ---- Turning away ----

static void
leave (Node *node, int fd, const guint8 why[10])
{
  const Leaving leaving = { fd, g_get_monotonic_time () + LEAVING_US };

  // A connection that is closed at once loses what was written.
  if (send (fd, why, 10, MSG_DONTWAIT | MSG_NOSIGNAL) == 10 && shutdown (fd, SHUT_WR) == 0
      && node->leaving->len < MAX_LEAVING)
    g_array_append_val (node->leaving, leaving);
  else
    close (fd);
}

// Forgets those that have gone; what they say is not looked at.
static void
see_off (Node *node, bool all)
{
  char nothing[4096];

  for (guint i = node->leaving->len; i > 0; i--) {
    const Leaving *leaving = &g_array_index (node->leaving, Leaving, i - 1);
    ssize_t n;
    while ((n = recv (leaving->fd, nothing, sizeof nothing, MSG_DONTWAIT)) > 0)
      if (g_get_monotonic_time () > leaving->until_us)
        break;
    const bool gone = n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK);
    if (all || gone || g_get_monotonic_time () > leaving->until_us) {
      close (leaving->fd);
      g_array_remove_index_fast (node->leaving, i - 1);
    }
  }
}

// ---- Calls ----

// A machine with IPv6 has all addresses of a network of 64 bits to choose from.
#define IPV6_NETWORK_BYTES 8

static bool
is_same_machine (GInetAddress *a, GInetAddress *b)
{
  const GSocketFamily family = g_inet_address_get_family (a);

  return family == g_inet_address_get_family (b)
         && memcmp (g_inet_address_to_bytes (a), g_inet_address_to_bytes (b),
                    family == G_SOCKET_FAMILY_IPV6 ? IPV6_NETWORK_BYTES
                                                   : g_inet_address_get_native_size (a))
                == 0;
}

static guint
count_from (const Node *node, GInetAddress *address)
{
  guint n = 0;

  for (guint i = 0; i < node->calls->len; i++)
    n += is_same_machine (odl_call_address (g_ptr_array_index (node->calls, i)), address);
  return n;
}

// An IPv4 address that an IPv6 socket shows as one of its own.
static GInetAddress *
plain_address (const struct sockaddr_storage *name)
{
  const struct sockaddr_in6 *six = (const struct sockaddr_in6 *) name;
  const struct sockaddr_in *four = (const struct sockaddr_in *) name;

  if (name->ss_family == AF_INET)
    return g_inet_address_new_from_bytes ((const guint8 *) &four->sin_addr,
                                          G_SOCKET_FAMILY_IPV4);
  if (IN6_IS_ADDR_V4MAPPED (&six->sin6_addr))
    return g_inet_address_new_from_bytes (six->sin6_addr.s6_addr + 12,
                                          G_SOCKET_FAMILY_IPV4);
  return g_inet_address_new_from_bytes (six->sin6_addr.s6_addr, G_SOCKET_FAMILY_IPV6);
}

static void
take_call (Node *node, int fd, GInetAddress *address)
{
  g_autofree char *caller = g_inet_address_to_string (address);
  const OdlNodeParams *own = &node->own;
  const int yes = 1;
  g_autoptr (GError) error = NULL;
  OdlNodeNews news = { .event = ODL_NODE_TURNED_AWAY, .caller = caller };

  if (!odl_callers_know_address (own->callers, address)) {
    leave (node, fd, unknown_address);
    news.text = _ ("turned away, since --callers names nobody there");
    tell (node, news);
    return;
  }
  if (count_from (node, address) >= own->limits.associations) {
    leave (node, fd, over_the_limit);
    news.text = _ ("turned away, since that caller has as many associations as it may");
    tell (node, news);
    return;
  }
  // Answers are short, and written in parts.
  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  OdlCall *call = odl_call_start (own, fd, address, &error);
  if (call != NULL) {
    g_ptr_array_add (node->calls, call);
    return;
  }
  news.text = error->message;
  tell (node, news);
}

static void
accept_some (Node *node)
{
  while (node->calls->len < MAX_CALLS) {
    struct sockaddr_storage name = { 0 };
    socklen_t size = sizeof name;
    const int fd
        = accept4 (node->listening_fd, (struct sockaddr *) &name, &size, SOCK_CLOEXEC);
    if (fd < 0) {
      // It would be tried again at once.
      if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
        g_usleep (SHORT_OF_MEANS_US);
      return;
    }
    g_autoptr (GInetAddress) address = plain_address (&name);
    take_call (node, fd, address);
  }
}

static void
look_at_calls (Node *node)
{
  for (guint i = node->calls->len; i > 0; i--)
    if (odl_call_look (g_ptr_array_index (node->calls, i - 1)))
      g_ptr_array_remove_index_fast (node->calls, i - 1);
}

// ---- The node ----

static void
run (Node *node)
{
  bool going = true;

  while (going) {
    const bool room = node->calls->len < MAX_CALLS;
    struct pollfd fds[] = {
      { .fd = node->params->stop_fd, .events = POLLIN },
      { .fd = room ? node->listening_fd : -1, .events = POLLIN },
    };
    const int n = poll (fds, G_N_ELEMENTS (fds),
                        node->calls->len + node->leaving->len > 0 ? LOOK_MS : -1);
    going = n <= 0 || fds[0].revents == 0;
    look_at_calls (node);
    if (going && n > 0 && fds[1].revents != 0)
      accept_some (node);
    see_off (node, false);
  }
}

static void
set_if_none (guint *value, guint usual)
{
  *value = *value == 0 ? usual : *value;
}

bool
odl_node_run (const OdlNodeParams *params, GError **error)
{
  Node node = { .params = params, .own = *params, .listening_fd = -1 };
  OdlNodeLimits *limits = &node.own.limits;

  set_if_none (&limits->associations, 10);
  set_if_none (&limits->seconds, 3600);
  set_if_none (&limits->idle_seconds, 60);
  limits->bytes = limits->bytes == 0 ? G_MAXUINT64 / 2 : limits->bytes;
  limits->instance_bytes
      = limits->instance_bytes == 0 ? (guint64) 4 << 30 : limits->instance_bytes;
  node.own.told = tell_cb;
  node.own.refuse = params->refuse != NULL ? refuse_cb : NULL;
  node.own.data = &node;
  g_mutex_init (&node.mutex);
  node.calls = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_call_free);
  node.leaving = g_array_new (FALSE, FALSE, sizeof (Leaving));
  const bool listening = listen_there (&node, error);
  if (listening) {
    tell (&node, (OdlNodeNews){ .event = ODL_NODE_LISTENS, .port = port_of (&node) });
    run (&node);
  }
  if (node.listening_fd >= 0)
    close (node.listening_fd);
  g_ptr_array_unref (node.calls);
  see_off (&node, true);
  g_array_unref (node.leaving);
  g_mutex_clear (&node.mutex);
  return listening;
}
