// Counts in a `.sinew` file are checked against the bytes that are left, before anything is made for the items.
#include "archive.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace sinew::internal {
namespace {

/// The bytes of a section that begins with a count. 56 bytes follow the count.
struct alignas(64) Section {
  std::array<uint64_t, 8> words{};

  explicit Section(uint64_t count) { words[0] = count; }
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(words)); }
};

/// How many items a list of this count has once it is read. `read` is the number of items that were read.
size_t list_size(uint64_t count, size_t min_bytes, size_t& read) {
  const Section section(count);
  ArchiveReader reader(section.bytes());
  std::vector<uint64_t> items;
  read = 0;
  reader.list(items, min_bytes, [&](uint64_t& item) {
    reader.number(item);
    ++read;
  });
  EXPECT_EQ(reader.failed(), items.empty());
  return items.size();
}

TEST(ArchiveReader, RefusesAListThatIsLongerThanTheBytesLeftBeforeItsFirstItem) {
  size_t read = 0;
  EXPECT_EQ(list_size(7, 8, read), 7u);
  EXPECT_EQ(list_size(3, 16, read), 3u);
  for (const uint64_t count :
       {uint64_t(8), uint64_t(1) << 20, uint64_t(1) << 32, (uint64_t(1) << 61) + 1, UINT64_MAX}) {
    EXPECT_EQ(list_size(count, 8, read), 0u);
    EXPECT_EQ(read, 0u) << count << " items of 8 bytes";
  }
  EXPECT_EQ(list_size(4, 16, read), 0u);
  EXPECT_EQ(read, 0u) << "4 items of 16 bytes";
}

TEST(ArchiveReader, RefusesAnArrayThatIsLongerThanTheBytesLeft) {
  std::vector<uint32_t> values;
  for (const uint64_t count : {uint64_t(15), uint64_t(1) << 32, (uint64_t(1) << 62) + 1, UINT64_MAX}) {
    const Section section(count);
    ArchiveReader reader(section.bytes());
    reader.array(values);
    EXPECT_TRUE(reader.failed()) << count;
    EXPECT_TRUE(values.empty()) << count;
  }
  const Section section(14);
  ArchiveReader reader(section.bytes());
  reader.array(values);
  EXPECT_TRUE(reader.at_end() && !reader.failed());
  EXPECT_EQ(values.size(), 14u);
}

TEST(ArchiveReader, RefusesTextThatIsLongerThanTheBytesLeft) {
  std::string text;
  for (const uint32_t size : {61u, UINT32_MAX}) {
    const Section section(size);
    ArchiveReader reader(section.bytes());
    reader.text(text);
    EXPECT_TRUE(reader.failed()) << size;
    EXPECT_EQ(text, "");
  }
}

TEST(ArchiveReader, RefusesAChoiceBeyondTheLast) {
  enum class Fruit : uint8_t { kApple, kPear };
  for (const uint64_t stored : {0u, 1u, 2u, 0x101u, UINT32_MAX}) {
    const Section section(stored);
    ArchiveReader reader(section.bytes());
    Fruit fruit = Fruit::kApple;
    reader.choice(fruit, Fruit::kPear);
    EXPECT_EQ(reader.failed(), stored > 1) << stored;
    EXPECT_EQ(uint32_t(fruit), stored > 1 ? 0u : stored);
  }
}

/// Writes one empty item of every list, and compares its size with what the list states.
class SmallestItems {
 public:
  uint32_t lists = 0;

  template <class T>
  void number(const T& value) {
    writer_.number(value);
  }
  template <class T>
  void choice(const T& value, T last) {
    writer_.choice(value, last);
  }
  void text(const std::string& value) { writer_.text(value); }
  template <class T>
  void array(const std::vector<T>& values) {
    writer_.array(values);
  }
  template <class Values, class Each>
  void list(const Values&, size_t min_bytes, Each each) {
    ++lists;
    number(uint64_t(1));
    const size_t begin = writer_.size_bytes(), outside = std::exchange(inner_bytes_, 0);
    typename Values::value_type item{};
    each(item);
    const size_t all_bytes = writer_.size_bytes() - begin, size_bytes = all_bytes - inner_bytes_;
    inner_bytes_ = outside + all_bytes;
    EXPECT_LE(min_bytes, size_bytes) << "list " << lists << " of the section: files with empty items are refused";
    EXPECT_GE(min_bytes + kMaxPadding, size_bytes) << "list " << lists << " of the section: more items are made than "
                                                   << "a file can hold";
  }

 private:
  static constexpr size_t kMaxPadding = 8;  // of arrays, which depends on where the item begins

  ArchiveWriter writer_{0, 0};
  size_t inner_bytes_ = 0;  // of the items of inner lists, which an empty item does not have
};

TEST(Sections, StateTheSmallestItemOfEachList) {
  CharacterFile file;
  const auto lists_of = [](auto transfer) {
    SmallestItems items;
    transfer(items);
    return items.lists;
  };
  Character& character = file.character;
  EXPECT_EQ(lists_of([&](auto& archive) { transfer_skeleton(archive, character.skeleton); }), 2u);
  EXPECT_EQ(lists_of([&](auto& archive) { transfer_skin(archive, character.skin); }), 1u);
  EXPECT_EQ(lists_of([&](auto& archive) { transfer_mesh(archive, character.mesh); }), 2u);
  EXPECT_EQ(lists_of([&](auto& archive) { transfer_clips(archive, character.clips); }), 4u);
  EXPECT_EQ(lists_of([&](auto& archive) { transfer_materials(archive, character); }), 2u);
  EXPECT_EQ(lists_of([&](auto& archive) { transfer_bake(archive, file.baked.emplace()); }), 2u);
  EXPECT_EQ(lists_of([&](auto& archive) { transfer_levels(archive, file.levels); }), 5u);
  EXPECT_EQ(lists_of([&](auto& archive) { transfer_names(archive, file.sockets, file.masks); }), 2u);
  EXPECT_EQ(lists_of([&](auto& archive) { transfer_report(archive, file.report.emplace()); }), 2u);
}

}  // namespace
}  // namespace sinew::internal
