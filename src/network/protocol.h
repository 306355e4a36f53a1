// SPDX-License-Identifier: MIT
// Protocol between the network helper, which speaks DICOM with one peer (PS3.7, PS3.8),
// and its parent, over a SOCK_SEQPACKET socket. Both programs come from one build: byte
// order and layout are native, and `version` detects a stale helper.
//
// Command line: `ondelette-network ROLE IDLE MOST SANDBOX [KEY CERTIFICATE AUTHORITIES]`,
// with the descriptors of base/helper.h. IDLE is for how many seconds a peer may be
// silent, MOST how many bytes an instance may have. With the files of TLS, which are read
// before the sandbox is entered, nothing is said without it; KEY and CERTIFICATE may be
// empty for one that calls.
//
// `receive`: ODL_HELPER_FILE_FD is the accepted connection. The helper tells who calls
// (CALLED); the parent orders a VERDICT, with the file of the first instance attached.
// Each instance is written there, and told when it is complete or could not be written
// (STORED); the parent orders the STATUS of the answer, with the next file. In the end
// comes ENDED.
//
// `look`: without a connection. Each LOOK brings a file, and LOOKED tells what it is.
//
// `send`: CONNECT has an address in numbers, titles, and what is to be proposed;
// CONNECTED tells what the peer takes, or ENDED why there is no association. Each SEND
// brings a file, and SENT tells what the peer answered; RELEASE ends it. ENDED may come
// at any time.
//
// `ask`: CONNECT and RELEASE as for `send`. FIND and GET bring a data set of keys in
// implicit little endian behind the order. FIND comes with a file for the helper to write
// in; ANSWERED tells each answer, and at last, without one, the peer's final status. GET
// comes with the file of the first instance; what the peer sends is told as for
// `receive`, and COUNTED what it says of its progress, at last with a final status. MOVE
// is a GET of which nothing comes here: the peer calls `destination`.
#pragma once

#include <stdint.h>

#include "base/helper.h"

#define ODL_NETWORK_MAGIC 0x4f444c4eu // "ODLN"
#define ODL_NETWORK_VERSION 6u

#define ODL_NETWORK_RECEIVE "receive"
#define ODL_NETWORK_LOOK "look"
#define ODL_NETWORK_SEND "send"
#define ODL_NETWORK_ASK "ask"

// Sizes of texts with their end (PS3.5 6.2).
#define ODL_NETWORK_TITLE 17
#define ODL_NETWORK_UID 65
#define ODL_NETWORK_WORDS 65
#define ODL_NETWORK_CODE 17
#define ODL_NETWORK_NAME 800 // three ways of writing, of 64 characters each
#define ODL_NETWORK_REASON 256
#define ODL_NETWORK_HOST 256

// Most presentation contexts of an association (PS3.8 9.3.2.2).
#define ODL_NETWORK_MAX_CONTEXTS 128

// Most bytes of the keys of a query; of an answer as it comes, and as it is told.
#define ODL_NETWORK_MAX_KEYS 4096
#define ODL_NETWORK_MAX_DATA ((uint64_t) 1 << 20)
#define ODL_NETWORK_MAX_ANSWER 16384

// Statuses of answers (PS3.4 B.2.3, PS3.7 C).
#define ODL_STATUS_SUCCESS 0x0000u
#define ODL_STATUS_NOT_AUTHORISED 0x0124u
#define ODL_STATUS_UNKNOWN_OPERATION 0x0211u
#define ODL_STATUS_NO_RESOURCES 0xa700u
#define ODL_STATUS_MISMATCH 0xa900u
#define ODL_STATUS_CANNOT_UNDERSTAND 0xc000u
#define ODL_STATUS_SOME_FAILED 0xb000u
#define ODL_STATUS_CANCELLED 0xfe00u
#define ODL_STATUS_PENDING 0xff00u
#define ODL_STATUS_PENDING_WITHOUT_SOME 0xff01u // keys, which the peer does not know

// How an association ended.
typedef enum {
  ODL_NETWORK_RELEASED,
  ODL_NETWORK_ABORTED, // by the peer
  ODL_NETWORK_CLOSED, // the connection, without a word
  ODL_NETWORK_SILENT, // the peer said nothing for too long
  ODL_NETWORK_INVALID, // what the peer said is no DICOM
  ODL_NETWORK_REJECTED, // by the peer, or by the parent's verdict
  ODL_NETWORK_UNREACHABLE,
  ODL_NETWORK_NOBODY, // the connection was neither taken nor refused in time
  ODL_NETWORK_MUTE, // the connection was taken, and the request never answered
  ODL_NETWORK_REFUSED, // no sandbox
  ODL_NETWORK_NOT_TRUSTED, // no agreement upon TLS
  ODL_NETWORK_CUT_BEHIND_TLS, // closed without a word when TLS was agreed upon
  ODL_NETWORK_NO_KEYS, // files of TLS are of no use
  ODL_NETWORK_ANOTHER_HOST, // the certificate is not of the host that was called
  ODL_NETWORK_N_ENDS,
} OdlNetworkEnd;

