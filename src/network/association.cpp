// SPDX-License-Identifier: MIT
#include "network/association.h"

#include <dcmtk/config/osconfig.h>

#include <dcmtk/dcmnet/assoc.h>
#include <dcmtk/dcmnet/cond.h>
#include <dcmtk/dcmnet/dcmlayer.h>
#include <dcmtk/dcmnet/dcmtrans.h>
#include <dcmtk/dcmnet/dul.h>
#include <dcmtk/dcmtls/tlscond.h>
#include <dcmtk/dcmtls/tlslayer.h>
#include <dcmtk/dcmtls/tlstrans.h>
#include <dcmtk/oflog/oflog.h>
#include <dcmtk/ofstd/ofstd.h>
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "decoder/dicom/syntax.h"
#include "network/title.h"

#define APPLICATION "1.2.840.10008.3.1.1.1"

#define VERIFICATION "1.2.840.10008.1.1"
#define STANDARD "1.2.840.10008."
#define STORAGE "1.2.840.10008.5.1.4.1.1."

struct _OdlAssociation {
  T_ASC_Network *network = NULL;
  T_ASC_Parameters *parameters = NULL; // of a request, until it is made
  T_ASC_Association *association = NULL;
  T_ASC_PresentationContext found = {};
  unsigned idle_seconds = 0;
  class OdlTlsLayer *tls = NULL; // NULL: nothing is encrypted
  bool closed = false; // the peer has closed the connection
  char reason[ODL_NETWORK_REASON] = "";
};

// DCMTK takes a connection that is closed for an abort.
template <class Base> class OdlConnection : public Base {
public:
  template <class... Rest>
  OdlConnection (bool *closed, DcmNativeSocketType socket, Rest... rest)
      : Base (socket, rest...), told (closed)
  {
  }
  ssize_t
  read (void *bytes, size_t n) override
  {
    const ssize_t some = Base::read (bytes, n);
    *told = *told || some == 0 || (some < 0 && errno == ECONNRESET);
    return some;
  }

private:
  bool *told;
};

// Tells when a connection stands, before anything is read.
class OdlLayer : public DcmTransportLayer {
public:
  OdlLayer (bool *closed, bool (*connected) (void)) : told (closed), begun (connected)
  {
  }
  DcmTransportConnection *
  createConnection (DcmNativeSocketType socket, OFBool) override
  {
    return begun == NULL || begun () ? new OdlConnection<DcmTCPConnection> (told, socket)
                                     : NULL;
  }

private:
  bool *told;
  bool (*begun) (void);
};

// The same, encrypted. Keys and certificates are read before the sandbox is entered.
class OdlTlsLayer : public DcmTLSTransportLayer {
public:
  OdlTlsLayer (T_ASC_NetworkRole role, bool *closed)
      : DcmTLSTransportLayer (role, NULL, OFTrue), begun (NULL), host (""), told (closed)
  {
  }
  ~OdlTlsLayer () override
  {
    SSL_free (last);
  }
  // Whether all but the host was as it should be.
  bool
  is_of_another_host () const
  {
    const long why = last != NULL ? SSL_get_verify_result (last) : X509_V_OK;
    return why == X509_V_ERR_HOSTNAME_MISMATCH || why == X509_V_ERR_IP_ADDRESS_MISMATCH;
  }
  DcmTransportConnection *
  createConnection (DcmNativeSocketType socket, OFBool) override
  {
    SSL *session = begun == NULL || begun () ? SSL_new (getNativeHandle ()) : NULL;

    if (session == NULL || SSL_set_fd (session, socket) != 1 || !expect (session))
      return NULL;
    SSL_up_ref (session);
    last = session;
    return new OdlConnection<DcmTLSConnection> (told, socket, session);
  }

  bool (*begun) (void);
  const char *host; // of the peer's certificate; empty: any

private:
  // Addresses in numbers are other names than those of hosts.
  bool
  expect (SSL *session) const
  {
    return *host == '\0'
           || X509_VERIFY_PARAM_set1_ip_asc (SSL_get0_param (session), host) == 1
           || SSL_set1_host (session, host) == 1;
  }

  bool *told;
  SSL *last = NULL; // to ask why not
};

