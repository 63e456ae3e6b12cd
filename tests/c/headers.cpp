// The headers of the C interface as C++11. Compiling this file is the test.
#include "sinew/c/sinew.h"

void use_headers_of_c();
void use_headers_of_c() {
  SinewError error = SINEW_INIT(SinewError);
  SinewSkinnerInfo info = SINEW_INIT(SinewSkinnerInfo);
  SinewSkinner* skinner = nullptr;
  if (sinew_skinner_create(&info, &skinner, &error) != SINEW_OK) return;
  sinew_skinner_destroy(skinner);
}
