// SPDX-License-Identifier: MIT
// Loaded before the libraries of a program (LD_PRELOAD): whoever would listen at all
// addresses of the machine listens at the loopback's alone. DCMTK's and Orthanc's nodes
// have no setting for that, and nobody outside is to reach what tests start.
#include <dlfcn.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

typedef int (*Bind) (int fd, const struct sockaddr *address, socklen_t size);

int
bind (int fd, const struct sockaddr *address, socklen_t size)
{
  // The one behind this.
  const Bind real = (Bind) dlsym (RTLD_NEXT, "bind");
  struct sockaddr_storage here = { 0 };

  if (address == NULL || size > sizeof here)
    return real (fd, address, size);
  memcpy (&here, address, size);
  if (here.ss_family == AF_INET && size >= sizeof (struct sockaddr_in)) {
    struct sockaddr_in *four = (struct sockaddr_in *) &here;
    if (four->sin_addr.s_addr == htonl (INADDR_ANY))
      four->sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  } else if (here.ss_family == AF_INET6 && size >= sizeof (struct sockaddr_in6)) {
    struct sockaddr_in6 *six = (struct sockaddr_in6 *) &here;
    if (IN6_IS_ADDR_UNSPECIFIED (&six->sin6_addr))
      six->sin6_addr = in6addr_loopback;
  }
  return real (fd, (const struct sockaddr *) &here, size);
}