OdlAssociation *
odl_association_new (unsigned idle_seconds)
{
  OdlAssociation *self = new OdlAssociation ();

  self->idle_seconds = idle_seconds;
  OFLog::configure (OFLogger::OFF_LOG_LEVEL);
  // It would ask name servers about every caller.
  dcmDisableGethostbyaddr.set (OFTrue);
  dcmConnectionTimeout.set ((Sint32) idle_seconds);
  dcmSocketSendTimeout.set ((Sint32) idle_seconds);
  dcmSocketReceiveTimeout.set ((Sint32) idle_seconds);
  // Heads and bodies are written apart: without it each answer waits for the peer's
  // acknowledgement of its head.
  setenv ("TCP_NODELAY", "1", 1);
  unsetenv ("TCP_BUFFER_LENGTH");
  return self;
}

const char *
odl_association_reason (const OdlAssociation *self)
{
  return self->reason;
}

// The time that a read or write of a socket may take is over, within a handshake, too.
static bool
is_about_time (const OFCondition &what)
{
  return what == DUL_READTIMEOUT || what == DCMTLS_EC_TLSReadOperationDidNotComplete
         || what == DCMTLS_EC_TLSWriteOperationDidNotComplete;
}

static bool
fail (OdlAssociation *self, const OFCondition &what, OdlNetworkEnd *end)
{
  // What DCMTK says of an abort says nothing more.
  if (what != DUL_PEERABORTEDASSOCIATION)
    OFStandard::strlcpy (self->reason, what.text (), sizeof self->reason);
  if (what == DUL_PEERREQUESTEDRELEASE)
    *end = ODL_NETWORK_RELEASED;
  else if (what == DUL_PEERABORTEDASSOCIATION)
    *end = self->closed ? ODL_NETWORK_CLOSED : ODL_NETWORK_ABORTED;
  else if (is_about_time (what))
    *end = ODL_NETWORK_SILENT;
  else if (what.code () == DULC_TLSERROR || what.module () == OFM_dcmtls)
    *end = ODL_NETWORK_NOT_TRUSTED;
  else if (what == DUL_NETWORKCLOSED || what.code () == DULC_TCPIOERROR)
    *end = ODL_NETWORK_CLOSED;
  else
    *end = ODL_NETWORK_INVALID;
  return false;
}

// `connected` may be NULL.
static bool
begin (OdlAssociation *self,
       T_ASC_NetworkRole role,
       bool (*connected) (void),
       OdlNetworkEnd *end)
{
  const OFCondition done
      = ASC_initializeNetwork (role, 0, (int) self->idle_seconds, &self->network);

  if (done.bad ())
    return fail (self, done, end);
  if (self->tls != NULL) {
    self->tls->begun = connected;
    ASC_setTransportLayer (self->network, self->tls, 1);
  } else {
    ASC_setTransportLayer (self->network, new OdlLayer (&self->closed, connected), 1);
  }
  return true;
}

// ---- TLS ----

// Level 2 of OpenSSL: no keys and signatures that are too weak; DCMTK allows all.
#define SECURITY_LEVEL 2

static bool
load (OdlTlsLayer *layer, const OdlNetworkTls *how, OFCondition &done)
{
  done = layer->addTrustedCertificateFile (how->authorities, DCF_Filetype_PEM);
  if (done.good () && *how->key != '\0')
    done = layer->setPrivateKeyFile (how->key, DCF_Filetype_PEM);
  if (done.good () && *how->key != '\0')
    done = layer->setCertificateFile (how->certificate, DCF_Filetype_PEM);
  if (done.good ())
    done = layer->setTLSProfile (TSP_Profile_BCP195);
  if (done.good ())
    done = layer->activateCipherSuites ();
  return done.good ()
         && (*how->key == '\0' || layer->checkPrivateKeyMatchesCertificate ());
}

bool
odl_association_set_tls (OdlAssociation *self, bool calls, const OdlNetworkTls *how)
{
  OFCondition done;

  self->tls = new OdlTlsLayer (calls ? NET_REQUESTOR : NET_ACCEPTOR, &self->closed);
  if (self->tls->getNativeHandle () == NULL)
    return false;
  SSL_CTX_set_security_level (self->tls->getNativeHandle (), SECURITY_LEVEL);
  const bool loaded = load (self->tls, how, done);
  if (!loaded)
    OFStandard::strlcpy (self->reason,
                         done.bad () ? done.text () : "key and certificate differ",
                         sizeof self->reason);
  // Both sides show theirs; a side without one is not let in.
  self->tls->setCertificateVerification (DCV_requireCertificate);
  return loaded;
}

// ---- Of those who call ----

