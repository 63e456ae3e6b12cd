#include "sinew/asset/character_file.h"

#include <array>
#include <cstring>

#include "archive.h"
#include "error.h"
#include "exceptions.h"
#include "file.h"
#include "one_line.h"
#include "sinew/asset/model.h"

namespace sinew {

using namespace internal;
namespace {

// --- the container ---

/// A conversion of line ends damages these bytes, so that the reader detects a file that was sent as text.
constexpr std::array<char, 8> kMagic = {'S', 'I', 'N', 'E', 'W', '\r', '\n', '\x1a'};

struct Header {
  std::array<char, 8> magic = kMagic;
  uint32_t version = kCharacterFileVersion;
  uint32_t section_count = 0;
  uint64_t file_bytes = 0;
  uint64_t checksum = 0;  // of the whole file, with 0 in this field
  std::array<uint64_t, 4> unused = {};
};
static_assert(sizeof(Header) == kSectionAlignment && offsetof(Header, checksum) == kChecksumOffset);

enum class Kind : uint32_t {
  kHead = 1,
  kSkeleton,
  kSkin,
  kMesh,
  kClips,
  kMaterials,
  kBake,
  kBounds,
  kLevels,
  kNames,
  kReport,
  kWearables
};

constexpr const char* kSections[] = {
    "none",   "head",   "skeleton",          "skin",   "mesh",     "clips", "materials", "bake",
    "bounds", "levels", "sockets and masks", "report", "wearables"};

/// Sections ascend by kind, at most one of each kind. Each begins at the next multiple of 64 bytes after the previous.
struct Section {
  Kind kind = {};
  uint32_t unused = 0;
  uint64_t offset = 0, size_bytes = 0;
};

size_t aligned(size_t size_bytes) {
  return (size_bytes + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
}

// --- writing ---

class FileWriter {
 public:
  /// `all_bytes`: see ArchiveWriter.
  FileWriter(size_t section_count, size_t all_bytes)
      : sections_(section_count), archive_(aligned(sizeof(Header) + section_count * sizeof(Section)), all_bytes) {}

  size_t size_bytes() const { return aligned(archive_.size_bytes()); }

  template <class Write>
  void section(Kind kind, Write write) {
    archive_.align(kSectionAlignment);
    const size_t begin = archive_.size_bytes();
    write(archive_);
    sections_[written_++] = {kind, 0, begin, archive_.size_bytes() - begin};
  }

  std::vector<std::byte> finish() {
    archive_.align(kSectionAlignment);
    std::vector<std::byte> bytes = archive_.take();
    Header header;
    header.section_count = uint32_t(sections_.size());
    header.file_bytes = bytes.size();
    std::memcpy(bytes.data() + sizeof(Header), sections_.data(), sections_.size() * sizeof(Section));
    std::memcpy(bytes.data(), &header, sizeof(Header));
    header.checksum = checksum_of(bytes);
    std::memcpy(bytes.data(), &header, sizeof(Header));
    return bytes;
  }

 private:
  std::vector<Section> sections_;
  size_t written_ = 0;
  ArchiveWriter archive_;
};

/// What a file is to hold. Null and empty: it has no such section.
struct Content {
  const Character& character;
  const BakedCharacter* baked = nullptr;
  const CharacterBounds* bounds = nullptr;
  const std::vector<ModelLevel>& levels;
  const std::vector<NamedSocket>& sockets;
  const std::vector<NamedMask>& masks;
  const ImportReport* report = nullptr;
  const std::vector<Wearable>& wearables;

  bool has_names() const { return !sockets.empty() || !masks.empty(); }
  size_t section_count() const {
    return 6 + size_t(baked != nullptr) + size_t(bounds != nullptr) + size_t(!levels.empty()) + size_t(has_names()) +
           size_t(report != nullptr) + size_t(!wearables.empty());
  }
};

Content content_of(const CharacterFile& file) {
  const auto pointer = [](const auto& optional) { return optional ? &*optional : nullptr; };
  return {file.character, pointer(file.baked), pointer(file.bounds), file.levels,
          file.sockets,   file.masks,          pointer(file.report), file.wearables};
}

Content content_of(const Model& model) {
  return {model.character, &model.baked, &model.bounds, model.levels,
          model.sockets,   model.masks,  &model.report, model.wearables};
}

void write_sections(const Content& file, FileWriter& writer) {
  const Character& character = file.character;
  writer.section(Kind::kHead, [&](auto& archive) { transfer_head(archive, character); });
  writer.section(Kind::kSkeleton, [&](auto& archive) { transfer_skeleton(archive, character.skeleton); });
  writer.section(Kind::kSkin, [&](auto& archive) { transfer_skin(archive, character.skin); });
  writer.section(Kind::kMesh, [&](auto& archive) { transfer_mesh(archive, character.mesh); });
  writer.section(Kind::kClips, [&](auto& archive) { transfer_clips(archive, character.clips); });
  writer.section(Kind::kMaterials, [&](auto& archive) { transfer_materials(archive, character); });
  if (file.baked) writer.section(Kind::kBake, [&](auto& archive) { transfer_bake(archive, *file.baked); });
  if (file.bounds) writer.section(Kind::kBounds, [&](auto& archive) { transfer_bounds(archive, *file.bounds); });
  if (!file.levels.empty())
    writer.section(Kind::kLevels, [&](auto& archive) { transfer_levels(archive, file.levels); });
  if (file.has_names())
    writer.section(Kind::kNames, [&](auto& archive) { transfer_names(archive, file.sockets, file.masks); });
  if (file.report) writer.section(Kind::kReport, [&](auto& archive) { transfer_report(archive, *file.report); });
  if (!file.wearables.empty())
    writer.section(Kind::kWearables, [&](auto& archive) { transfer_wearables(archive, file.wearables); });
}

/// Measures the size first, because a buffer that grows would hold the images in memory three times.
std::vector<std::byte> encode(const Content& file) {
  FileWriter measurer(file.section_count(), 0);
  write_sections(file, measurer);
  FileWriter writer(file.section_count(), measurer.size_bytes());
  write_sections(file, writer);
  return writer.finish();
}

// --- reading ---

/// Reads the header and checks that the file is complete and undamaged.
Result<Header> read_header(std::span<const std::byte> bytes) {
  Header header;
  if (reinterpret_cast<uintptr_t>(bytes.data()) % kSectionAlignment != 0) {
    return Error{ErrorCode::kInvalidArgument, "its bytes do not begin on 64"};
  }
  if (bytes.size() < sizeof(Header)) return invalid("it is no .sinew: too short for a header");
  std::memcpy(&header, bytes.data(), sizeof(Header));
  if (header.magic != kMagic)
    return invalid("it is no .sinew: it begins with other bytes; load_model() reads other files");
  if (header.version != kCharacterFileVersion) {
    return Error{ErrorCode::kUnsupported, "it is of version " + std::to_string(header.version) + ", not " +
                                              std::to_string(kCharacterFileVersion) + ": bake the source again"};
  }
  if (header.file_bytes != bytes.size() || bytes.size() % kSectionAlignment != 0) {
    return invalid("it has " + std::to_string(bytes.size()) + " bytes of " + std::to_string(header.file_bytes));
  }
  if (header.checksum != checksum_of(bytes)) return invalid("its checksum is wrong: it has been damaged");
  return header;
}

/// The bytes of each kind of section, as slices of the file; empty for a missing section.
using Sections = std::array<std::span<const std::byte>, std::size(kSections)>;

Result<Sections> read_sections(const Header& header, std::span<const std::byte> bytes) {
  Sections sections;
  const size_t table_bytes = header.section_count * sizeof(Section);
  if (header.section_count >= std::size(kSections) || table_bytes > bytes.size() - sizeof(Header)) {
    return invalid("it has " + std::to_string(header.section_count) + " sections");
  }
  uint64_t end = sizeof(Header) + table_bytes;
  uint32_t last = 0;
  for (uint32_t i = 0; i < header.section_count; ++i) {
    Section section;
    std::memcpy(&section, bytes.data() + sizeof(Header) + i * sizeof(Section), sizeof(Section));
    const uint32_t kind = uint32_t(section.kind);
    if (kind <= last || kind >= std::size(kSections)) return invalid("its sections are unknown or out of order");
    if (section.offset != aligned(end) || section.size_bytes > bytes.size() - section.offset) {
      return invalid(std::string("its ") + kSections[kind] + " section is not within the file");
    }
    sections[kind] = bytes.subspan(section.offset, section.size_bytes);
    end = section.offset + section.size_bytes;
    last = kind;
  }
  if (aligned(end) != bytes.size()) return invalid("it does not end where its sections do");
  return sections;
}

template <class Read>
Status read_section(const Sections& sections, Kind kind, Read read) {
  const std::string name = kSections[uint32_t(kind)];
  if (sections[uint32_t(kind)].empty()) return invalid("it has no " + name + " section");
  ArchiveReader archive(sections[uint32_t(kind)]);
  read(archive);
  if (archive.failed()) return invalid("its " + name + " section does not hold what it says");
  if (!archive.at_end()) return invalid("its " + name + " section is longer than what it says");
  return {};
}

Status read_character(const Sections& sections, Character& character) {
  Status status = read_section(sections, Kind::kHead, [&](auto& archive) { transfer_head(archive, character); });
  const auto then = [&](Kind kind, auto read) {
    if (status) status = read_section(sections, kind, read);
  };
  then(Kind::kSkeleton, [&](auto& archive) { transfer_skeleton(archive, character.skeleton); });
  then(Kind::kSkin, [&](auto& archive) { transfer_skin(archive, character.skin); });
  then(Kind::kMesh, [&](auto& archive) { transfer_mesh(archive, character.mesh); });
  then(Kind::kClips, [&](auto& archive) { transfer_clips(archive, character.clips); });
  then(Kind::kMaterials, [&](auto& archive) { transfer_materials(archive, character); });
  return status;
}

/// The optional sections.
Status read_rest(const Sections& sections, CharacterFile& file) {
  Status status;
  const auto then = [&](Kind kind, auto read) {
    if (status && !sections[uint32_t(kind)].empty()) status = read_section(sections, kind, read);
  };
  then(Kind::kBake, [&](auto& archive) { transfer_bake(archive, file.baked.emplace()); });
  then(Kind::kBounds, [&](auto& archive) { transfer_bounds(archive, file.bounds.emplace()); });
  then(Kind::kLevels, [&](auto& archive) { transfer_levels(archive, file.levels); });
  then(Kind::kNames, [&](auto& archive) { transfer_names(archive, file.sockets, file.masks); });
  then(Kind::kReport, [&](auto& archive) { transfer_report(archive, file.report.emplace()); });
  then(Kind::kWearables, [&](auto& archive) { transfer_wearables(archive, file.wearables); });
  return status;
}

Result<CharacterFile> decode(std::span<const std::byte> bytes) {
  const Result<Header> header = read_header(bytes);
  if (!header) return header.error();
  const Result<Sections> sections = read_sections(*header, bytes);
  if (!sections) return sections.error();
  CharacterFile file;
  Status status = read_character(*sections, file.character);
  if (status) status = read_rest(*sections, file);
  if (file.report) {
    make_one_line(file.report->retargeted);
    make_one_line(file.report->warnings);
  }
  if (status) status = validate(file);
  if (!status) return status.error();
  return file;
}

Error cannot_write(const std::string& path, const Error& error) {
  return {error.code, "cannot write " + path + ": " + error.message};
}

}  // namespace

bool is_character_file(const std::string& path) {
  constexpr std::string_view kExtension = ".sinew";
  if (path.size() < kExtension.size()) return false;
  return std::equal(kExtension.begin(), kExtension.end(), path.end() - ptrdiff_t(kExtension.size()),
                    [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); });
}

Result<std::vector<std::byte>> encode_character(const CharacterFile& file) SINEW_TRY {
  if (Status status = validate(file); !status) return status.error();
  return encode(content_of(file));
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Result<CharacterFile> decode_character(std::span<const std::byte> bytes) SINEW_TRY { return decode(bytes); }
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Result<CharacterFile> load_character_file(const std::string& path) SINEW_TRY {
  const auto unreadable = [&](Error error) {
    error.message = one_line("cannot read '" + path + "': " + error.message);
    return error;
  };
  const Result<FileBytes> bytes = read_file(path);
  if (!bytes) return unreadable(bytes.error());
  Result<CharacterFile> file = decode_character(bytes->bytes());
  if (!file) return unreadable(file.error());
  return file;
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status write_character_file(const std::string& path, const CharacterFile& file) SINEW_TRY {
  if (Status status = validate(file); !status) return cannot_write(path, status.error());
  return write_file(path, encode(content_of(file)));
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status write_model_file(const std::string& path, const Model& model) SINEW_TRY {
  if (Status status = validate(model); !status) return cannot_write(path, status.error());
  return write_file(path, encode(content_of(model)));
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
