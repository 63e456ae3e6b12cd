#include "sinew/asset/character_file.h"

#include <array>
#include <cstring>

#include "checksum.h"
#include "error.h"
#include "exceptions.h"
#include "file.h"
#include "one_line.h"
#include "sections.h"

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

enum class Kind : uint32_t { kHead = 1, kSkeleton, kSkin, kMesh, kClips, kMaterials, kBake, kReport };

constexpr const char* kNames[] = {"none", "head", "skeleton", "skin", "mesh", "clips", "materials", "bake", "report"};

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

void write_sections(const CharacterFile& file, FileWriter& writer) {
  const Character& character = file.character;
  writer.section(Kind::kHead, [&](auto& archive) { transfer_head(archive, character); });
  writer.section(Kind::kSkeleton, [&](auto& archive) { transfer_skeleton(archive, character.skeleton); });
  writer.section(Kind::kSkin, [&](auto& archive) { transfer_skin(archive, character.skin); });
  writer.section(Kind::kMesh, [&](auto& archive) { transfer_mesh(archive, character.mesh); });
  writer.section(Kind::kClips, [&](auto& archive) { transfer_clips(archive, character.clips); });
  writer.section(Kind::kMaterials, [&](auto& archive) { transfer_materials(archive, character); });
  if (file.baked) writer.section(Kind::kBake, [&](auto& archive) { transfer_bake(archive, *file.baked); });
  if (file.report) writer.section(Kind::kReport, [&](auto& archive) { transfer_report(archive, *file.report); });
}

/// Measures the size first, because a buffer that grows would hold the images in memory three times.
std::vector<std::byte> encode(const CharacterFile& file) {
  const size_t section_count = 6 + size_t(file.baked.has_value()) + size_t(file.report.has_value());
  FileWriter measurer(section_count, 0);
  write_sections(file, measurer);
  FileWriter writer(section_count, measurer.size_bytes());
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
  if (header.magic != kMagic) return invalid("it is no .sinew: it begins with other bytes");
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
using Sections = std::array<std::span<const std::byte>, std::size(kNames)>;

Result<Sections> read_sections(const Header& header, std::span<const std::byte> bytes) {
  Sections sections;
  const size_t table_bytes = header.section_count * sizeof(Section);
  if (header.section_count >= std::size(kNames) || table_bytes > bytes.size() - sizeof(Header)) {
    return invalid("it has " + std::to_string(header.section_count) + " sections");
  }
  uint64_t end = sizeof(Header) + table_bytes;
  uint32_t last = 0;
  for (uint32_t i = 0; i < header.section_count; ++i) {
    Section section;
    std::memcpy(&section, bytes.data() + sizeof(Header) + i * sizeof(Section), sizeof(Section));
    const uint32_t kind = uint32_t(section.kind);
    if (kind <= last || kind >= std::size(kNames)) return invalid("its sections are unknown or out of order");
    if (section.offset != aligned(end) || section.size_bytes > bytes.size() - section.offset) {
      return invalid(std::string("its ") + kNames[kind] + " section is not within the file");
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
  const std::string name = kNames[uint32_t(kind)];
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

Status validate(const CharacterFile& file) {
  if (Status status = sinew::validate(file.character); !status) return status;
  if (!file.baked) return {};
  if (Status status = sinew::validate(*file.baked); !status) return status;
  return sinew::validate(*file.baked, file.character);
}

Result<CharacterFile> decode(std::span<const std::byte> bytes) {
  const Result<Header> header = read_header(bytes);
  if (!header) return header.error();
  const Result<Sections> sections = read_sections(*header, bytes);
  if (!sections) return sections.error();
  CharacterFile file;
  Status status = read_character(*sections, file.character);
  const auto has = [&](Kind kind) { return status && !(*sections)[uint32_t(kind)].empty(); };
  if (has(Kind::kBake)) {
    status = read_section(*sections, Kind::kBake, [&](auto& archive) { transfer_bake(archive, file.baked.emplace()); });
  }
  if (has(Kind::kReport)) {
    status =
        read_section(*sections, Kind::kReport, [&](auto& archive) { transfer_report(archive, file.report.emplace()); });
  }
  if (file.report) {
    make_one_line(file.report->retargeted);
    make_one_line(file.report->warnings);
  }
  if (status) status = validate(file);
  if (!status) return status.error();
  return file;
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
  return encode(file);
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
  const Result<std::vector<std::byte>> bytes = encode_character(file);
  if (!bytes) return Error{bytes.error().code, "cannot write " + path + ": " + bytes.error().message};
  return write_file(path, *bytes);
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