bool
odl_association_receive (OdlAssociation *self, int fd, OdlNetworkEnd *end)
{
  // Instead of a socket that listens.
  dcmExternalSocketHandle.set (fd);
  if (!begin (self, NET_ACCEPTOR, NULL, end))
    return false;
  const OFCondition done = ASC_receiveAssociation (
      self->network, &self->association, ASC_MAXIMUMPDUSIZE, NULL, NULL,
      self->tls != NULL, DUL_NOBLOCK, (int) self->idle_seconds);
  if (done.bad ())
    return fail (self, done, end);
  const DUL_ASSOCIATESERVICEPARAMETERS &asked = self->association->params->DULparams;
  if (strcmp (asked.applicationContextName, APPLICATION) == 0)
    return true;
  T_ASC_RejectParameters why = { ASC_RESULT_REJECTEDPERMANENT, ASC_SOURCE_SERVICEUSER,
                                 ASC_REASON_SU_APPCONTEXTNAMENOTSUPPORTED };
  ASC_rejectAssociation (self->association, &why);
  *end = ODL_NETWORK_INVALID;
  return false;
}

const char *
odl_association_calling (const OdlAssociation *self)
{
  return self->association->params->DULparams.callingAPTitle;
}

const char *
odl_association_called (const OdlAssociation *self)
{
  return self->association->params->DULparams.calledAPTitle;
}

unsigned
odl_association_n_contexts (const OdlAssociation *self)
{
  return (unsigned) ASC_countPresentationContexts (self->association->params);
}

static bool
begins (const char *text, const char *beginning)
{
  return strncmp (text, beginning, strlen (beginning)) == 0;
}

// All classes of storage, also those of makers, which have numbers of their own.
static bool
is_wanted (const char *sop_class)
{
  return strcmp (sop_class, VERIFICATION) == 0 || begins (sop_class, STORAGE)
         || !begins (sop_class, STANDARD);
}

// The first one that the program reads. NULL: there is none.
static const char *
choose (const T_ASC_PresentationContext &context)
{
  for (unsigned i = 0; i < context.transferSyntaxCount; i++) {
    const OdlDicomSyntax *syntax
        = odl_dicom_syntax_find (context.proposedTransferSyntaxes[i]);
    if (syntax != NULL && syntax->codec != ODL_DICOM_REFUSED)
      return syntax->uid;
  }
  return NULL;
}

bool
odl_association_accept (OdlAssociation *self, OdlNetworkEnd *end)
{
  T_ASC_Parameters *params = self->association->params;
  const int n = ASC_countPresentationContexts (params);

  OFStandard::strlcpy (params->ourImplementationClassUID, ODL_NETWORK_CLASS_UID,
                       sizeof params->ourImplementationClassUID);
  OFStandard::strlcpy (params->ourImplementationVersionName, ODL_NETWORK_VERSION_NAME,
                       sizeof params->ourImplementationVersionName);
  ASC_setAPTitles (params, NULL, NULL, params->DULparams.calledAPTitle);
  for (int i = 0; i < n; i++) {
    T_ASC_PresentationContext context;
    if (ASC_getPresentationContext (params, i, &context).bad ())
      continue;
    const bool wanted = is_wanted (context.abstractSyntax);
    const char *syntax = wanted ? choose (context) : NULL;
    if (syntax != NULL)
      ASC_acceptPresentationContext (params, context.presentationContextID, syntax);
    else
      ASC_refusePresentationContext (params, context.presentationContextID,
                                     wanted ? ASC_P_TRANSFERSYNTAXESNOTSUPPORTED
                                            : ASC_P_ABSTRACTSYNTAXNOTSUPPORTED);
  }
  const OFCondition done = ASC_acknowledgeAssociation (self->association);
  return done.good () || fail (self, done, end);
}

void
odl_association_reject (OdlAssociation *self, OdlNetworkVerdict why)
{
  T_ASC_RejectParameters answer
      = { ASC_RESULT_REJECTEDPERMANENT, ASC_SOURCE_SERVICEUSER,
          why == ODL_NETWORK_NOT_THIS_TITLE ? ASC_REASON_SU_CALLEDAETITLENOTRECOGNIZED
                                            : ASC_REASON_SU_CALLINGAETITLENOTRECOGNIZED };

  ASC_rejectAssociation (self->association, &answer);
}

// ---- Of those that we call ----

// This DCMTK calls addresses of IPv4 alone. It makes its socket and connects it by two
// functions of the system, which are these here in this program, so that an address of
// IPv6 can take the place of the one that it was given.
static struct sockaddr_in6 called_six; // of another family: none

static bool
is_six (void)
{
  return called_six.sin6_family == AF_INET6;
}

int
socket (int family, int type, int protocol)
{
  return (int) syscall (SYS_socket, family == AF_INET && is_six () ? AF_INET6 : family,
                        type, protocol);
}

