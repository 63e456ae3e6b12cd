// FBX files as records: text and binary give the same tree, and what is malformed is refused within its size.
#include "fbx/fbx_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <memory>

#include "failure.h"

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

// --- a writer of binary files ---

template <class Number>
std::string raw(Number number, bool swap = false) {
  std::string bytes(sizeof(number), '\0');
  std::memcpy(bytes.data(), &number, sizeof(number));
  return swap ? std::string(bytes.rbegin(), bytes.rend()) : bytes;
}

struct Binary {
  uint32_t version = 7400;
  bool swap = false;  // the bytes of all numbers

  template <class Number>
  std::string number(Number value) const {
    return raw(value, swap);
  }
  std::string text(const std::string& value) const { return "S" + number(uint32_t(value.size())) + value; }
  template <class Number>
  std::string one(char type, Number value) const {
    return type + number(value);
  }
  /// `count` is what the file says; `bytes` are the elements, which are compressed if `encoding` is 1.
  std::string array(char type, uint32_t count, uint32_t encoding, const std::string& bytes) const {
    return type + number(count) + number(encoding) + number(uint32_t(bytes.size())) + bytes;
  }
};

struct Node {
  std::string name;
  std::vector<std::string> values = {};
  std::vector<Node> children = {};
};

class BinaryFile {
 public:
  explicit BinaryFile(const Binary& form, const std::vector<Node>& nodes) : form_(form) {
    bytes_ = std::string("Kaydara FBX Binary  \0\x1a", 22) + char(form.swap ? 1 : 0) + form.number(form.version);
    for (const Node& node : nodes) write(node);
    end_list();
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string offset(uint64_t value) const {
    return form_.version >= 7500 ? form_.number(value) : form_.number(uint32_t(value));
  }
  void end_list() { bytes_ += std::string(form_.version >= 7500 ? 25 : 13, '\0'); }

  void write(const Node& node) {
    std::string values;
    for (const std::string& value : node.values) values += value;
    const size_t begin = bytes_.size(), width = form_.version >= 7500 ? 8 : 4;
    bytes_ += offset(0) + offset(node.values.size()) + offset(values.size()) + char(node.name.size()) + node.name;
    bytes_ += values;
    for (const Node& child : node.children) write(child);
    if (!node.children.empty()) end_list();
    bytes_.replace(begin, width, offset(bytes_.size()));
  }

  Binary form_;
  std::string bytes_;
};

std::string file_of(const std::vector<Node>& nodes, const Binary& form = {}) { return BinaryFile(form, nodes).bytes(); }

std::string deflated(const std::string& bytes) {
  std::string result(compressBound(uLong(bytes.size())), '\0');
  uLongf size = uLongf(result.size());
  EXPECT_EQ(compress(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                     uLong(bytes.size())),
            Z_OK);
  result.resize(size);
  return result;
}

// --- text ---

TEST(FbxRecordTest, TextHasRecordsValuesAndChildren) {
  const FbxDocument file =
      parse("; FBX 6.1.0 project file\n\n; a comment: { }\nA: 1, \"two\",3.5 {\n ; another\n B: \n\tC: T\n}\nD: -4\n");
  EXPECT_EQ(file.version, 6100u);
  EXPECT_TRUE(file.is_text);
  ASSERT_EQ(file.records.size(), 2u);
  const FbxRecord& a = file.records[0];
  EXPECT_EQ(a.integer(0), 1);
  EXPECT_EQ(a.text(1), "two");
  EXPECT_EQ(a.real(2), 3.5);
  ASSERT_EQ(a.children.size(), 2u);
  EXPECT_TRUE(a.child("B")->values.empty());
  EXPECT_EQ(a.child("C")->text(0), "T");
  EXPECT_EQ(file.find("D")->integer(0), -4);
}

TEST(FbxRecordTest, VersionIsThatOfTheHeader) {
  EXPECT_EQ(parse("; FBX 6.1.0\nFBXHeaderExtension: {\n FBXVersion: 7300\n}\n").version, 7300u);
  EXPECT_EQ(parse("A: 1\n").version, 0u);
}

TEST(FbxRecordTest, MarkAtTheBeginIsNoName) {
  EXPECT_EQ(parse("\xef\xbb\xbf"
                  "A: 1\n")
                .find("A")
                ->integer(0),
            1);
}

TEST(FbxRecordTest, ListsGoOnBeforeAndAfterCommas) {
  const File file = parse("A: 1,2,\n3\n,4\nB: 5\nC: 6,{ D: 7 }\n");
  EXPECT_THAT(file.reals(file.find("A")), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(file.find("B")->integer(0), 5);
  EXPECT_EQ(file.find("C")->child("D")->integer(0), 7);
}

TEST(FbxRecordTest, QuotesInsideTextAreReplaced) {
  EXPECT_EQ(parse("A: \"&quot;a&quot; and &quot\"\n").find("A")->text(0), "\"a\" and &quot");
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
  std::string text = "A: ";
  for (int i = 0; i < 100; ++i) text += std::to_string(i) + (i == 50 ? ",\n" : ",");
  const File file = parse(text + "100\nB: 1\n");
  EXPECT_EQ(file.find("A")->values.size(), 1u);
  EXPECT_EQ(file.reals(file.find("A")).size(), 101u);
  EXPECT_EQ(file.reals(file.find("A"))[100], 100);
  EXPECT_EQ(file.find("B")->integer(0), 1);
}

TEST(FbxRecordTest, LongListsWithAWordAtTheEndAreValues) {
  std::string text = "Key: ";
  for (int i = 0; i < 40; ++i) text += std::to_string(i) + ",";
  const File file = parse(text + "L\nB: 1\n");
  const FbxRecord& keys = *file.find("Key");
  ASSERT_EQ(keys.values.size(), 41u);
  EXPECT_EQ(keys.integer(39), 39);
  EXPECT_EQ(keys.text(40), "L");
  EXPECT_EQ(file.find("B")->integer(0), 1);
}

/// Looking for the word again at every number would take 1e11 steps.
TEST(FbxRecordTest, HugeListsWithAWordAtTheEndAreReadOnce) {
  std::string text = "Key: ";
  for (int i = 0; i < 500000; ++i) text += "1,";
  EXPECT_EQ(parse(text + "L\n").find("Key")->values.size(), 500001u);
}

TEST(FbxRecordTest, TextOfBitsIsFloats) {
  const File file = parse("A: *2 {\n a: 1065353216,3221225472\n}\nB: *2 {\n a: 1065353216,0.5\n}\n");
  EXPECT_THAT(file.packed_floats(file.find("A")), ElementsAre(1, -2));
  EXPECT_THAT(file.packed_floats(file.find("B")), ElementsAre(1065353216, 0.5f));
}

// --- binary ---

/// Text and binary files of the same records.
TEST(FbxRecordTest, BinaryGivesTheSameTreeAsText) {
  const std::string text =
      "FBXHeaderExtension: {\n FBXVersion: 7400\n}\nA: 1,2,-3,1.5,\"word\",2.5 {\n B: {\n C: 9\n }\n D: *3 {\n a: "
      "1,2,-3\n }\n E: *2 {\n a: 0.5,-8\n }\n}\n";
  for (const uint32_t version : {7400u, 7500u}) {
    for (const bool swap : {false, true}) {
      for (const bool compress : {false, true}) {
        const Binary f{version, swap};
        const auto array = [&](char type, uint32_t count, const std::string& bytes) {
          return f.array(type, count, compress ? 1 : 0, compress ? deflated(bytes) : bytes);
        };
        const std::string longs = f.number(int64_t(1)) + f.number(int64_t(2)) + f.number(int64_t(-3));
        const std::string doubles = f.number(0.5) + f.number(-8.0);
        const std::string bytes = file_of({{"A",
                                            {f.one('Y', int16_t(1)), f.one('I', 2), f.one('L', int64_t(-3)),
                                             f.one('F', 1.5f), f.text("word"), f.one('D', 2.5)},
                                            {{"B", {}, {{"C", {f.one('C', uint8_t(9))}}}},
                                             {"D", {array('l', 3, longs)}},
                                             {"E", {array('d', 2, doubles)}}}}},
                                          f);
        const File a = parse(text), b = parse(bytes);
        EXPECT_EQ(b.version, version);
        EXPECT_FALSE(b.is_text);
        for (const File* file : {&a, &b}) {
          const FbxRecord& record = *file->find("A");
          EXPECT_EQ(record.integer(0), 1);
          EXPECT_EQ(record.integer(1), 2);
          EXPECT_EQ(record.integer(2), -3);
          EXPECT_EQ(record.real(3), 1.5);
          EXPECT_EQ(record.text(4), "word");
          EXPECT_EQ(record.real(5), 2.5);
          EXPECT_EQ(record.child("B")->child("C")->integer(0), 9);
          EXPECT_THAT(file->integers(record.child("D")), ElementsAre(1, 2, -3));
          EXPECT_THAT(file->reals(record.child("E")), ElementsAre(0.5, -8));
          EXPECT_EQ(record.children.size(), 3u);
        }
      }
    }
  }
}

TEST(FbxRecordTest, ArraysOfAllTypesAreRead) {
  const Binary f;
  const File file = parse(file_of({{"f", {f.array('f', 2, 0, raw(0.5f) + raw(-2.0f))}},
                                   {"i", {f.array('i', 2, 0, raw(7) + raw(-7))}},
                                   {"b", {f.array('b', 2, 0, std::string("\1\0", 2))}},
                                   {"c", {f.array('c', 2, 0, "\x05\x06")}}}));
  EXPECT_THAT(file.reals(file.find("f")), ElementsAre(0.5, -2));
  EXPECT_THAT(file.integers(file.find("i")), ElementsAre(7, -7));
  EXPECT_THAT(file.integers(file.find("b")), ElementsAre(1, 0));
  EXPECT_THAT(file.integers(file.find("c")), ElementsAre(5, 6));
}

TEST(FbxRecordTest, RealsThatAreNoIntegersAreZero) {
  const Binary f;
  const File file = parse(file_of({{"A", {f.array('d', 3, 0, raw(1e300) + raw(double(NAN)) + raw(2.9))}}}));
  EXPECT_THAT(file.integers(file.find("A")), ElementsAre(0, 0, 2));
}

// --- malformed files ---

std::string small_text() {
  return "; FBX 7.4.0 project file\nFBXHeaderExtension: {\n FBXVersion: 7400\n}\nObjects: {\n A: 1, \"a\", \"b\" {\n "
         "V: *3 "
         "{\n a: 1,2.5,-3e2\n }\n }\n}\n";
}

std::string small_binary(uint32_t version) {
  const Binary f{version};
  return file_of({{"Objects",
                   {f.one('L', int64_t(1)), f.text("a")},
                   {{"V", {f.array('d', 2, 1, deflated(raw(1.0) + raw(2.0)))}}, {"W", {f.array('i', 1, 0, raw(3))}}}}},
                 f);
}

/// A file that is cut anywhere is read or refused, and its arrays are.
TEST(FbxRecordTest, FilesThatAreCutAnywhereAreReadOrRefused) {
  for (const std::string& whole : {small_text(), small_binary(7400), small_binary(7700)}) {
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
  for (const std::string& whole : {small_text(), small_binary(7400), small_binary(7700)}) {
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

Node nested(int depth) {
  Node node{"A"};
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
  EXPECT_EQ(refusal_of(file_of({nested(64)})), "");
  EXPECT_THAT(refusal_of(file_of({nested(65)})), HasSubstr("nested too deeply"));
}

TEST(FbxRecordTest, TextThatIsNoTreeIsRefusedWithItsLine) {
  EXPECT_THAT(refusal_of("A: {\n B: 1\n"), HasSubstr("a closing brace is missing"));
  EXPECT_THAT(refusal_of("A: 1\nB: \"open\nC: 2\n"), HasSubstr("in line 2 a quotation mark is missing"));
  EXPECT_THAT(refusal_of("A: 1\n}\n"), HasSubstr("in line 2"));
  EXPECT_THAT(refusal_of("A: 1\nword\n"), HasSubstr("in line 3"));
  EXPECT_THAT(refusal_of("A: 1, \"b\" \xff\n"), HasSubstr("in line 1"));
  EXPECT_NE(refusal_of(std::string("A: 1\n\0B: 2\n", 11)), "");
  EXPECT_NE(refusal_of("\x01\x02\x03 no FBX at all"), "");
}

/// The offset of the record's end in a file with the record `A`.
std::string with_end(uint32_t end) {
  std::string bytes = file_of({{"A", {Binary().one('I', 1)}}});
  bytes.replace(27, 4, raw(end));
  return bytes;
}

TEST(FbxRecordTest, OffsetsOutsideTheFileOrTheRecordAreRefused) {
  const std::string whole = file_of({{"A", {Binary().one('I', 1)}}});
  EXPECT_EQ(refusal_of(with_end(27 + 14 + 5)), "");
  for (const uint32_t end : {1u, 27u, 40u, uint32_t(whole.size()) + 1, UINT32_MAX}) {
    EXPECT_THAT(refusal_of(with_end(end)), HasSubstr("at byte")) << end;
  }
  std::string values = whole;  // the size of the values
  values.replace(35, 4, raw(uint32_t(4)));
  EXPECT_THAT(refusal_of(values), HasSubstr("past its record"));
  values.replace(35, 4, raw(UINT32_MAX));
  EXPECT_THAT(refusal_of(values), HasSubstr("at byte"));
  std::string count = whole;  // of the values
  count.replace(31, 4, raw(UINT32_MAX));
  EXPECT_THAT(refusal_of(count), HasSubstr("values are missing"));
}

TEST(FbxRecordTest, LongOffsetsThatWrapAroundAreRefused) {
  const std::string whole = file_of({{"A", {Binary().one('I', 1)}}}, {7500});
  for (const size_t at : {27u, 35u, 43u}) {
    std::string bytes = whole;
    bytes.replace(at, 8, raw(UINT64_MAX));
    EXPECT_THAT(refusal_of(bytes), HasSubstr("at byte")) << at;
  }
}

TEST(FbxRecordTest, UnknownTypesAndEncodingsAreRefused) {
  const Binary f;
  EXPECT_THAT(refusal_of(file_of({{"A", {f.one('X', 1)}}})), HasSubstr("a value has an unknown type"));
  EXPECT_THAT(refusal_of(file_of({{"A", {f.array('d', 1, 2, raw(1.0))}}})), HasSubstr("unknown encoding"));
}

TEST(FbxRecordTest, ArraysLargerThanTheFileAreRefused) {
  const Binary f;
  for (const char type : {'d', 'f', 'l', 'i', 'b'}) {
    EXPECT_THAT(refusal_of(file_of({{"A", {f.array(type, UINT32_MAX, 0, raw(1.0))}}})), HasSubstr("at byte")) << type;
    EXPECT_THAT(refusal_of(file_of({{"A", {f.array(type, 0x20000001, 0, raw(1.0))}}})), HasSubstr("at byte")) << type;
  }
}

std::string array_refusal(const std::string& bytes) {
  try {
    const File file = parse(bytes);
    file.reals(file.find("A"));
    return {};
  } catch (const ImportFailure& failure) {
    return failure.reason;
  }
}

TEST(FbxRecordTest, DamagedCompressedArraysAreRefused) {
  const Binary f;
  const std::string good = deflated(raw(1.0) + raw(2.0));
  EXPECT_EQ(array_refusal(file_of({{"A", {f.array('d', 2, 1, good)}}})), "");
  EXPECT_THAT(array_refusal(file_of({{"A", {f.array('d', 3, 1, good)}}})), HasSubstr("damaged")) << "too short";
  EXPECT_THAT(array_refusal(file_of({{"A", {f.array('d', 1, 1, good)}}})), HasSubstr("damaged")) << "too long";
  EXPECT_THAT(array_refusal(file_of({{"A", {f.array('d', 2, 1, "no zlib at all")}}})), HasSubstr("damaged"));
  EXPECT_THAT(array_refusal(file_of({{"A", {f.array('d', 2, 1, "")}}})), HasSubstr("damaged"));
}

/// A few bytes that claim 2^32 - 1 numbers, and a few kilobytes that hold a gigabyte of zeros in many arrays.
TEST(FbxRecordTest, CompressedBombsAreRefused) {
  const Binary f;
  const std::string zeros = deflated(std::string(size_t(8) << 20, '\0'));
  EXPECT_THAT(array_refusal(file_of({{"A", {f.array('d', UINT32_MAX, 1, zeros)}}})), HasSubstr("too large"));
  const std::string million = f.array('d', 1 << 20, 1, zeros);
  Node many{"A"};
  for (int i = 0; i < 200; ++i) many.values.push_back(million);
  EXPECT_THAT(array_refusal(file_of({many})), HasSubstr("too large"));
  EXPECT_EQ(array_refusal(file_of({{"A", {million}}})), "");
}

/// Eight bytes are held for each, whatever the type.
TEST(FbxRecordTest, BombsOfBytesAreRefused) {
  const Binary f;
  const std::string bytes = f.array('b', 1 << 20, 1, deflated(std::string(size_t(1) << 20, '\0')));
  Node many{"A"};
  for (int i = 0; i < 200; ++i) many.values.push_back(bytes);
  EXPECT_THAT(array_refusal(file_of({many})), HasSubstr("too large"));
}

}  // namespace
}  // namespace sinew::test
