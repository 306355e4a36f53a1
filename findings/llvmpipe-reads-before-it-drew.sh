#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Mesa's software renderer llvmpipe gives draw calls to threads of its own, pass by pass (a new pass begins with
# another framebuffer), and glReadPixels waits for them where it must.
# One would guess: what glReadPixels returns of a texture holds all that was drawn into it before the call, as
# OpenGL promises for one context; glFinish before it changes nothing.
# What happens (Mesa 22.3.6, Debian 12): where a pass that is still pending only samples the texture, a later
# pending pass draws into it, and another framebuffer was bound for drawing since, glReadPixels returns what the
# texture held before, without an error. It looks at the pending passes from the first one on, and the first that
# uses the texture, which only reads it, decides that nothing is to be waited for. Without the pass that samples
# it, with glFinish, or with LP_NUM_THREADS=0 (no threads) the new value is read. It is a matter of time: quick
# passes are done before anybody looks, so that it shows on busy machines, and in programs that compile shaders
# between the passes.
# Whoever reads back on a machine without a graphics card calls glFinish first.
# Source: seen here by what it does; the order of the checks is that of lp_setup_is_resource_referenced in Mesa's
# src/gallium/drivers/llvmpipe/lp_setup.c.
#
# Needs apt-get, dpkg and python3; Mesa is fetched and run from a temporary folder.
set -euo pipefail

MESA=22.3.6-1+deb12u2

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for package in libegl-mesa0="$MESA" libgl1-mesa-dri="$MESA" libgbm1="$MESA" libglapi-mesa="$MESA" libegl1=1.6.0-1 \
  libglvnd0=1.6.0-1 libgles2=1.6.0-1 libllvm15=1:15.0.6-4+b1 libdrm2 libdrm-amdgpu1 libdrm-radeon1 libdrm-nouveau2 \
  libdrm-intel1 libpciaccess0 libelf1 libsensors5 libz3-4 libedit2 libbsd0 libmd0 libxml2 libicu72 libexpat1 libx11-xcb1 \
  libx11-6 libxcb1 libxau6 libxdmcp6 libxcb-dri2-0 libxcb-dri3-0 libxcb-present0 libxcb-randr0 libxcb-shm0 libxcb-sync1 \
  libxcb-xfixes0 libxshmfence1 libwayland-client0 libwayland-server0 libffi8 libzstd1; do
  apt-get -qq -o APT::Sandbox::User="$(id -un)" download "$package"
done
for file in *.deb; do
  dpkg -x "$file" unpacked