int
connect (int fd, const struct sockaddr *address, socklen_t size)
{
  if (!is_six () || address->sa_family != AF_INET)
    return (int) syscall (SYS_connect, fd, address, size);
  return (int) syscall (SYS_connect, fd, &called_six, sizeof called_six);
}

// The place that DCMTK is told.
static void
place_of (const OdlNetworkOrder *order, char *text, size_t size)
{
  called_six = sockaddr_in6 ();
  if (inet_pton (AF_INET6, order->address, &called_six.sin6_addr) == 1) {
    called_six.sin6_family = AF_INET6;
    called_six.sin6_port = htons ((uint16_t) order->port);
  }
  snprintf (text, size, "%s:%u", is_six () ? "0.0.0.0" : order->address, order->port);
}

static OFCondition
propose (T_ASC_Parameters *params, const OdlNetworkContext *contexts, unsigned n_contexts)
{
  OFCondition done = EC_Normal;

  for (unsigned i = 0; i < n_contexts && done.good (); i++) {
    const char *syntax = contexts[i].syntax;
    done = ASC_addPresentationContext (
        params, (T_ASC_PresentationContextID) (2 * i + 1), contexts[i].sop_class, &syntax,
        1, contexts[i].we_receive ? ASC_SC_ROLE_SCP : ASC_SC_ROLE_DEFAULT);
  }
  return done;
}

// DCMTK tells why there is no connection by the system's words alone.
static bool
says (const OFCondition &what, int code)
{
  return strstr (what.text (), strerror (code)) != NULL;
}

// Why there is no association, from what is known of one that had begun: who takes a
// connection and says nothing, or cuts it, refuses nobody.
static OdlNetworkEnd
name_end (const OdlAssociation *self, const OFCondition &what, OdlNetworkEnd end)
{
  if (self->tls != NULL && self->tls->is_of_another_host ())
    return ODL_NETWORK_ANOTHER_HOST;
  if (what == DUL_ASSOCIATIONREJECTED)
    return ODL_NETWORK_REJECTED;
  if (what.code () != DULC_TCPINITERROR && what.code () != DULC_UNKNOWNHOST)
    return end == ODL_NETWORK_SILENT                        ? ODL_NETWORK_MUTE
           : end == ODL_NETWORK_CLOSED && self->tls != NULL ? ODL_NETWORK_CUT_BEHIND_TLS
                                                            : end;
  return says (what, EINPROGRESS) || says (what, ETIMEDOUT) ? ODL_NETWORK_NOBODY
         : says (what, ECONNRESET)                          ? ODL_NETWORK_CLOSED
                                                            : ODL_NETWORK_UNREACHABLE;
}

static bool
request (OdlAssociation *self, const OdlNetworkOrder *order, OdlNetworkEnd *end)
{
  char address[sizeof order->address + 8];

  place_of (order, address, sizeof address);
  if (self->tls != NULL)
    self->tls->host = order->host;
  ASC_setTransportLayerType (self->parameters, self->tls != NULL);
  ASC_setAPTitles (self->parameters, order->calling, order->called, NULL);
  ASC_setPresentationAddresses (self->parameters, "localhost", address);
  const OFCondition done
      = ASC_requestAssociation (self->network, self->parameters, &self->association, NULL,
                                NULL, DUL_NOBLOCK, (int) self->idle_seconds);
  if (done.good ()) {
    self->parameters = NULL; // they are the association's
    return true;
  }
  // What failed belongs to nobody.
  free (self->association);
  self->association = NULL;
  fail (self, done, end);
  *end = name_end (self, done, *end);
  if (*end == ODL_NETWORK_NOBODY || *end == ODL_NETWORK_MUTE)
    self->reason[0] = '\0'; // which has words of a connection that is under way
  if (*end != ODL_NETWORK_REJECTED)
    return false;
  T_ASC_RejectParameters why;
  OFString text;
  ASC_getRejectParameters (self->parameters, &why);
  ASC_printRejectParameters (text, &why);
  for (size_t i = 0; i < text.length (); i++)
    text[i] = text[i] == '\n' ? ' ' : text[i];
  OFStandard::strlcpy (self->reason, text.c_str (), sizeof self->reason);
  return false;
}

static bool
may_receive (const T_ASC_PresentationContext &context)
{
  return context.acceptedRole == ASC_SC_ROLE_SCP
         || context.acceptedRole == ASC_SC_ROLE_SCUSCP;
}

