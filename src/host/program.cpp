#include "host/program.h"

#include <charconv>
#include <cstdio>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "asset/read_number.h"

namespace host {
namespace {

constexpr uint32_t kMaxSize = 8192, kMaxFrames = 1'000'000, kMaxSeconds = 3600;

/// A command line that is not right.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

bool takes_file(const Program& program) { return *program.file_help != '\0'; }

void print_help(const Program& program) {
  std::printf("%s: %s\n\nusage: %s [OPTIONS]%s\n\n", program.name, program.summary, program.name,
              takes_file(program) ? " [FILE]" : "");
  if (takes_file(program)) std::printf("  FILE              %s\n", program.file_help);
  std::printf("  --headless PNG    open no window; draw %u frames and write the last one\n", program.headless_frames);
  std::printf("  --frames N        end after N frames\n");
  std::printf("  --seconds T       begin at this time; a picture is then the first frame\n");
  std::printf("  --size WxH        size of the picture in pixels, default 1280x720\n");
  for (const NumberOption& number : program.numbers) {
    if (number.name)
      std::printf("  %-17s %s, default %u\n", (number.name + std::string(" N")).c_str(), number.help, number.value);
  }
  std::printf("  --validate        use Vulkan's validation layer; any message of it makes the exit code 1\n");
  std::printf("  --help            print this text\n\n");
  std::printf("In the window: drag to turn the camera, scroll to move closer, Escape to end.\n");
}

std::optional<uint32_t> number_in(std::string_view text, uint32_t max) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 1 || value > max) return {};
  return value;
}

uint32_t parse_number(const std::string& option, std::string_view text, uint32_t max) {
  const auto value = number_in(text, max);
  if (!value) throw UsageError(option + " needs a number from 1 to " + std::to_string(max));
  return *value;
}

void parse_size(std::string_view text, Options& options) {
  const size_t x = text.find('x');
  const auto width = number_in(text.substr(0, x), kMaxSize);
  const auto height = x == text.npos ? std::nullopt : number_in(text.substr(x + 1), kMaxSize);
  if (!width || !height) throw UsageError("--size needs width x height such as 1280x720, each at most 8192");
  options.width = *width, options.height = *height;
}

double parse_seconds(std::string_view text) {
  double value = 0;
  const auto [end, error] = sinew::read_number(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= 0 && value <= kMaxSeconds))
    throw UsageError("--seconds needs a number from 0 to " + std::to_string(kMaxSeconds));
  return value;
}

/// Whether `word` is an option of the program with a number: reads it.
bool read_number(const Program& program, const std::string& word, const std::function<std::string()>& value,
                 Options& options) {
  for (size_t i = 0; i < kMaxNumbers; ++i) {
    const NumberOption& number = program.numbers[i];
    if (!number.name || word != number.name) continue;
    options.numbers[i] = parse_number(word, value(), number.max);
    return true;
  }
  return false;
}

/// Nothing: --help was given.
std::optional<Options> parse(const Program& program, int argc, char** argv) {
  Options options;
  options.file = program.file;
  for (size_t i = 0; i < kMaxNumbers; ++i) options.numbers[i] = program.numbers[i].value;
  bool has_file = false, has_seconds = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (++i >= argc) throw UsageError(word + " needs a value");
      return argv[i];
    };
    if (word == "--help" || word == "-h") return {};
    if (word == "--validate") {
      options.validate = true;
    } else if (word == "--headless") {
      options.picture = value();
      if (options.picture.empty()) throw UsageError("--headless needs the name of a PNG file");
    } else if (word == "--frames") {
      options.frames = parse_number(word, value(), kMaxFrames);
    } else if (word == "--seconds") {
      options.seconds = parse_seconds(value()), has_seconds = true;
    } else if (word == "--size") {
      parse_size(value(), options);
    } else if (read_number(program, word, value, options)) {
      continue;
    } else if (word.starts_with("-")) {
      throw UsageError("unknown option '" + word + "'");
    } else if (!takes_file(program)) {
      throw UsageError("it takes no FILE: '" + word + "'");
    } else if (has_file) {
      throw UsageError("one FILE is enough: '" + word + "'");
    } else {
      options.file = word, has_file = true;
    }
  }
  if (!options.picture.empty() && !has_seconds) options.seconds = program.headless_seconds;
  if (!options.picture.empty() && options.frames == 0) options.frames = has_seconds ? 1 : program.headless_frames;
  return options;
}

}  // namespace

int run_program(const Program& program, int argc, char** argv) try {
  const auto options = parse(program, argc, argv);
  if (!options) {
    print_help(program);
    return 0;
  }
  program.run(*options);
  return validation_messages() == 0 ? 0 : 1;
} catch (const UsageError& error) {
  std::fprintf(stderr, "%s: %s (see --help)\n", program.name, error.what());
  return 2;
} catch (const Missing& missing) {
  std::fprintf(stderr, "%s: SKIPPED: %s\n", program.name, missing.what());
  return 77;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s: %s\n", program.name, error.what());
  return 1;
}

Status set_up(const Options& options, const char* title, GraphicsContext& graphics, bool ray_queries) {
  GraphicsOptions wanted;
  wanted.validate = options.validate;
  wanted.ray_queries = ray_queries;
  wanted.width = options.width, wanted.height = options.height;
  if (options.picture.empty()) wanted.title = title;
  Status done = set_up(wanted, graphics);
  if (!done && !wanted.title.empty() && !graphics.window)
    return Error{done.error().code, done.error().message + "; --headless PNG needs no window"};
  return done;
}

}  // namespace host
