// Source of the layout: "FBX binary file format specification", Blender developers' blog, 2013.
#include "fbx_binary.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "fbx/fbx_record.h"
#include "gltf_file.h"

namespace sinew::test {
namespace {

using internal::FbxDocument;
using internal::FbxRecord;
using internal::FbxValue;

class BinaryWriter {
 public:
  explicit BinaryWriter(const FbxForm& form) : form_(form) {}

  std::string file(const std::vector<FbxNode>& nodes) {
    bytes_ = std::string("Kaydara FBX Binary  \0\x1a", 22) + char(form_.swap ? 1 : 0) + form_.number(form_.version);
    for (const FbxNode& node : nodes) write(node);
    end_list();
    return bytes_;
  }

 private:
  std::string offset(uint64_t value) const {
    return form_.version >= 7500 ? form_.number(value) : form_.number(uint32_t(value));
  }
  void end_list() { bytes_ += std::string(form_.version >= 7500 ? 25 : 13, '\0'); }

  void write(const FbxNode& node) {
    std::string values;
    for (const std::string& value : node.values) values += value;
    const size_t begin = bytes_.size(), width = form_.version >= 7500 ? 8 : 4;
    bytes_ += offset(0) + offset(node.values.size()) + offset(values.size()) + char(node.name.size()) + node.name;
    bytes_ += values;
    for (const FbxNode& child : node.children) write(child);
    if (!node.children.empty()) end_list();
    bytes_.replace(begin, width, offset(bytes_.size()));
  }

  const FbxForm form_;
  std::string bytes_;
};

template <class Number>
bool holds(double value) {
  return value >= double(std::numeric_limits<Number>::lowest()) &&
         value <= double(std::numeric_limits<Number>::max()) && double(Number(value)) == value;
}

/// "Model::Arm" as binary files have it.
std::string binary_name(const std::string& name) {
  const size_t colons = name.find("::");
  return colons == name.npos ? name : name.substr(colons + 2) + std::string("\0\1", 2) + name.substr(0, colons);
}

class TextConverter {
 public:
  TextConverter(const FbxDocument& document, const FbxForm& form) : document_(document), form_(form) {}

  FbxNode node_of(const FbxRecord& record) {
    FbxNode node{std::string(record.name)};
    if (const FbxRecord* array = record.child("a")) {
      node.values.push_back(array_of(record, *array));
      return node;
    }
    if (node.name == "Content") {
      std::string content;
      for (size_t i = 0; i < record.values.size(); ++i) content += record.bytes(i);
      node.values.push_back(form_.text(from_base64(content), 'R'));
      return node;
    }
    for (size_t i = 0; i < record.values.size(); ++i) {
      const FbxValue& value = record.values[i];
      if (value.kind == FbxValue::Kind::kText) node.values.push_back(text_of(record, std::string(value.bytes)));
      if (value.kind == FbxValue::Kind::kNumberText) node.values.push_back(number_of(record, i, value));
      if (value.kind == FbxValue::Kind::kArrayText) {  // a long list before 7.0
        for (const double number : document_.reals(&record)) node.values.push_back(form_.one('D', number));
      }
    }
    for (const FbxRecord& child : record.children) node.children.push_back(node_of(child));
    return node;
  }

 private:
  /// The type of an extrapolation is a letter.
  std::string text_of(const FbxRecord& record, const std::string& text) const {
    return record.name == "Type" && text.size() == 1 ? form_.one('C', text[0]) : form_.text(binary_name(text));
  }

  /// One of the types that hold the number.
  std::string number_of(const FbxRecord& record, size_t i, const FbxValue& value) {
    const double real = record.real(i);
    const int64_t integer = record.integer(i);
    std::vector<std::string> forms;
    if (value.bytes.find_first_of(".eE#n") != value.bytes.npos) {
      forms.push_back(form_.one('D', real));
      if (holds<float>(real)) forms.push_back(form_.one('F', float(real)));
      return forms[++turn_ % forms.size()];
    }
    forms.push_back(form_.one('L', integer));
    if (holds<int32_t>(real)) forms.push_back(form_.one('I', int32_t(integer)));
    if (holds<int16_t>(real)) forms.push_back(form_.one('Y', int16_t(integer)));
    if (holds<int8_t>(real)) forms.push_back(form_.one('Z', int8_t(integer)));
    if (holds<uint8_t>(real)) forms.push_back(form_.one('B', uint8_t(integer)));
    if (holds<uint8_t>(real)) forms.push_back(form_.one('C', uint8_t(integer)));
    return forms[++turn_ % forms.size()];
  }

  template <class Number, class From>
  std::string array_of(char type, const std::vector<From>& numbers) const {
    std::string bytes;
    for (const From number : numbers) bytes += form_.number(Number(number));
    return form_.array(type, uint32_t(numbers.size()), form_.compress, form_.compress ? deflated(bytes) : bytes);
  }

  /// One of the types that hold all numbers. Text files have the bits of floats of attributes.
  std::string array_of(const FbxRecord& record, const FbxRecord& array) {
    if (record.name == "KeyAttrDataFloat") return array_of<float>('f', document_.packed_floats(&record));
    const std::vector<double> reals = document_.reals(&array);
    const std::vector<int64_t> integers = document_.integers(&array);
    const auto all = [&](auto holds_one) { return std::all_of(reals.begin(), reals.end(), holds_one); };
    std::vector<std::string> forms;
    if (all([](double r) { return r == std::floor(r) && std::abs(r) < 1e18; })) {
      forms.push_back(array_of<int64_t>('l', integers));
      if (all(holds<int32_t>)) forms.push_back(array_of<int32_t>('i', integers));
      if (all(holds<uint8_t>)) forms.push_back(array_of<uint8_t>('b', integers));
      if (all(holds<uint8_t>)) forms.push_back(array_of<uint8_t>('c', integers));
    } else {
      forms.push_back(array_of<double>('d', reals));
      if (all(holds<float>)) forms.push_back(array_of<float>('f', reals));
    }
    return forms[++turn_ % forms.size()];
  }

  const FbxDocument& document_;
  const FbxForm form_;
  size_t turn_ = 0;
};

}  // namespace

std::string fbx_binary_file(const std::vector<FbxNode>& nodes, const FbxForm& form) {
  return BinaryWriter(form).file(nodes);
}

std::string fbx_binary(const std::string& text, FbxForm form) {
  const FbxDocument document = internal::parse_text_fbx(text);
  if (document.version > 0 && document.version < 7000) form.version = document.version;
  std::vector<FbxNode> nodes;
  TextConverter converter(document, form);
  for (const FbxRecord& record : document.records) nodes.push_back(converter.node_of(record));
  return fbx_binary_file(nodes, form);
}

std::string deflated(const std::string& bytes) {
  std::string result(compressBound(uLong(bytes.size())), '\0');
  uLongf size = uLongf(result.size());
  compress(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
           uLong(bytes.size()));
  result.resize(size);
  return result;
}

}  // namespace sinew::test