bool
odl_association_request (OdlAssociation *self,
                         const OdlNetworkOrder *order,
                         const OdlNetworkContext *contexts,
                         bool (*connected) (void),
                         uint8_t *taken,
                         OdlNetworkEnd *end)
{
  if (!begin (self, NET_REQUESTOR, connected, end))
    return false;
  OFCondition done
      = ASC_createAssociationParameters (&self->parameters, ASC_MAXIMUMPDUSIZE);
  if (done.good ())
    done = propose (self->parameters, contexts, order->n_contexts);
  if (done.bad ())
    return fail (self, done, end);
  OFStandard::strlcpy (self->parameters->ourImplementationClassUID, ODL_NETWORK_CLASS_UID,
                       sizeof self->parameters->ourImplementationClassUID);
  OFStandard::strlcpy (self->parameters->ourImplementationVersionName,
                       ODL_NETWORK_VERSION_NAME,
                       sizeof self->parameters->ourImplementationVersionName);
  if (!request (self, order, end))
    return false;
  for (unsigned i = 0; i < order->n_contexts; i++) {
    const char *sop_class, *syntax;
    taken[i] = odl_association_find (self, (uint8_t) (2 * i + 1), &sop_class, &syntax)
               && strcmp (syntax, contexts[i].syntax) == 0
               && (!contexts[i].we_receive || may_receive (self->found));
  }
  return true;
}

// ---- Of both ----

bool
odl_association_read (OdlAssociation *self, OdlFragment *part, OdlNetworkEnd *end)
{
  DUL_ASSOCIATIONKEY **key = &self->association->DULassociation;
  DUL_PDV value;

  if (DUL_NextPDV (key, &value).bad ()) {
    const OFCondition done
        = DUL_ReadPDVs (key, NULL, DUL_NOBLOCK, (int) self->idle_seconds);
    if (done != DUL_PDATAPDUARRIVED)
      return fail (self, done, end);
    const OFCondition there = DUL_NextPDV (key, &value);
    if (there.bad ())
      return fail (self, there, end);
  }
  part->context = value.presentationContextID;
  part->is_command = value.pdvType == DUL_COMMANDPDV;
  part->is_last = value.lastPDV;
  part->bytes = (const uint8_t *) value.data;
  part->n = value.fragmentLength;
  return true;
}

// Most PDUs of a peer that are passed over to find out why it cut the connection.
#define MOST_LAST_PDUS 64

// A peer that aborts may have cut the connection before we noticed, so that the next
// write fails; what it said before is there to be read. Waits for nothing.
static OFCondition
ask_why (OdlAssociation *self, const OFCondition &failed)
{
  DUL_ASSOCIATIONKEY **key = &self->association->DULassociation;
  OFCondition done = DUL_PDATAPDUARRIVED;

  for (int i = 0; i < MOST_LAST_PDUS && done == DUL_PDATAPDUARRIVED; i++) {
    DUL_PDV passed_over;
    while (DUL_NextPDV (key, &passed_over).good ())
      continue;
    done = DUL_ReadPDVs (key, NULL, DUL_NOBLOCK, 0);
  }
  return done == DUL_PEERABORTEDASSOCIATION && !self->closed ? done : failed;
}

bool
odl_association_write (OdlAssociation *self, const OdlFragment *part, OdlNetworkEnd *end)
{
  DUL_PDV value
      = { part->n, part->context, part->is_command ? DUL_COMMANDPDV : DUL_DATASETPDV,
          part->is_last, (void *) part->bytes };
  DUL_PDVLIST list = DUL_PDVLIST ();

  list.count = 1;
  list.pdv = &value;
  const OFCondition done = DUL_WritePDVs (&self->association->DULassociation, &list);
  return done.good () || fail (self, ask_why (self, done), end);
}

size_t
odl_association_room (const OdlAssociation *self)
{
  return (size_t) self->association->sendPDVLength;
}

bool
odl_association_find (OdlAssociation *self,
                      uint8_t context,
                      const char **sop_class,
                      const char **syntax)
{
  if (ASC_findAcceptedPresentationContext (self->association->params, context,
                                           &self->found)
          .bad ()
      || self->found.resultReason != ASC_P_ACCEPTANCE)
    return false;
  *sop_class = self->found.abstractSyntax;
  *syntax = self->found.acceptedTransferSyntax;
  return true;
}

void
odl_association_confirm_release (OdlAssociation *self)
{
  DUL_AcknowledgeRelease (&self->association->DULassociation);
}

bool
odl_association_release (OdlAssociation *self, OdlNetworkEnd *end)
{
  const OFCondition done = ASC_releaseAssociation (self->association);

  return done.good () || fail (self, done, end);
}

void
odl_association_abort (OdlAssociation *self)
{
  ASC_abortAssociation (self->association);
}
