// usage: sinew_make_models FOLDER
// Writes the models of made_models.h.
#include <cstdio>
#include <string>

#include "made_models.h"
#include "sinew/import/model.h"

int main(int argc, char** argv) {
  using namespace sinew;
  if (argc != 2) return 2;
  const auto write = [&](const char* name, const Result<SharedModel>& model) {
    const Status written = model ? write_model_file(std::string(argv[1]) + "/" + name, **model) : Status(model.error());
    if (!written) std::fprintf(stderr, "%s: %s\n", name, written.error().message.c_str());
    return bool(written);
  };
  return write("plain.sinew", test::make_plain_model()) && write("built_in.sinew", test::make_built_in_model()) &&
                 write("dressed.sinew", test::make_dressed_model())
             ? 0
             : 1;
}