typedef enum {
  ODL_NETWORK_CALLED,
  ODL_NETWORK_STORED,
  ODL_NETWORK_LOOKED,
  ODL_NETWORK_CONNECTED,
  ODL_NETWORK_SENT,
  ODL_NETWORK_ANSWERED,
  ODL_NETWORK_COUNTED,
  ODL_NETWORK_ENDED,
  ODL_NETWORK_N_TOLD,
} OdlNetworkTold;

// What a data set is. Texts are as they stand there, without the padding, and end.
typedef struct {
  char sop_class[ODL_NETWORK_UID];
  char instance[ODL_NETWORK_UID];
  char study[ODL_NETWORK_UID];
  char series[ODL_NETWORK_UID];
  char modality[ODL_NETWORK_CODE];
  char maker[ODL_NETWORK_WORDS];
  char model[ODL_NETWORK_WORDS];
  char body_part[ODL_NETWORK_CODE];
  char patient[ODL_NETWORK_WORDS]; // number
  char birth[ODL_NETWORK_CODE];
  char sets[ODL_NETWORK_REASON]; // character sets
  char name[ODL_NETWORK_NAME]; // of the patient; of LOOKED in UTF-8
  char number[ODL_NETWORK_NAME]; // of LOOKED: `patient` in UTF-8; else empty
} OdlNetworkFacts;

// What a peer says of what it was to send (PS3.7 9.1.3.1).
typedef struct {
  uint32_t remaining;
  uint32_t completed;
  uint32_t failed;
  uint32_t warnings;
} OdlNetworkCounts;

typedef struct {
  uint32_t magic;
  uint32_t version;
  uint32_t kind; // OdlNetworkTold
  uint32_t end; // OdlNetworkEnd; of ENDED
  uint32_t status; // of STORED: what the helper proposes; else what the peer answered
  uint32_t code; // errno of a file that cannot be written or read; 0: none
  uint32_t n_contexts; // of CALLED: proposed; of CONNECTED: bytes that follow, one for
                       // each context: 0, 1: it was taken
  uint32_t n_bytes; // of ANSWERED, that follow: see network/ask.c; 0: the last one, or
                    // one that is damaged (`code`)
  uint64_t bytes; // of the file
  char calling[ODL_NETWORK_TITLE];
  char called[ODL_NETWORK_TITLE];
  char syntax[ODL_NETWORK_UID];
  OdlNetworkFacts facts;
  OdlNetworkCounts counts; // of COUNTED
  char reason[ODL_NETWORK_REASON]; // in English, of libraries and peers; may be empty
} OdlNetworkReport;

typedef enum {
  ODL_NETWORK_VERDICT,
  ODL_NETWORK_STATUS,
  ODL_NETWORK_LOOK_AT,
  ODL_NETWORK_CONNECT,
  ODL_NETWORK_SEND_FILE,
  ODL_NETWORK_RELEASE,
  ODL_NETWORK_FIND,
  ODL_NETWORK_GET,
  ODL_NETWORK_MOVE,
  ODL_NETWORK_N_ORDERS,
} OdlNetworkOrderKind;

// Reasons of a verdict (PS3.8 table 9-21).
typedef enum {
  ODL_NETWORK_ACCEPT,
  ODL_NETWORK_UNKNOWN_CALLER,
  ODL_NETWORK_NOT_THIS_TITLE,
} OdlNetworkVerdict;

typedef struct {
  uint32_t magic;
  uint32_t version;
  uint32_t kind; // OdlNetworkOrderKind
  uint32_t value; // OdlNetworkVerdict, a status, or the context to send or ask in
  uint32_t port; // of CONNECT, as the next ones
  uint32_t n_contexts; // OdlNetworkContext that follow
  uint32_t n_bytes; // that follow a FIND, GET or MOVE
  char address[64]; // in numbers
  char
      host[ODL_NETWORK_HOST]; // that the certificate of the peer has to be of; empty: any
  char calling[ODL_NETWORK_TITLE];
  char called[ODL_NETWORK_TITLE];
  char destination[ODL_NETWORK_TITLE]; // of a MOVE
  char comment[ODL_NETWORK_WORDS]; // of a STATUS; ASCII, may be empty
} OdlNetworkOrder;

// One transfer syntax each, so that the peer chooses none for us.
typedef struct {
  char sop_class[ODL_NETWORK_UID];
  char syntax[ODL_NETWORK_UID];
  uint8_t we_receive; // in it the peer is the one who stores
} OdlNetworkContext;