done
libraries=$(echo "$folder"/unpacked/usr/lib/*-linux-gnu)
others=$(echo "$folder"/unpacked/lib/*-linux-gnu)
export LD_LIBRARY_PATH=$libraries:$others LIBGL_DRIVERS_PATH=$libraries/dri
export __EGL_VENDOR_LIBRARY_FILENAMES=$folder/unpacked/usr/share/glvnd/egl_vendor.d/50_mesa.json
export EGL_PLATFORM=surfaceless LIBGL_ALWAYS_SOFTWARE=1 MESA_SHADER_CACHE_DISABLE=1

cat >reads.py <<'PYTHON'
import ctypes
import sys

egl, gl = ctypes.CDLL("libEGL.so.1"), ctypes.CDLL("libGLESv2.so.2")
egl.eglGetDisplay.restype = egl.eglCreateContext.restype = ctypes.c_void_p
gl.glGetString.restype = ctypes.c_char_p
display = ctypes.c_void_p(egl.eglGetDisplay(None))
assert egl.eglInitialize(display, None, None) and egl.eglBindAPI(0x30A0)  # OpenGL ES
config, n = ctypes.c_void_p(), ctypes.c_int()
assert egl.eglChooseConfig(display, (ctypes.c_int * 5)(0x3033, 0, 0x3040, 0x40, 0x3038), ctypes.byref(config), 1,
                           ctypes.byref(n))
context = ctypes.c_void_p(egl.eglCreateContext(display, config, None, (ctypes.c_int * 3)(0x3098, 3, 0x3038)))
assert egl.eglMakeCurrent(display, None, None, context)
SIDE, FRAMEBUFFER, READ, DRAW, ATTACHMENT, TEXTURE_2D, RGBA, BYTE = 512, 0x8D40, 0x8CA8, 0x8CA9, 0x8CE0, 0xDE1, 0x1908, 0x1401


def program(fragment):
    made = gl.glCreateProgram()
    for kind, text in ((0x8B31, "void main () { vec2 at = vec2 (gl_VertexID & 1, gl_VertexID >> 1);"
                                " gl_Position = vec4 (4.0 * at - 1.0, 0, 1); }"),
                       (0x8B30, "precision highp float; uniform highp sampler2D source; uniform float level; out vec4 colour;"
                                " void main () { " + fragment + " }")):
        shader = gl.glCreateShader(kind)
        gl.glShaderSource(shader, 1, (ctypes.c_char_p * 1)(b"#version 300 es\n" + text.encode()), None)
        gl.glCompileShader(shader)
        gl.glAttachShader(made, shader)
    gl.glLinkProgram(made)
    good = ctypes.c_int()
    gl.glGetProgramiv(made, 0x8B82, ctypes.byref(good))
    assert good.value, fragment
    return made


def target():
    texture, framebuffer = ctypes.c_uint(), ctypes.c_uint()
    gl.glGenTextures(1, ctypes.byref(texture))
    gl.glBindTexture(TEXTURE_2D, texture)
    gl.glTexStorage2D(TEXTURE_2D, 1, 0x8058, SIDE, SIDE)
    gl.glTexParameteri(TEXTURE_2D, 0x2801, 0x2600)
    gl.glGenFramebuffers(1, ctypes.byref(framebuffer))
    gl.glBindFramebuffer(FRAMEBUFFER, framebuffer)
    gl.glFramebufferTexture2D(FRAMEBUFFER, ATTACHMENT, TEXTURE_2D, texture, 0)
    return texture, framebuffer


def draw(made, into, source, level=0.0):
    gl.glBindFramebuffer(DRAW, into[1])
    gl.glUseProgram(made)
    gl.glUniform1f(gl.glGetUniformLocation(made, b"level"), ctypes.c_float(level))
    gl.glBindTexture(TEXTURE_2D, source[0])
    gl.glDrawArrays(4, 0, 3)


plain = program("colour = vec4 (level);")
# Some tenths of a second of work.
slow = program("vec4 sum = vec4 (0); for (int i = 0; i < 600; i++)"
               " sum += texelFetch (source, (ivec2 (gl_FragCoord) + i) & 511, 0); colour = sum / 600.0;")
gl.glViewport(0, 0, SIDE, SIDE)
textures = [target() for _ in range(3)]
first, second, other = textures


def read(samples_it, finishes):
    draw(plain, first, other, 0.25)
    draw(plain, second, other, 0.0)
    draw(slow, other, second)  # warms up
    gl.glFinish()
    draw(slow, second, first if samples_it else other)  # a pass that samples the texture …
    draw(plain, first, other, 0.75)  # … one that draws into it …
    gl.glBindFramebuffer(FRAMEBUFFER, other[1])  # … and another framebuffer
    if finishes:
        gl.glFinish()
    gl.glBindFramebuffer(READ, first[1])
    texels = (ctypes.c_ubyte * (4 * SIDE * SIDE))()
    gl.glReadPixels(0, 0, SIDE, SIDE, RGBA, BYTE, texels)
    assert gl.glGetError() == 0
    gl.glFinish()
    return f"{texels[0] / 255:.2f}"


print(gl.glGetString(0x1F01).decode(), gl.glGetString(0x1F02).decode(), sep=", ")
got = [read(True, False), read(True, True), read(False, False)]
print("0.25 was there, 0.75 was drawn; glReadPixels gives " + got[0], "with glFinish " + got[1],
      "where no pass samples it " + got[2], sep="; ")
sys.exit(got != sys.argv[1:])
PYTHON

failed=0
echo "one thread that draws"
LP_NUM_THREADS=1 python3 reads.py 0.25 0.75 0.75 || failed=1
echo "none"
LP_NUM_THREADS=0 python3 reads.py 0.75 0.75 0.75 || failed=1
if [ "$failed" != 0 ]; then
  echo "the behaviour has changed"
  exit 1
fi
