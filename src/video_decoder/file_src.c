// SPDX-License-Identifier: MIT
#include "video_decoder/file_src.h"

#include <errno.h>
#include <gst/base/gstbasesrc.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  GstBaseSrc base;
  int fd;
} OdlFileSrc;

typedef GstBaseSrcClass OdlFileSrcClass;

GType odl_file_src_get_type (void);
G_DEFINE_TYPE (OdlFileSrc, odl_file_src, GST_TYPE_BASE_SRC)

static gboolean
get_size (GstBaseSrc *base, guint64 *size)
{
  const OdlFileSrc *self = (OdlFileSrc *) base;
  struct stat status;

  if (fstat (self->fd, &status) != 0)
    return FALSE;
  *size = (guint64) status.st_size;
  return TRUE;
}

static gboolean
is_seekable (GstBaseSrc *base)
{
  return TRUE;
}

// The file may shrink while it is read.
static GstFlowReturn
fill (GstBaseSrc *base, guint64 offset, guint length, GstBuffer *buffer)
{
  const OdlFileSrc *self = (OdlFileSrc *) base;
  GstMapInfo map;
  size_t done = 0;
  ssize_t n = 1;

  if (!gst_buffer_map (buffer, &map, GST_MAP_WRITE))
    return GST_FLOW_ERROR;
  while (done < length && (n > 0 || (n < 0 && errno == EINTR))) {
    n = pread (self->fd, map.data + done, length - done, (off_t) (offset + done));
    done += n > 0 ? (size_t) n : 0;
  }
  gst_buffer_unmap (buffer, &map);
  if (done == 0 && length > 0)
    return GST_FLOW_EOS;
  gst_buffer_resize (buffer, 0, (gssize) done);
  GST_BUFFER_OFFSET (buffer) = offset;
  GST_BUFFER_OFFSET_END (buffer) = offset + done;
  return GST_FLOW_OK;
}

static void
odl_file_src_class_init (OdlFileSrcClass *klass)
{
  static GstStaticPadTemplate source
      = GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

  gst_element_class_add_static_pad_template (GST_ELEMENT_CLASS (klass), &source);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "File", "Source/File",
                                         "Reads an open file", "Ondelette");
  klass->get_size = get_size;
  klass->is_seekable = is_seekable;
  klass->fill = fill;
}

static void
odl_file_src_init (OdlFileSrc *self)
{
  self->fd = -1;
}

GstElement *
odl_file_src_new (int fd)
{
  OdlFileSrc *self = g_object_new (odl_file_src_get_type (), NULL);

  self->fd = fd;
  return GST_ELEMENT (self);
}
