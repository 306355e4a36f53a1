// SPDX-License-Identifier: MIT
#include "archive/send.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/peer.h"
#include "archive/sent_log.h"
#include "base/error.h"
#include "base/text.h"
#include "source/dicom/dicom.h"
#include "source/source_file.h"

#define NO_LIMIT ((guint64) G_MAXINT64 / 2)
#define MOST_IN_VAIN 3 // associations in a row that end before the node takes anything

#define EXPLICIT "1.2.840.10008.1.2.1"
#define IMPLICIT "1.2.840.10008.1.2"

// ---- Files ----

typedef struct {
  const char *path;
  bool told;
  bool known; // the next ones are
  char sop_class[ODL_NETWORK_UID];
  char syntax[ODL_NETWORK_UID];
  char instance[ODL_NETWORK_UID];
  char study[ODL_NETWORK_UID];
  bool went; // at least a part of it
} Item;

typedef struct {
  const OdlSendParams *params;
  GCancellable *cancellable;
  Item *items;
  guint n_items;
  guint n_failed;
  bool not_noted; // was told
  bool broke_off; // the association ended at a file; another one may fare better
  guint n_in_vain; // associations since something was taken
} Sending;

// Returns why not, once; transfer full.
static char *
note (Sending *self, const Item *item, const OdlSendNews *news)
{
  const OdlSentLogRow row = { .to = self->params->link.to,
                              .instance = item->instance,
                              .study = item->study,
                              .taken = news->taken,
                              .answered = news->status != ODL_STATUS_SUCCESS,
                              .status = news->status };
  g_autoptr (GError) error = NULL;

  if (!item->went || odl_sent_log_add (&row, &error) || self->not_noted)
    return NULL;
  self->not_noted = true;
  return g_strdup (error->message);
}

static void
tell (Sending *self, Item *item, OdlSendNews news)
{
  if (item->told)
    return;
  item->told = true;
  g_autofree char *not_noted = note (self, item, &news);
  news.not_noted = not_noted;
  news.path = item->path;
  self->n_failed += !news.taken;
  self->n_in_vain = news.taken ? 0 : self->n_in_vain;
  self->params->told (&news, self->params->data);
}

static void
tell_failed (Sending *self, Item *item, const char *text)
{
  tell (self, item, (OdlSendNews){ .text = text });
}

