#include "window/drop.h"

#if SINEW_HAS_X11
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#endif

namespace sinew::test {

#if SINEW_HAS_X11

namespace {

constexpr long kProtocol = 5;
constexpr int kMaxWaits = 2000;  // times 10 ms

struct Source {
  Display* display;
  Window window, target = 0;

  Atom atom(const char* name) const { return XInternAtom(display, name, 0); }

  void send(const char* type, long flags, long a, long time, long action) const {
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = target;
    event.xclient.message_type = atom(type);
    event.xclient.format = 32;
    const long data[] = {long(window), flags, a, time, action};
    for (int i = 0; i < 5; ++i) event.xclient.data.l[i] = data[i];
    XSendEvent(display, target, 0, NoEventMask, &event);
    XFlush(display);
  }
};

std::string uri_list(const std::vector<std::string>& paths) {
  std::string list;
  for (const std::string& path : paths) {
    list += "file://";
    for (const char letter : path) {
      char code[4];
      std::snprintf(code, sizeof code, "%%%02X", unsigned(static_cast<unsigned char>(letter)));
      list += std::isalnum(static_cast<unsigned char>(letter)) || letter == '/' ? std::string(1, letter) : code;
    }
    list += "\r\n";
  }
  return list;
}

/// Gives the target the list of files.
void answer(const Source& source, const XSelectionRequestEvent& request, const std::string& list) {
  XChangeProperty(source.display, request.requestor, request.property, request.target, 8, PropModeReplace,
                  reinterpret_cast<const unsigned char*>(list.data()), int(list.size()));
  XEvent event{};
  event.xselection = {
      SelectionNotify,  0,           1, source.display, request.requestor, request.selection, request.target,
      request.property, request.time};
  XSendEvent(source.display, request.requestor, 0, NoEventMask, &event);
  XFlush(source.display);
}

/// Answers requests until a message of this type comes.
bool wait_for(const Source& source, const char* type, const std::string& list) {
  for (int i = 0; i < kMaxWaits; ++i) {
    while (XPending(source.display) > 0) {
      XEvent event;
      XNextEvent(source.display, &event);
      if (event.type == SelectionRequest) answer(source, event.xselectionrequest, list);
      if (event.type == ClientMessage && event.xclient.message_type == source.atom(type)) return true;
    }
    usleep(10'000);
  }
  return false;
}

Window find_target(const Source& source) {
  Window root, parent, *children = nullptr, found = 0;
  unsigned count = 0;
  XQueryTree(source.display, DefaultRootWindow(source.display), &root, &parent, &children, &count);
  for (unsigned i = 0; i < count && found == 0; ++i) {
    Atom type = 0;
    int format = 0;
    unsigned long items = 0, left = 0;
    unsigned char* data = nullptr;
    XGetWindowProperty(source.display, children[i], source.atom("XdndAware"), 0, 1, 0, AnyPropertyType, &type, &format,
                       &items, &left, &data);
    if (items > 0) found = children[i];
    if (data) XFree(data);
  }
  if (children) XFree(children);
  return found;
}

bool drop(Source& source, const std::string& list) {
  source.target = find_target(source);
  if (source.target == 0) return false;
  XSetSelectionOwner(source.display, source.atom("XdndSelection"), source.window, CurrentTime);
  source.send("XdndEnter", kProtocol << 24, long(source.atom("text/uri-list")), 0, 0);
  source.send("XdndPosition", 0, 100 << 16 | 100, CurrentTime, long(source.atom("XdndActionCopy")));
  if (!wait_for(source, "XdndStatus", list)) return false;
  source.send("XdndDrop", 0, CurrentTime, 0, 0);
  return wait_for(source, "XdndFinished", list);
}

}  // namespace

bool can_drop() { return true; }

bool drop_files(const std::string& display, const std::vector<std::string>& paths) {
  Source source{XOpenDisplay(display.c_str()), 0};
  if (!source.display) return false;
  source.window = XCreateSimpleWindow(source.display, DefaultRootWindow(source.display), 0, 0, 1, 1, 0, 0, 0);
  const bool dropped = drop(source, uri_list(paths));
  XCloseDisplay(source.display);
  return dropped;
}

#else

bool can_drop() { return false; }
bool drop_files(const std::string&, const std::vector<std::string>&) { return false; }

#endif

}  // namespace sinew::test
