// FBX files as records: text and binary give the same tree, and what is malformed is refused within its size.
#include "fbx/fbx_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "failure.h"
#include "fbx_binary.h"
#include "fbx_own.h"

namespace sinew::test {
namespace {

using internal::FbxDocument;
using internal::FbxRecord;
using internal::ImportFailure;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A document with the bytes that it borrows.
struct File : FbxDocument {
  std::shared_ptr<const std::string> bytes;
};

File parse(std::string text) {
  File file;
  file.bytes = std::make_shared<const std::string>(std::move(text));
  const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(file.bytes->data()), file.bytes->size());
  static_cast<FbxDocument&>(file) =
      internal::is_binary_fbx(bytes) ? internal::parse_binary_fbx(bytes) : internal::parse_text_fbx(*file.bytes);
  return file;
}

/// The reason of the refusal; empty if the file is read.
std::string refusal_of(const std::string& bytes) {
  try {
    parse(bytes);
    return {};
  } catch (const ImportFailure& failure) {
    return failure.reason;
  }
}

template <class Number>
std::string raw(Number number) {
  return FbxForm().number(number);
}

// --- random files ---

/// A record with what it must be read as: numbers, words and arrays of numbers.
struct Wanted {
  std::string name;
  std::vector<double> numbers;     // of an array if `is_array`, else values
  std::vector<std::string> words;  // values after the numbers
  bool is_array = false;
  std::vector<Wanted> children;
};

double random_number(OwnRandom& random) {
  switch (random.below(5)) {
    case 0:
      return random.below(256);
    case 1:
      return random.below(70000) - 35000;
    case 2:
      return std::ldexp(random.below(1 << 30) - (1 << 29), random.below(23));
    case 3:
      return random.exactly(-100, 100);  // a float holds it
    default:
      return random.between(-1e6, 1e6) * std::pow(10, random.below(80) - 40);
  }
}

Wanted random_record(OwnRandom& random, int depth) {
  Wanted record;
  record.name = std::string("N") + std::to_string(random.below(1000));
  record.is_array = depth > 0 && random.chance(30);
  const int count = random.below(record.is_array ? 40 : 5);
  for (int i = 0; i < count; ++i) record.numbers.push_back(random_number(random));
  if (record.is_array) return record;
  for (int i = random.below(3); i > 0; --i) record.words.push_back(random.one_of({"word", "two words", "{a: 1}", ""}));
  for (int i = depth < 5 ? random.below(4) : 0; i > 0; --i) record.children.push_back(random_record(random, depth + 1));
  return record;
}

/// With space, line ends and comments where a text file may have them.
std::string written(const Wanted& record, OwnRandom& random) {
  const auto space = [&] { return random.one_of({"", " ", "\t", " \r\n"}); };
  std::string list;
  for (const double number : record.numbers) {
    char digits[40];
    snprintf(digits, sizeof digits, number == std::floor(number) && std::abs(number) < 1e15 ? "%.0f" : "%.17g", number);
    list += (list.empty() ? "" : "," + std::string(space())) + digits;
  }
  if (record.is_array) return record.name + ": *" + std::to_string(record.numbers.size()) + " {\n a: " + list + "\n}\n";
  for (const std::string& word : record.words) list += (list.empty() ? "\"" : ", \"") + word + "\"";
  std::string text = record.name + ": " + list;
  if (record.children.empty()) return text + random.one_of({"\n", " {\n}\n", "\n; a comment: { }\n"});
  text += " {\n";
  for (const Wanted& child : record.children) text += space() + written(child, random);
  return text + "}\n";
}

void expect_record(const File& file, const FbxRecord& actual, const Wanted& wanted) {
  EXPECT_EQ(actual.name, wanted.name);
  if (wanted.is_array) {
    EXPECT_EQ(file.reals(&actual), wanted.numbers);
    std::vector<int64_t> integers;
    for (const double number : wanted.numbers) integers.push_back(std::abs(number) < 9.2e18 ? int64_t(number) : 0);
    EXPECT_EQ(file.integers(&actual), integers);
    return;
  }
  ASSERT_EQ(actual.values.size(), wanted.numbers.size() + wanted.words.size());
  for (size_t i = 0; i < wanted.numbers.size(); ++i) {
    EXPECT_EQ(actual.real(i), wanted.numbers[i]);
    EXPECT_EQ(actual.integer(i), std::abs(wanted.numbers[i]) < 9.2e18 ? int64_t(wanted.numbers[i]) : 0);
  }
  for (size_t i = 0; i < wanted.words.size(); ++i) EXPECT_EQ(actual.text(wanted.numbers.size() + i), wanted.words[i]);
  ASSERT_EQ(actual.children.size(), wanted.children.size());
  for (size_t i = 0; i < wanted.children.size(); ++i) expect_record(file, actual.children[i], wanted.children[i]);
}

TEST(FbxRecordTest, RandomFilesHaveTheirRecordsAsTextAndInAllBinaryForms) {
  for (uint32_t seed = 0; seed < 150 && !::testing::Test::HasFailure(); ++seed) {
    OwnRandom random(seed);
    Wanted root = random_record(random, 0);
    const std::string text = written(root, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const File file = parse(text);
    EXPECT_TRUE(file.is_text);
    ASSERT_EQ(file.records.size(), 1u);
    expect_record(file, file.records[0], root);
    for (const FbxForm& form : kFbxForms) {
      const File binary = parse(fbx_binary(text, form));
      EXPECT_EQ(binary.version, form.version);
      EXPECT_FALSE(binary.is_text);
      ASSERT_EQ(binary.records.size(), 1u);
      expect_record(binary, binary.records[0], root);
    }
  }
}

// --- text ---

TEST(FbxRecordTest, VersionIsThatOfTheHeaderElseOfTheFirstComment) {
  EXPECT_EQ(parse("; FBX 6.1.0\nFBXHeaderExtension: {\n FBXVersion: 7300\n}\n").version, 7300u);
  EXPECT_EQ(parse("; FBX 6.1.0 project file\nA: 1\n").version, 6100u);
  EXPECT_EQ(parse("A: 1\n").version, 0u);
}

/// A mark of UTF-8 at the begin is no name. A record without values ends where another begins.
TEST(FbxRecordTest, RecordsMayLieInOneLineAndListsInSeveral) {
  const File file = parse(
      "\xef\xbb\xbf"
      "A: 1,2,\n3\n,4\nB: 5 C: 6,{ D: 7 }\nE: \n\tF: T\nG: \"&quot;a&quot; and &quot\"\n");
  EXPECT_THAT(file.reals(file.find("A")), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(file.find("B")->integer(0), 5);
  EXPECT_EQ(file.find("C")->child("D")->integer(0), 7);
  EXPECT_TRUE(file.find("E")->values.empty());
  EXPECT_EQ(file.find("F")->text(0), "T");
  EXPECT_EQ(file.find("G")->text(0), "\"a\" and &quot");
}

/// Replacing one after the other would move the rest every time: 4e10 bytes here.
TEST(FbxRecordTest, ManyQuotesInsideTextAreReplacedAtOnce) {
  std::string quotes, expected(600000, '"');
  for (size_t i = 0; i < expected.size(); ++i) quotes += "&quot;";
  EXPECT_EQ(parse("A: \"" + quotes + "\"\n").find("A")->text(0), expected);
}

TEST(FbxRecordTest, NumbersAreReadInEveryForm) {
  const File file = parse("A: 1.5e3,+2,-0.25E-1,.5,5.,-7,1e-400\n");
  EXPECT_THAT(file.reals(file.find("A")), ElementsAre(1500, 2, -0.025, 0.5, 5, -7, 0));
  EXPECT_THAT(file.integers(file.find("A")), ElementsAre(1500, 2, 0, 0, 5, -7, 0));
  const File large = parse("A: 9223372036854775807,-9223372036854775808,1e300\n");
  EXPECT_THAT(large.integers(large.find("A")), ElementsAre(INT64_MAX, INT64_MIN, 0));
}

/// As several C libraries print what is not finite. A number that was lost would shift those after it.
TEST(FbxRecordTest, NumbersThatAreNotFiniteKeepTheirPlaces) {
  for (const char* word : {"-nan(ind)", "nan", "-nan", "inf", "-inf", "1.#INF", "-1.#IND", "1.#QNAN", "NaN", "1.2.3"}) {
    const std::string list = std::string("4,") + word + ",5";
    for (const std::string& text :
         {"A: " + list, "A: *3 {\n a: " + list + "\n}", "A: 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18," + list}) {
      const File file = parse(text + "\n");
      const std::vector<double> numbers = file.reals(file.find("A"));
      ASSERT_GE(numbers.size(), 3u) << text;
      EXPECT_EQ(numbers.back(), 5) << text;
      EXPECT_EQ(numbers[numbers.size() - 3], 4) << text;
      EXPECT_FALSE(std::isfinite(numbers[numbers.size() - 2])) << text;
    }
  }
}

TEST(FbxRecordTest, LongListsOfNumbersStayTextUntilTheyAreRead) {
  std::string text = "A: 0";
  for (int i = 1; i <= 100; ++i) text += (i == 50 ? ",\n" : ",") + std::to_string(i);
  const File file = parse(text + "\nB: 1\n");
  EXPECT_EQ(file.find("A")->values.size(), 1u);
  EXPECT_EQ(file.reals(file.find("A")).size(), 101u);
  EXPECT_EQ(file.reals(file.find("A"))[100], 100);
  EXPECT_EQ(file.find("B")->integer(0), 1);
}

/// Looking for the word again at every number would take 1e11 steps.
TEST(FbxRecordTest, HugeListsWithAWordAtTheEndAreReadOnce) {
  std::string text = "Key: ";
  for (int i = 0; i < 500000; ++i) text += "1,";
  EXPECT_EQ(parse(text + "L\n").find("Key")->values.size(), 500001u);
}

TEST(FbxRecordTest, RealsThatAreNoIntegersAreZero) {
  const File file = parse(fbx_binary_file({{"A", {FbxForm().array('d', 2, 0, raw(1e300) + raw(double(NAN)))}}}));
  EXPECT_THAT(file.integers(file.find("A")), ElementsAre(0, 0));
}

TEST(FbxRecordTest, TextOfBitsIsFloats) {
  const File file = parse("A: *2 {\n a: 1065353216,3221225472\n}\nB: *2 {\n a: 1065353216,0.5\n}\n");
  EXPECT_THAT(file.packed_floats(file.find("A")), ElementsAre(1, -2));
  EXPECT_THAT(file.packed_floats(file.find("B")), ElementsAre(1065353216, 0.5f));
}

// --- malformed files ---

std::vector<std::string> small_files() {
  const std::string text =
      "; FBX 7.4.0 project file\nFBXHeaderExtension: {\n FBXVersion: 7400\n}\nObjects: 1, \"a\" {\n V: *2 {\n a: "
      "1.5,2.5\n }\n W: *1 {\n a: 3\n }\n}\n";
  return {text, fbx_binary(text, {7400, false, true}), fbx_binary(text, {7700})};
}

/// A file that is cut anywhere is read or refused, and its arrays are.
TEST(FbxRecordTest, FilesThatAreCutAnywhereAreReadOrRefused) {
  for (const std::string& whole : small_files()) {
    ASSERT_EQ(refusal_of(whole), "");
    size_t refused = 0;
    for (size_t size = 0; size < whole.size(); ++size) {
      const std::string cut = whole.substr(0, size);
      try {
        const File file = parse(cut);
        if (const FbxRecord* objects = file.find("Objects")) {
          for (const FbxRecord& child : objects->children) file.reals(&child), file.integers(&child);
        }
      } catch (const ImportFailure& failure) {
        EXPECT_THAT(failure.reason, ::testing::AnyOf(HasSubstr("line"), HasSubstr("byte"), HasSubstr("array")));
        ++refused;
      }
    }
    EXPECT_GT(refused, whole.size() / 3);
  }
}

/// Any byte may have any value.
TEST(FbxRecordTest, FilesWithAChangedByteAreReadOrRefused) {
  for (const std::string& whole : small_files()) {
    for (size_t at = 0; at < whole.size(); ++at) {
      for (const int change : {1, 0x80, 0xff}) {
        std::string changed = whole;
        changed[at] = char(changed[at] ^ change);
        try {
          const File file = parse(changed);
          for (const FbxRecord& record : file.records) {
            for (const FbxRecord& child : record.children) file.reals(&child), file.packed_floats(&child);
          }
        } catch (const ImportFailure&) {
        }
      }
    }
  }
}

FbxNode nested(int depth) {
  FbxNode node{"A"};
  for (int i = 1; i < depth; ++i) node = {"A", {}, {node}};
  return node;
}

TEST(FbxRecordTest, RecordsNestToALimit) {
  const auto text = [](int depth) {
    std::string result;
    for (int i = 0; i < depth; ++i) result += "A: {\n";
    for (int i = 0; i < depth; ++i) result += "}\n";
    return result;
  };
  EXPECT_EQ(refusal_of(text(64)), "");
  EXPECT_THAT(refusal_of(text(65)), HasSubstr("nested too deeply"));
  EXPECT_THAT(refusal_of(text(200000)), HasSubstr("nested too deeply"));
  EXPECT_EQ(refusal_of(fbx_binary_file({nested(64)})), "");
  EXPECT_THAT(refusal_of(fbx_binary_file({nested(65)})), HasSubstr("nested too deeply"));
}

TEST(FbxRecordTest, TextThatIsNoTreeIsRefusedWithItsLine) {
  const std::pair<std::string, const char*> rows[] = {
      {"A: {\n B: 1\n", "a closing brace is missing"},
      {"A: 1\nB: \"open\nC: 2\n", "in line 2 a quotation mark is missing"},
      {"A: 1\n}\n", "in line 2"},
      {"A: 1\nword\n", "in line 3"},
      {"A: 1, \"b\" \xff\n", "in line 1"},
      {std::string("A: 1\n\0B: 2\n", 11), "in line"},
      {"\x01\x02\x03 no FBX at all", "in line"}};
  for (const auto& [text, reason] : rows) EXPECT_THAT(refusal_of(text), HasSubstr(reason)) << text;
}

/// The head of a record begins at byte 27: its end, the count and the size of its values.
TEST(FbxRecordTest, OffsetsOutsideTheFileOrTheRecordAreRefused) {
  const std::string whole = fbx_binary_file({{"A", {FbxForm().one('I', 1)}}});
  const auto refusal = [&](size_t at, uint32_t number) {
    std::string bytes = whole;
    return refusal_of(bytes.replace(at, 4, raw(number)));
  };
  EXPECT_EQ(refusal(27, 27 + 14 + 5), "");
  for (const uint32_t end : {1u, 27u, 40u, uint32_t(whole.size()) + 1, UINT32_MAX})
    EXPECT_THAT(refusal(27, end), HasSubstr("at byte")) << end;
  EXPECT_THAT(refusal(31, UINT32_MAX), HasSubstr("values are missing"));
  EXPECT_THAT(refusal(35, 4), HasSubstr("past its record"));
  EXPECT_THAT(refusal(35, UINT32_MAX), HasSubstr("at byte"));
  const std::string of_64_bits = fbx_binary_file({{"A", {FbxForm().one('I', 1)}}}, {7500});
  for (const size_t at : {27u, 35u, 43u}) {  // sums that wrap around
    std::string bytes = of_64_bits;
    EXPECT_THAT(refusal_of(bytes.replace(at, 8, raw(UINT64_MAX))), HasSubstr("at byte")) << at;
  }
}

TEST(FbxRecordTest, UnknownTypesAndEncodingsAreRefused) {
  const FbxForm f;
  EXPECT_THAT(refusal_of(fbx_binary_file({{"A", {f.one('X', 1)}}})), HasSubstr("a value has an unknown type"));
  EXPECT_THAT(refusal_of(fbx_binary_file({{"A", {f.array('d', 1, 2, raw(1.0))}}})), HasSubstr("unknown encoding"));
}

std::string array_refusal(const std::vector<std::string>& arrays) {
  try {
    const File file = parse(fbx_binary_file({{"A", arrays}}));
    file.reals(file.find("A"));
    return {};
  } catch (const ImportFailure& failure) {
    return failure.reason;
  }
}

TEST(FbxRecordTest, ArraysLargerThanTheFileAreRefused) {
  for (const char type : {'d', 'f', 'l', 'i', 'b'}) {
    for (const uint32_t count : {UINT32_MAX, 0x20000001u})
      EXPECT_THAT(array_refusal({FbxForm().array(type, count, 0, raw(1.0))}), HasSubstr("at byte")) << type << count;
  }
}

TEST(FbxRecordTest, DamagedCompressedArraysAreRefused) {
  const std::string good = deflated(raw(1.0) + raw(2.0));
  EXPECT_EQ(array_refusal({FbxForm().array('d', 2, 1, good)}), "");
  const std::pair<uint32_t, std::string> rows[] = {{3, good}, {1, good}, {2, "no zlib at all"}, {2, ""}};
  for (const auto& [count, bytes] : rows)
    EXPECT_THAT(array_refusal({FbxForm().array('d', count, 1, bytes)}), HasSubstr("damaged")) << count << bytes;
}

/// A few bytes that claim 2^32 - 1 numbers, and a few kilobytes that hold a gigabyte of zeros in many arrays. Of bytes
/// too, for each of which eight are held.
TEST(FbxRecordTest, CompressedBombsAreRefused) {
  const FbxForm f;
  const std::string zeros = deflated(std::string(size_t(8) << 20, '\0'));
  EXPECT_THAT(array_refusal({f.array('d', UINT32_MAX, 1, zeros)}), HasSubstr("too large"));
  const std::string bytes = deflated(std::string(size_t(1) << 20, '\0'));
  for (const std::string& array : {f.array('d', 1 << 20, 1, zeros), f.array('b', 1 << 20, 1, bytes)}) {
    EXPECT_EQ(array_refusal({array}), "");
    EXPECT_THAT(array_refusal(std::vector<std::string>(200, array)), HasSubstr("too large"));
  }
}

}  // namespace
}  // namespace sinew::test
