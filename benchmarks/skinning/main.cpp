// sinew_bench_skinning: the skinning speed of the device, compared with its copy speed and a plain kernel. See
// benchmarks/README.md.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "asset/file.h"
#include "frame_work.h"
#include "gpu/host.h"
#include "outfit.h"
#include "report.h"
#include "sinew/animation/pose.h"
#include "warm_up.h"

namespace sinew::bench {
namespace {

struct Options {
  std::vector<uint32_t> characters = {1000, 10000};
  std::vector<std::string> variants;  // empty: all
  uint32_t frames = 7;
  std::string device, model, json;
  bool bounds = false, validate = false;
};

void add_options(CLI::App& app, Options& options) {
  std::vector<std::string> names;
  for (const Variant& variant : make_variants(true)) names.push_back(variant.name);
  app.add_option("--characters", options.characters, "Sizes of the crowd, as 1000,10000")
      ->delimiter(',')
      ->check(CLI::Range(1u, 1'000'000u));
  app.add_option("--variants", options.variants, "These alone, and the reference; by default all")
      ->delimiter(';')
      ->check(CLI::IsMember(names).description(""));
  app.add_option("--frames", options.frames, "Measured for each variant, in turn")->check(CLI::Range(1u, 10'000u));
  app.add_option("--device", options.device, "Index, UUID or part of the name");
  app.add_option("--model", options.model, "Character file; by default the built-in one");
  app.add_option("--json", options.json, "Write what was found here, after each size of the crowd");
  app.add_flag("--bounds", options.bounds,
               "Also measure stores, gathers and arithmetic alone, and what share is reached");
  app.add_flag("--validate", options.validate, "Validation layers; times mean nothing then");
}

struct Machine {
  app::Instance instance;
  app::Device device;
};

Result<Machine> open_machine(const Options& options) {
  auto instance = app::create_instance({.validate = options.validate, .window_extensions = {}});
  if (!instance) return instance.error();
  const auto devices = app::list_devices(*instance);
  if (!devices) return devices.error();
  const auto info = app::choose_device(*devices, options.device);
  if (!info) return info.error();
  auto device = app::create_device(*instance, *info);
  if (!device) return device.error();
  return Machine{std::move(*instance), std::move(*device)};
}

/// True if the device has memory for palettes that is both device-local and visible to the host.
bool palettes_in_device_memory(const VkPhysicalDeviceMemoryProperties& memory) {
  constexpr VkMemoryPropertyFlags kWanted =
      VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  return std::any_of(memory.memoryTypes, memory.memoryTypes + memory.memoryTypeCount,
                     [](const VkMemoryType& type) { return (type.propertyFlags & kWanted) == kWanted; });
}

bool is_wanted(const Options& options, const Variant& variant, const app::Model& model) {
  const Character& character = model.character;
  if (variant.morph_targets && character.mesh.targets.empty()) return false;
  const PaletteScaling scaling = palette_scaling(character.skeleton, character.skin, character.clips);
  if (variant.palettes != vulkan::PaletteFormat::kMatrices && scaling == PaletteScaling::kAny) return false;
  return options.variants.empty() || variant.reference ||
         std::find(options.variants.begin(), options.variants.end(), variant.name) != options.variants.end();
}

Row make_row(const Subject& subject, const Check& check, uint32_t characters, std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  Row row;
  row.variant = subject.variant().name;
  row.format = uint32_t(subject.variant().format);
  row.vertex_bytes = subject.variant().vertex_bytes();
  row.characters = characters;
  row.vertices = subject.vertices();
  row.bytes = subject.bytes();
  row.median_seconds = seconds[seconds.size() / 2];
  row.p10_seconds = seconds[seconds.size() / 10];
  row.check = check;
  return row;
}

Error error_of(const Subject& subject, const Check& check) {
  char text[256];
  std::snprintf(text, sizeof text,
                "%s, format %u: positions off by %.2e of the diagonal (%.1e allowed), normals by %.4f degrees (%.2f), "
                "tangents by %.4f (%.2f)",
                subject.variant().name.c_str(), uint32_t(subject.variant().format), check.position_error,
                check.position_bound, check.normal_degrees, check.normal_bound, check.tangent_degrees,
                check.normal_bound);
  return {ErrorCode::kInvalidData, text};
}

/// Measures all variants. They run in turn, one frame each, so that a disturbance affects all of them.
Status measure(const Machine& machine, const Options& options, const app::Model& model, uint32_t characters,
               Report& report) {
  const auto workload = make_workload(model, characters);
  if (!workload) return workload.error();
  OutputPages pages;
  // The widest format first: then the pages are large enough for all variants, and are never replaced.
  std::vector<Variant> variants = make_variants(options.bounds);
  std::stable_sort(variants.begin(), variants.end(),
                   [](const Variant& a, const Variant& b) { return a.vertex_bytes() > b.vertex_bytes(); });
  std::vector<std::unique_ptr<Subject>> subjects;
  std::vector<Check> checks;
  for (const Variant& variant : variants) {
    if (!is_wanted(options, variant, model)) continue;
    auto subject = Subject::create(machine.device, *workload, variant, pages);
    if (!subject) return subject.error();
    const auto checked =
        variant.is_bound() ? Result<Check>(Check{}) : check(machine.device, *workload, **subject, pages);
    if (!checked) return checked.error();
    if (!checked->passed()) return error_of(**subject, *checked);
    checks.push_back(*checked);
    subjects.push_back(std::move(*subject));
  }
  Status warm = warm_up(machine.device, [&]() -> Status {
    for (const std::unique_ptr<Subject>& subject : subjects) {
      if (const auto run = subject->run(); !run) return run.error();
    }
    return {};
  });
  if (!warm) return warm;
  std::vector<std::vector<double>> seconds(subjects.size());
  std::vector<double> conversion_seconds;
  for (uint32_t frame = 0; frame < options.frames; ++frame) {
    for (size_t s = 0; s < subjects.size(); ++s) {
      const auto run = subjects[s]->run();
      if (!run) return run.error();
      seconds[s].push_back(*run);
      if (subjects[s]->variant().name != "chosen, dual quaternions") continue;
      const auto converted = subjects[s]->conversion_seconds();
      if (!converted) return converted.error();
      conversion_seconds.push_back(*converted);
    }
  }
  std::vector<Row> rows;
  for (size_t s = 0; s < subjects.size(); ++s)
    rows.push_back(make_row(*subjects[s], checks[s], characters, seconds[s]));
  const auto reference =
      std::find_if(rows.begin(), rows.end(), [](const Row& row) { return row.variant == "reference"; });
  const double reference_seconds = reference->median_seconds;
  for (Row& row : rows) row.ratio_to_reference = reference_seconds / row.median_seconds;
  std::rotate(rows.begin(), rows.begin() + (reference - rows.begin()), reference + 1);
  report.rows.insert(report.rows.end(), rows.begin(), rows.end());
  print_rows(report, characters);
  const std::vector<Bounds> bounds = bounds_of(report, characters);
  print_bounds(bounds);
  report.bounds.insert(report.bounds.end(), bounds.begin(), bounds.end());
  auto work = measure_work(*workload, options.frames);
  if (!work) return work.error();
  if (!conversion_seconds.empty()) work->convert_on_device_seconds = median(conversion_seconds);
  print_work(*work);
  report.work.push_back(*work);
  subjects.clear();
  const auto outfits = measure_outfits(machine.device, *workload, options.frames);
  if (!outfits) return outfits.error();
  print_outfits(*outfits);
  report.outfits.push_back({characters, *outfits});
  return {};
}

Status describe(const Machine& machine, const Options& options, const Character& character, Report& report) {
  const app::DeviceInfo& info = machine.device.info;
  report.device = info.name;
  report.device_type = info.type;
  report.driver = info.driver;
  report.api = info.api;
  report.frames = options.frames;
  report.palettes_in_device_memory = palettes_in_device_memory(info.memory);
  report.model = character.name;
  report.vertices = character.mesh.vertex_count();
  report.joints = character.skin.palette_size();
  report.mean_influences = double(character.mesh.influences.size()) / report.vertices;
  const auto copy = app::measure_copy(machine.device, true);
  if (!copy) return copy.error();
  report.copy = *copy;
  print_subject(report);
  return {};
}

Status run(const Options& options) {
  if (!options.json.empty()) {
    if (Status writable = internal::check_writable(options.json); !writable) return writable;
  }
  const auto machine = open_machine(options);
  if (!machine) return machine.error();
  const auto model = load_with_tangents(options.model);
  if (!model) return model.error();
  Report report;
  if (Status described = describe(*machine, options, model->character, report); !described) return described;
  for (const uint32_t characters : options.characters) {
    if (Status measured = measure(*machine, options, *model, characters, report); !measured) return measured;
    if (options.json.empty()) continue;
    if (Status written = write_json(report, options.json); !written) return written;
  }
  print_scaling(report);
  if (const uint32_t messages = app::validation_messages(machine->instance); messages != 0) {
    return Error{ErrorCode::kDeviceFailure, std::to_string(messages) + " validation messages"};
  }
  return {};
}

}  // namespace
}  // namespace sinew::bench

int main(int argc, char** argv) {
  CLI::App app{"How fast the device skins, against its own copies and a plain kernel"};
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // a run that is cut off keeps its lines
  sinew::bench::Options options;
  sinew::bench::add_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (const sinew::Status status = sinew::bench::run(options); !status) {
    std::fprintf(stderr, "sinew_bench_skinning: %s\n", status.error().message.c_str());
    return 1;
  }
  return 0;
}
