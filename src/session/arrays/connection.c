// SPDX-License-Identifier: MIT
#include "session/arrays/connection.h"

#include <errno.h>
#include <glib-unix.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// More than a message may have beside it, so that surplus files are seen and closed.
#define MOST_FILES 4
#define MOST_UNREAD 64

struct _OdlConnection {
  int fd; // −1: closed
  guint source; // 0: a message is being answered
  const OdlConnectionHost *host; // NULL: closed
  bool spoke;
  void *kept;
  GDestroyNotify free_kept;
};

// Closes a socket on which messages may wait to be read: the other side would be told of
// these, and not get the answer. There are few, since connections are answered in turn.
static void
close_read (int fd)
{
  char byte;

  for (int i = 0; i < MOST_UNREAD && recv (fd, &byte, 1, MSG_DONTWAIT) > 0; i++)
    ;
  close (fd);
}

// ---- life ----------------------------------------------------------------------------

static void
clear (void *data)
{
  OdlConnection *self = data;

  odl_connection_close (self);
}

OdlConnection *
odl_connection_ref (OdlConnection *self)
{
  return g_rc_box_acquire (self);
}

void
odl_connection_unref (OdlConnection *self)
{
  g_rc_box_release_full (self, clear);
}

void
odl_connection_close (OdlConnection *self)
{
  g_clear_handle_id (&self->source, g_source_remove);
  if (self->fd >= 0)
    close_read (self->fd);
  self->fd = -1;
  self->host = NULL;
  if (self->kept != NULL)
    self->free_kept (g_steal_pointer (&self->kept));
}

bool
odl_connection_is_open (const OdlConnection *self)
{
  return self->fd >= 0;
}

bool
odl_connection_is_silent (const OdlConnection *self)
{
  return !self->spoke;
}

const OdlConnectionHost *
odl_connection_host (const OdlConnection *self)
{
  return self->host;
}

void
odl_connection_keep (OdlConnection *self, void *kept, GDestroyNotify free_kept)
{
  if (self->kept != NULL)
    self->free_kept (self->kept);
  self->kept = kept;
  self->free_kept = free_kept;
}

void *
odl_connection_kept (const OdlConnection *self)
{
  return self->kept;
}

// Closed by the other side, or by what it did.
static void
end (OdlConnection *self)
{
  const OdlConnectionHost *host = self->host;

  if (host == NULL)
    return;
  odl_connection_close (self);
  host->ended (self, host->owner);
}

// ---- sending -------------------------------------------------------------------------

static bool
send_text (int fd, const char *text)
{
  const size_t n = strlen (text);

  return send (fd, text, n, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t) n;
}

// Who does not read what he asked for is left.
static void
say (OdlConnection *self, const char *word, uint32_t number, const char *lines)
{
  g_autofree char *text
      = g_strdup_printf ("ondelette %d %s %u\n%s", ODL_ASK_VERSION, word, number, lines);

  if (self->fd >= 0 && !send_text (self->fd, text))
    end (self);
}

static void listen_on (OdlConnection *self);

void
odl_connection_done (OdlConnection *self, uint32_t number, const char *lines)
{
  say (self, "done", number, lines != NULL ? lines : "");
  listen_on (self);
}

static char *
line_of (const char *why)
{
  g_autofree char *line = g_strdelimit (g_strdup (why), "\n\r", ' ');

  return g_strdup_printf ("why %s\n", line);
}

void
odl_connection_fail (OdlConnection *self, uint32_t number, const char *why)
{
  g_autofree char *line = line_of (why);

  say (self, "failed", number, line);
  listen_on (self);
}

void
odl_connection_tell (OdlConnection *self, const char *lines)
{
  say (self, "changed", 0, lines);
}

void
odl_connection_refuse (int fd, const char *why)
{
  g_autofree char *line = line_of (why);
  g_autofree char *text
      = g_strdup_printf ("ondelette %d failed 0\n%s", ODL_ASK_VERSION, line);

  send_text (fd, text);
  close_read (fd);
}

// ---- receiving -----------------------------------------------------------------------

typedef struct {
  char bytes[ODL_ASK_MOST_BYTES];
  size_t n;
  int fd; // −1: none came
  bool whole; // neither text nor files were cut off or too many
} Packet;

// Keeps the first file, and closes all others.
static void
take_files (Packet *packet, struct msghdr *header)
{
  for (struct cmsghdr *at = CMSG_FIRSTHDR (header); at != NULL;
       at = CMSG_NXTHDR (header, at)) {
    if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS)
      continue;
    const size_t n = (at->cmsg_len - CMSG_LEN (0)) / sizeof (int);
    for (size_t i = 0; i < n; i++) {
      int fd;
      memcpy (&fd, CMSG_DATA (at) + i * sizeof fd, sizeof fd);
      if (packet->fd < 0) {
        packet->fd = fd;
      } else {
        close (fd);
        packet->whole = false;
      }
    }
  }
}

// Bytes, 0 at the end of the connection, or −1 with errno.
static ssize_t
receive (int fd, Packet *packet)
{
  union {
    char room[CMSG_SPACE (MOST_FILES * sizeof (int))];
    struct cmsghdr align;
  } control;
  struct iovec text = { packet->bytes, sizeof packet->bytes };
  struct msghdr header = { .msg_iov = &text,
                           .msg_iovlen = 1,
                           .msg_control = control.room,
                           .msg_controllen = sizeof control.room };
  const ssize_t n = recvmsg (fd, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

  packet->fd = -1;
  packet->n = n > 0 ? (size_t) n : 0;
  packet->whole = n > 0 && (header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0;
  if (n >= 0)
    take_files (packet, &header);
  return n;
}

// Messages that cannot be read are answered, and end the connection: nobody knows what
// the next ones would mean.
static void
take_packet (OdlConnection *self, Packet *packet)
{
  g_autoptr (GError) error = NULL;
  g_auto (OdlAsk) ask = { 0 };

  if (odl_ask_parse (&ask, packet->bytes, packet->whole ? packet->n : 0, &error)) {
    self->spoke = true;
    g_clear_handle_id (&self->source, g_source_remove);
    self->host->answer (self, &ask, packet->fd);
    return;
  }
  g_autofree char *line = line_of (error->message);
  say (self, "failed", ask.number, line);
  end (self);
}

static gboolean
ready_cb (int fd, GIOCondition condition, void *data)
{
  OdlConnection *self = odl_connection_ref (data);
  g_autofree Packet *packet = g_new (Packet, 1);
  const ssize_t n = receive (fd, packet);
  const bool again = n < 0 && (errno == EAGAIN || errno == EINTR);

  if (n > 0)
    take_packet (self, packet);
  else if (!again)
    end (self);
  if (packet->fd >= 0)
    close (packet->fd);
  // The source may be another one by now.
  const bool goes_on
      = self->source != 0 && g_source_get_id (g_main_current_source ()) == self->source;
  odl_connection_unref (self);
  return goes_on ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

// Messages come after what has to be painted.
static void
listen_on (OdlConnection *self)
{
  if (self->fd >= 0 && self->source == 0)
    self->source = g_unix_fd_add_full (G_PRIORITY_DEFAULT_IDLE, self->fd, G_IO_IN,
                                       ready_cb, self, NULL);
}

OdlConnection *
odl_connection_new (int fd, const OdlConnectionHost *host)
{
  OdlConnection *self = g_rc_box_new0 (OdlConnection);

  self->fd = fd;
  self->host = host;
  listen_on (self);
  return self;
}