// −1: it was told.
static int
open_item (Sending *self, Item *item)
{
  const int fd = g_open (item->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  struct stat status;

  if (fd >= 0 && fstat (fd, &status) == 0 && S_ISREG (status.st_mode))
    return fd;
  tell_failed (self, item, fd < 0 ? g_strerror (errno) : _ ("this is no file"));
  if (fd >= 0)
    close (fd);
  return -1;
}

// ---- Looking ----

static bool
look_at (Sending *self, OdlPeer *peer, Item *item, GError **error)
{
  OdlNetworkOrder order = { .kind = ODL_NETWORK_LOOK_AT };
  OdlNetworkReport report;
  const int fd = open_item (self, item);

  if (fd < 0)
    return true;
  const bool good
      = odl_peer_order (peer, &order, NULL, fd, error)
        && odl_peer_receive (peer, &report, NULL, 0, self->cancellable, error);
  close (fd);
  if (!good)
    return false;
  item->known = report.kind == ODL_NETWORK_LOOKED && report.status == ODL_STATUS_SUCCESS;
  g_strlcpy (item->sop_class, report.facts.sop_class, sizeof item->sop_class);
  g_strlcpy (item->syntax, report.syntax, sizeof item->syntax);
  g_strlcpy (item->instance, report.facts.instance, sizeof item->instance);
  g_strlcpy (item->study, report.facts.study, sizeof item->study);
  if (report.kind == ODL_NETWORK_ENDED) {
    g_autofree char *text = odl_peer_end_to_text (&report);
    tell_failed (self, item, text);
  } else if (!item->known) {
    tell (self, item,
          (OdlSendNews){
              .hopeless = true,
              .text = _ ("it is no DICOM file that can be sent: it is damaged, does "
                         "not say of which study and series it is, or has an unknown "
                         "transfer syntax") });
  }
  return true;
}

// A file that the helper dies of is told, and another one looks at the next.
static void
look_at_all (Sending *self)
{
  OdlPeer *peer = NULL;

  for (guint i = 0; i < self->n_items; i++) {
    g_autoptr (GError) error = NULL;
    Item *item = &self->items[i];
    if (peer == NULL)
      peer = odl_link_start (&self->params->link, ODL_NETWORK_LOOK, NO_LIMIT, &error);
    if (peer != NULL && look_at (self, peer, item, &error))
      continue;
    tell_failed (self, item, error->message);
    odl_peer_end (peer);
    peer = NULL;
  }
  odl_peer_end (peer);
}

// ---- What is proposed ----

// Each of the contexts that an item needs, for as long as they fit. Its own transfer
// syntax, and those of which every node takes one (PS3.5 10.1).
static bool
add_contexts (OdlProposal *proposal, const Item *item)
{
  const char *const syntaxes[] = { item->syntax, EXPLICIT, IMPLICIT };
  const guint before = proposal->n;

  for (guint i = 0; i < G_N_ELEMENTS (syntaxes); i++) {
    if (odl_proposal_find (proposal, item->sop_class, syntaxes[i]) < proposal->n)
      continue;
    if (!odl_proposal_add (proposal, item->sop_class, syntaxes[i], false)) {
      proposal->n = before;
      return false;
    }
  }
  return true;
}

// The index after the last of the items from `first` on whose contexts fit.
static guint
propose (const Sending *self, guint first, OdlProposal *proposal)
{
  proposal->n = 0;
  for (guint i = first; i < self->n_items; i++)
    if (self->items[i].known && !add_contexts (proposal, &self->items[i]))
      return i;
  return self->n_items;
}

// ---- Sending ----

// `how` (may be NULL) says that it was sent in another transfer syntax.
static void
tell_answer (Sending *self, Item *item, const OdlNetworkReport *report, const char *how)
{
  g_autofree char *text
      = report->status != ODL_STATUS_SUCCESS ? odl_link_status_to_text (report) : NULL;

  tell (self, item,
        (OdlSendNews){ .taken = report->status == ODL_STATUS_SUCCESS,
                       .status = report->status,
                       .text = text != NULL ? text : how });
}

// A file to be sent, in the context that was found for it.
typedef struct {
  int fd;
  guint context;
  const char *how; // it is not as it was; NULL: it is
} Parcel;

// False: the association is of no further use; *end says why.
static bool
send_parcel (Sending *self, OdlPeer *peer, Item *item, const Parcel *parcel, char **end)
{
  OdlNetworkOrder order
      = { .kind = ODL_NETWORK_SEND_FILE, .value = 2 * parcel->context + 1 };
  OdlNetworkReport report;
  g_autoptr (GError) error = NULL;

  item->went = true;
  if (!odl_peer_order (peer, &order, NULL, parcel->fd, &error)
      || !odl_peer_receive (peer, &report, NULL, 0, self->cancellable, &error)) {
    *end = g_strdup (error->message);
    self->broke_off = !g_error_matches (error, ODL_ERROR, ODL_ERROR_CANCELLED);
    return false;
  }
  if (report.kind != ODL_NETWORK_SENT) {
    *end = odl_peer_end_to_text (&report);
    self->broke_off = report.end != ODL_NETWORK_SILENT;
    return false;
  }
  item->went = report.code == 0;
  if (report.code != 0)
    tell_failed (self, item, g_strerror ((int) report.code));
  else
    tell_answer (self, item, &report, parcel->how);
  return true;
}

// The same instance without compression. False: it was told.
static bool
repack (Sending *self, const OdlProposal *proposal, Item *item, Parcel *parcel)
{
  const guint explicit = odl_proposal_find (proposal, item->sop_class, EXPLICIT);
  const guint implicit = odl_proposal_find (proposal, item->sop_class, IMPLICIT);
  const bool is_explicit = odl_proposal_is_taken (proposal, explicit);
  g_autoptr (GError) error = NULL;

  if (!is_explicit && !odl_proposal_is_taken (proposal, implicit)) {
    tell_failed (self, item, _ ("the node does not take this kind of object"));
    return false;
  }
  parcel->context = is_explicit ? explicit : implicit;
  g_autoptr (GBytes) bytes = odl_plain_file (item->path, !is_explicit, &error);
  if (bytes != NULL) {
    gsize size;
    const void *data = g_bytes_get_data (bytes, &size);
    parcel->fd = odl_source_file_of_bytes (data, size, &error).fd;
  }
  if (parcel->fd < 0)
    tell_failed (self, item, error->message);
  parcel->how = _ ("sent in another transfer syntax, without compression, since the node "
                   "does not take its own");
  return parcel->fd >= 0;
}

// False: as send_parcel.
static bool
send_item (Sending *self,
           OdlPeer *peer,
           const OdlProposal *proposal,
           Item *item,
           char **end)
{
  Parcel parcel
      = { .fd = -1,
          .context = odl_proposal_find (proposal, item->sop_class, item->syntax) };

  if (odl_proposal_is_taken (proposal, parcel.context))
    parcel.fd = open_item (self, item);
  else
    repack (self, proposal, item, &parcel);
  if (parcel.fd < 0)
    return true;
  const bool going = send_parcel (self, peer, item, &parcel, end);
  close (parcel.fd);
  return going;
}

// One association, for the items from `first` to `last` − 1. Returns the first of them
// that is left to the next one.
static guint
associate (Sending *self,
           const char *address,
           OdlProposal *proposal,
           guint first,
           guint last)
{
  g_autofree char *end = NULL;
  guint next = first;
  OdlPeer *peer = odl_link_open (&self->params->link, ODL_NETWORK_SEND, NO_LIMIT, address,
                                 proposal, self->cancellable, &end);

  self->broke_off = false;
  self->n_in_vain++;
  for (; next < last && end == NULL; next++)
    if (self->items[next].known && !self->items[next].told)
      send_item (self, peer, proposal, &self->items[next], &end);
  if (peer != NULL && end == NULL)
    odl_link_release (peer, self->cancellable);
  odl_peer_end (peer);
  if (end == NULL)
    return last;
  g_autofree char *text = g_strdup_printf (_ ("not sent: the association with %s was %s"),
                                           self->params->link.to->title, end);
  for (guint i = first; i < next; i++) // that one may be the reason
    if (self->items[i].known)
      tell_failed (self, &self->items[i], text);
  if (self->broke_off && self->n_in_vain < MOST_IN_VAIN)
    return next;
  for (guint i = next; i < last; i++)
    if (self->items[i].known)
      tell (self, &self->items[i], (OdlSendNews){ .not_begun = true, .text = text });
  return last;
}

guint
odl_send (const OdlSendParams *params, GCancellable *cancellable)
{
  Sending self = { .params = params, .cancellable = cancellable };
  g_autoptr (GError) error = NULL;
  g_autofree OdlProposal *proposal = g_new0 (OdlProposal, 1);

  self.n_items = g_strv_length ((char **) params->paths);
  self.items = g_new0 (Item, self.n_items);
  for (guint i = 0; i < self.n_items; i++)
    self.items[i].path = params->paths[i];
  look_at_all (&self);
  g_autofree char *address = odl_link_resolve (params->link.to, cancellable, &error);
  for (guint i = 0, next; i < self.n_items; i = next) {
    next = propose (&self, i, proposal);
    if (address != NULL && proposal->n > 0)
      next = associate (&self, address, proposal, i, next);
  }
  for (guint i = 0; i < self.n_items && error != NULL; i++)
    tell (&self, &self.items[i],
          (OdlSendNews){ .not_begun = true, .text = error->message });
  g_free (self.items);
  return self.n_failed;
}
