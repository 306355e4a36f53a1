#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""usage: fake_portal.py ANSWER

A camera portal on the session bus, for tests: org.freedesktop.portal.Camera as
xdg-desktop-portal has it, with a real connection to PipeWire. ANSWER is one of

  grant   yes, and a connection
  late    the same, after four seconds
  refuse  the person says no
  forbid  the call itself is refused, as when the settings say no
  silent  nobody answers
  none    there is no camera

Prints "ready" once it has its name, "asked" for a question that nobody answers, "closed" when
one is taken back.
"""
import os
import socket
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

CAMERA = "org.freedesktop.portal.Camera"
ERROR_NOT_ALLOWED = "org.freedesktop.portal.Error.NotAllowed"


class Request(dbus.service.Object):
    @dbus.service.signal("org.freedesktop.portal.Request", signature="ua{sv}")
    def Response(self, response, results):
        pass

    @dbus.service.method("org.freedesktop.portal.Request")
    def Close(self):
        print("closed", flush=True)
        self.remove_from_connection()


class Portal(dbus.service.Object):
    def __init__(self, bus, answer):
        super().__init__(bus, "/org/freedesktop/portal/desktop")
        self.bus = bus
        self.answer = answer
        self.granted = set()

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        assert (interface, name) == (CAMERA, "IsCameraPresent")
        return dbus.Boolean(self.answer != "none", variant_level=1)

    @dbus.service.method(CAMERA, in_signature="a{sv}", out_signature="o", sender_keyword="sender")
    def AccessCamera(self, options, sender):
        if self.answer == "forbid":
            raise dbus.DBusException("the settings say no", name=ERROR_NOT_ALLOWED)
        path = "/org/freedesktop/portal/desktop/request/%s/%s" % (
            sender[1:].replace(".", "_"), options["handle_token"])
        request = Request(self.bus, path)
        response = {"grant": 0, "late": 0, "refuse": 1}.get(self.answer)
        if response is None:
            GLib.idle_add(self.say_asked)
        else:
            GLib.timeout_add(4000 if self.answer == "late" else 200, self.respond, request, sender, response)
        return path

    def say_asked(self):
        self.bus.flush()  # the answer of AccessCamera comes first
        print("asked", flush=True)
        return GLib.SOURCE_REMOVE

    def respond(self, request, sender, response):
        if response == 0:
            self.granted.add(sender)
        request.Response(dbus.UInt32(response), dbus.Dictionary({}, signature="sv"))
        request.remove_from_connection()
        return GLib.SOURCE_REMOVE

    @dbus.service.method(CAMERA, in_signature="a{sv}", out_signature="h", sender_keyword="sender")
    def OpenPipeWireRemote(self, options, sender):
        if sender not in self.granted:
            raise dbus.DBusException("ask first", name=ERROR_NOT_ALLOWED)
        remote = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        remote.connect(os.path.join(os.environ["XDG_RUNTIME_DIR"], "pipewire-0"))
        return dbus.types.UnixFd(remote)


def main():
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    name = dbus.service.BusName("org.freedesktop.portal.Desktop", bus)
    portal = Portal(bus, sys.argv[1])
    print("ready", flush=True)
    GLib.MainLoop().run()
    del name, portal


main()
