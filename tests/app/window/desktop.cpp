#include "window/desktop.h"

#include <cstdio>
#include <stdexcept>

namespace sinew::test {
namespace {

constexpr int kPatience = 90;  // seconds, for a machine that does other things too

bool exists(const std::string& program) { return run({"which", program}).exit_code == 0; }

}  // namespace

Picture cut(const Picture& picture, const Area& area) {
  Picture part{area.right - area.left, area.bottom - area.top, {}};
  for (int y = area.top; y < area.bottom; ++y) {
    const auto row = picture.rgba.begin() + (size_t(y) * size_t(picture.width) + size_t(area.left)) * 4;
    part.rgba.insert(part.rgba.end(), row, row + size_t(part.width) * 4);
  }
  return part;
}

void Desktop::SetUp() {
  SINEW_SKIP_WITHOUT_DEVICE();
  // The X server chooses a free display and writes its number to standard output.
  screen_ = std::make_unique<Background>(
      std::vector<std::string>{"Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"},
      Environment{}, folder_.path("display"), folder_.path("xvfb.err"));
  if (!eventually(10, [&] { return read(folder_.path("display")).ends_with("\n"); })) {
    GTEST_SKIP() << "NO XVFB: the window was not tested here";
  }
  const std::string number = read(folder_.path("display"));
  display_["DISPLAY"].append(":").append(number, 0, number.find('\n'));
  display_["WAYLAND_DISPLAY"] = "";
}

void UsedDesktop::SetUp() {
  if (!exists("xdotool") || !exists("xwd")) GTEST_SKIP() << "NO XDOTOOL OR XWD: the window was not used here";
  Desktop::SetUp();
}

void Desktop::open(std::vector<std::string> arguments) {
  Environment environment = display_;
  environment["SINEW_CONTROLS"] = folder_.path("controls");
  arguments.insert(arguments.begin(), opened_program_);
  program_ = std::make_unique<Background>(arguments, environment, folder_.path("sinew.out"), folder_.path("sinew.err"));
  const auto loaded = [&] {
    const std::string controls = read(folder_.path("controls"));
    return !controls.empty() && controls.find(" loading\n") == std::string::npos;
  };
  const bool is_loaded = eventually(kPatience, [&] { return loaded() || !program_->running(); });
  if (!is_loaded || !program_->running()) throw std::runtime_error("not loaded: " + read(folder_.path("sinew.err")));
  if (!eventually(kPatience, [&] { return color_count(screen()) > 100; }))
    throw std::runtime_error("nothing is on the screen");
}

Picture Desktop::screen() {
  const Outcome taken = run({"xwd", "-root", "-silent", "-out", folder_.path("screen.xwd")}, display_);
  return taken.exit_code == 0 ? read_xwd(folder_.path("screen.xwd")) : Picture{};
}

Picture Desktop::still_screen() {
  Picture before = screen();
  eventually(10, [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    Picture now = screen();
    const bool same = now.rgba == before.rgba;
    before = std::move(now);
    return same;
  });
  return before;
}

void Desktop::xdotool(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "xdotool");
  const Outcome done = run(arguments, display_);
  EXPECT_EQ(done.exit_code, 0) << done.err;
}

void Desktop::press(const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    xdotool({"key", key});
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
  }
}

bool Desktop::has_control(const std::string& name) {
  return (read(folder_.path("controls"))).find(" " + name + "\n") != std::string::npos;
}

Area Desktop::control(const std::string& name) {
  std::map<std::string, Area> all;
  const bool there = eventually(kPatience, [&] {
    all = controls_in(folder_.path("controls"));
    return all.contains(name) || !program_->running();
  });
  EXPECT_TRUE(there && program_->running()) << "no control " << name << " in\n"
                                            << read(folder_.path("controls")) << read(folder_.path("sinew.err"));
  return all[name];
}

unsigned Desktop::frame_number() {
  unsigned number = 0;
  std::sscanf(read(folder_.path("controls")).c_str(), "frame %u", &number);
  return number;
}

void Desktop::wait_for_mouse() {
  const unsigned first = frame_number();
  eventually(kPatience, [&] { return frame_number() >= first + 2 || !program_->running(); });
}

void Desktop::click(const std::string& name, double share) {
  const Area area = control(name);
  const int x = area.left + int(share * (area.right - area.left));
  xdotool({"mousemove", std::to_string(x), std::to_string((area.top + area.bottom) / 2)});
  wait_for_mouse();
  xdotool({"mousedown", "1"});
  wait_for_mouse();
  xdotool({"mouseup", "1"});
  wait_for_mouse();
}

void Desktop::drag(const std::string& name, double from_share, double to_share) {
  const Area area = control(name);
  const auto at = [&](double share) { return area.left + int(share * (area.right - area.left)); };
  drag(at(from_share), (area.top + area.bottom) / 2, at(to_share) - at(from_share), 0);
}

void Desktop::drag(int x, int y, int dx, int dy, int button) {
  const auto move = [&](int to_x, int to_y) { xdotool({"mousemove", std::to_string(to_x), std::to_string(to_y)}); };
  const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(250)); };
  move(x, y), pause();
  xdotool({"mousedown", std::to_string(button)}), pause();
  move(x + dx / 2, y + dy / 2), pause();
  move(x + dx, y + dy), pause();
  xdotool({"mouseup", std::to_string(button)}), pause();
}

void Desktop::close() {
  press({"ctrl+q"});
  EXPECT_TRUE(eventually(kPatience, [&] { return !program_->running(); })) << "Ctrl+Q does not close the window";
  EXPECT_EQ(program_->exit_code(), 0);
  EXPECT_EQ(without_warnings(read(folder_.path("sinew.err"))), "");
}

void Desktop::close_without_messages() {
  close();
  EXPECT_NE(read(folder_.path("sinew.out")).find("0 validation messages"), std::string::npos);
}

}  // namespace sinew::test
