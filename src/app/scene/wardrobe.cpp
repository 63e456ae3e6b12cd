#include "scene/wardrobe.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "sinew/animation/pose.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/import/model.h"

namespace sinew::app {
namespace {

constexpr uint32_t kSides = 20;  // of a surface of revolution
constexpr float kEars = 0.5f;    // of a head's height: the share below the upper ends of its ears
constexpr float kNoHat = 0.02f;  // of it: what is higher above skin and hair is a hat

/// A point of a profile: the distance from the axis and the height, in shares of a part of the body.
struct ProfilePoint {
  float radius = 0, height = 0;
};

/// How a thing looks: a color of its own, or that of a region of the person.
struct Cloth {
  Vec3 color;
  Region region = Region::kNone;
};

/// What all of one choice have in common.
struct Garment {
  std::string_view name;
  std::string_view joint;
  float share = 0;  // of people that wear one
};

constexpr Garment kHat{"hat", "head", 0.72f}, kBag{"bag", "pelvis", 0.35f};
constexpr std::array kChoices = {kHat, kBag};

/// A thing of the wardrobe: a surface of revolution.
struct Thing {
  std::string_view name;
  const Garment& choice;
  Cloth cloth;
  std::span<const ProfilePoint> profile;
};

constexpr ProfilePoint kStraw[] = {{1.05f, 0.66f}, {1.75f, 0.62f}, {1.75f, 0.65f}, {1.12f, 0.71f},
                                   {1.06f, 0.98f}, {0.8f, 1.13f},  {0, 1.15f}};
constexpr ProfilePoint kBeanie[] = {{1.02f, 0.58f}, {1.15f, 0.58f}, {1.15f, 0.72f}, {1.07f, 0.73f},
                                    {1.05f, 0.95f}, {0.75f, 1.12f}, {0, 1.19f}};
constexpr ProfilePoint kBeret[] = {{1.04f, 0.7f}, {1.08f, 0.74f}, {1.5f, 0.86f},
                                   {1.42f, 1.0f}, {0.7f, 1.1f},   {0, 1.12f}};
constexpr ProfilePoint kBucket[] = {{1.06f, 0.72f}, {1.6f, 0.52f}, {1.63f, 0.54f}, {1.14f, 0.76f},
                                    {1.0f, 1.05f},  {0.9f, 1.12f}, {0, 1.13f}};
constexpr ProfilePoint kPointed[] = {{1.05f, 0.68f}, {1.6f, 0.64f}, {1.6f, 0.67f}, {1.1f, 0.74f},
                                     {0.75f, 1.1f},  {0.3f, 1.6f},  {0, 1.75f}};
constexpr ProfilePoint kPouch[] = {{0, 0}, {0.8f, 0.03f}, {1.0f, 0.3f}, {0.95f, 0.75f}, {0.6f, 0.95f}, {0, 1.0f}};

constexpr Vec3 kStrawColor{0.58f, 0.42f, 0.17f}, kLeather{0.16f, 0.08f, 0.04f}, kFelt{0.06f, 0.06f, 0.07f};

const Thing kThings[] = {
    {"straw hat", kHat, {kStrawColor}, kStraw},
    {"beanie", kHat, {{}, Region::kTop}, kBeanie},
    {"beret", kHat, {{}, Region::kTrousers}, kBeret},
    {"bucket hat", kHat, {{}, Region::kTop}, kBucket},
    {"pointed hat", kHat, {kFelt}, kPointed},
    {"felt hat", kHat, {kLeather}, kStraw},
    {"bag", kBag, {kLeather}, kPouch},
    {"cloth bag", kBag, {{}, Region::kTop}, kPouch},
};

/// A part of the body in the rest pose, in model space: where a thing is put, and how large it is.
struct Place {
  Vec3 bottom;  // on the axis
  Vec3 size;    // the radii along x and z, and the height
};

/// The vertices that a joint moves most.
std::vector<uint32_t> vertices_of(const Character& character, std::string_view joint_name) {
  const auto joint = find_joint(character.skeleton, joint_name);
  std::vector<uint32_t> vertices;
  for (uint32_t v = 0; joint && v < character.mesh.vertex_count(); ++v) {
    const uint32_t entry = character.mesh.influences_of(v)[0].entry;
    if (character.skin.entries[entry].joint == int32_t(*joint)) vertices.push_back(v);
  }
  return vertices;
}

/// The region at a vertex of a character that has regions. `uv`: of its base color.
Region region_at(const Character& character, uint32_t vertex, Vec2 uv) {
  const auto has = [&](const MeshPart& part) {
    return vertex >= part.first_vertex && vertex < part.first_vertex + part.vertex_count;
  };
  const auto part = std::ranges::find_if(character.mesh.parts, has);
  const int32_t index = character.materials[part->material].base_color_texture.image;
  if (index < 0) return Region::kNone;
  const sinew::Image& image = character.images[size_t(index)];
  const auto texel = [](float at, uint32_t size) {
    const float share = at - std::floor(at);
    return share >= 0 ? std::min(uint32_t(share * float(size)), size - 1) : 0;  // not a number: 0
  };
  return Region(255 - image.rgba[4 * (size_t(texel(uv.y, image.height)) * image.width + texel(uv.x, image.width)) + 3]);
}

/// The skull with its hair, from the chin up. None: something is on it already, or nothing says what is hair and what
/// is a hat.
std::optional<Place> bare_head(const Model& model, std::span<const Vec3> rest) {
  if (!model.regions) return {};
  Box skin = kEmptyBox, bare = kEmptyBox, all = kEmptyBox;
  const auto uvs = base_color_uvs(model.character.mesh, model.character.materials);
  if (!uvs) return {};
  std::vector<Vec3> seen;
  for (const uint32_t v : vertices_of(model.character, kHat.joint)) {
    const Region region = region_at(model.character, v, (*uvs)[v]);
    include(all, rest[v]);
    if (region == Region::kSkin) include(skin, rest[v]);
    if (region != Region::kSkin && region != Region::kHair) continue;
    include(bare, rest[v]);
    seen.push_back(rest[v]);
  }
  if (seen.empty() || !(skin.low.y < bare.high.y) || bare.high.y + kNoHat * size_of(bare).y < all.high.y) return {};
  Box skull = kEmptyBox;  // above the ears, and without what hangs from it
  const float bottom = skin.low.y, height = bare.high.y - bottom;
  for (const Vec3 at : seen) {
    if (at.y > bottom + kEars * height) include(skull, at);
  }
  const Vec3 size = size_of(skull), middle = (skull.low + skull.high) * 0.5f;
  return Place{{middle.x, bottom, middle.z}, {size.x / 2, height, size.z / 2}};
}

/// At the left hip.
std::optional<Place> hip(const Model& model, std::span<const Vec3> rest) {
  Box box = kEmptyBox;
  for (const uint32_t v : vertices_of(model.character, kBag.joint)) include(box, rest[v]);
  if (!(box.low.y < box.high.y)) return {};
  const Vec3 size = size_of(box), middle = (box.low + box.high) * 0.5f;
  return Place{{box.high.x + 0.08f * size.x, box.low.y - 0.1f * size.y, middle.z},
               {0.16f * size.x, 0.9f * size.y, 0.3f * size.z}};
}

float srgb_of(float linear) {
  return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}

/// One texel with the color that the region has in the file: people have other colors in its place.
sinew::Image image_of(Vec3 color, Region region) {
  const auto byte = [](float value) { return uint8_t(std::lround(255 * std::clamp(srgb_of(value), 0.0f, 1.0f))); };
  sinew::Image image;
  image.width = image.height = 1;
  image.rgba = {byte(color.x), byte(color.y), byte(color.z), uint8_t(255 - uint32_t(region))};
  return image;
}

Material material_of(const Cloth& cloth, const Model& model, std::vector<sinew::Image>& images) {
  Material material;
  material.roughness = 0.9f, material.metallic = 0;
  material.double_sided = true;
  if (cloth.region == Region::kNone || !model.regions) {
    const Vec3 color = cloth.region == Region::kNone ? cloth.color : kFelt;
    material.name = "cloth", material.base_color = {color.x, color.y, color.z, 1};
    return material;
  }
  material.name = "cloth" + std::string(kRegionsSuffix);
  material.base_color_texture.image = int32_t(images.size());
  images.push_back(image_of((*model.regions)[size_t(cloth.region) - 1].mean, cloth.region));
  return material;
}

/// A surface of revolution. Rings of a profile meet at a smooth edge.
Mesh revolve(std::span<const ProfilePoint> profile, const Place& place) {
  Mesh mesh;
  mesh.first_influence = {0};
  const auto rings = uint32_t(profile.size());
  for (uint32_t ring = 0; ring < rings; ++ring) {
    const ProfilePoint &before = profile[ring == 0 ? 0 : ring - 1], &after = profile[std::min(ring + 1, rings - 1)];
    const float along_radius = (after.radius - before.radius) * place.size.x,
                along_height = (after.height - before.height) * place.size.y;
    for (uint32_t side = 0; side <= kSides; ++side) {
      const float angle = float(side % kSides) * 2 * std::numbers::pi_v<float> / float(kSides);
      const float c = std::cos(angle), s = std::sin(angle);
      mesh.positions.push_back(place.bottom + Vec3{profile[ring].radius * place.size.x * c,
                                                   profile[ring].height * place.size.y,
                                                   profile[ring].radius * place.size.z * s});
      mesh.normals.push_back(normalize(Vec3{along_height * c, -along_radius, along_height * s}, {0, 1, 0}));
      mesh.uvs.push_back({float(side) / float(kSides), float(ring) / float(rings)});
      mesh.influences.push_back({0, 1});
      mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
      if (ring + 1 == rings || side == kSides) continue;
      const uint32_t a = ring * (kSides + 1) + side, b = a + kSides + 1;
      for (const uint32_t index : {a, b, a + 1, a + 1, b, b + 1}) mesh.indices.push_back(index);
    }
  }
  mesh.parts.push_back({"thing", PartKind::kStatic, 0, 0, mesh.vertex_count(), 0, uint32_t(mesh.indices.size())});
  return mesh;
}

/// The joints of the things, their places in the rest pose, and the vertices of the body there.
struct Measures {
  std::vector<Matrix3x4d> model_from_joint;
  std::vector<Vec3> rest;
};

Measures measure(const Model& model) {
  const Character& character = model.character;
  Measures measures;
  measures.model_from_joint.resize(character.skeleton.joint_count());
  walk_hierarchy(character.skeleton, character.skeleton.rest_pose, measures.model_from_joint);
  std::vector<Matrix3x4> palette(character.skin.palette_size());
  build_palette(character.skin, measures.model_from_joint, palette);
  measures.rest.resize(character.mesh.vertex_count());
  std::vector<Vec3> normals(measures.rest.size());
  skin_on_cpu(character.mesh, palette, measures.rest, normals);
  return measures;
}

WearableOptions make(const Thing& thing, const Model& model, const Place& place, const Measures& measures) {
  const auto joint = find_joint(model.character.skeleton, thing.choice.joint);
  auto made = std::make_shared<Character>();
  made->name = thing.name;
  made->mesh = revolve(thing.profile, place);
  made->mesh.blend = model.character.mesh.blend;
  made->materials.push_back(material_of(thing.cloth, model, made->images));
  made->skin.entries.emplace_back();
  WearableOptions wanted;
  wanted.name = thing.name, wanted.choice = thing.choice.name;
  wanted.from = std::move(made), wanted.joint = thing.choice.joint;
  wanted.joint_from_wearable = matrix_cast<float>(inverse(measures.model_from_joint[*joint]));
  return wanted;
}

}  // namespace

Status fill_wardrobe(Model& model) {
  if (model.character.space.up.y < 0.99f) return {};
  const Measures measures = measure(model);
  const std::optional<Place> head = bare_head(model, measures.rest), side = hip(model, measures.rest);
  std::vector<WearableOptions> wanted;
  for (const Thing& thing : kThings) {
    const std::optional<Place>& place = thing.choice.name == kHat.name ? head : side;
    if (place) wanted.push_back(make(thing, model, *place, measures));
  }
  if (wanted.empty()) return {};
  CharacterFile file = take_file(model);
  const Status added = add_wearables(file, wanted);
  give_back(std::move(file), model);
  return added;
}

std::vector<uint64_t> choose_outfits(std::span<const Model> models, const Scene& scene) {
  std::vector<uint64_t> outfits;
  if (std::ranges::all_of(models, [](const Model& model) { return model.wearables.empty(); })) return outfits;
  outfits.resize(scene.count());
  for (const Batch& batch : scene.batches) {
    const std::vector<Wearable>& wearables = models[batch.model].wearables;
    for (uint32_t i = batch.first_instance; i < batch.first_instance + batch.instance_count; ++i) {
      Random random{mix(scene.randoms[i] ^ 0x776561726162)};
      for (const Garment& choice : kChoices) {
        const float drawn = random.unit() / choice.share;
        std::vector<uint32_t> own;
        for (uint32_t w = 0; w < wearables.size(); ++w) {
          if (wearables[w].choice == choice.name) own.push_back(w);
        }
        if (drawn < 1 && !own.empty())
          outfits[i] |= uint64_t{1} << own[std::min(size_t(drawn * float(own.size())), own.size() - 1)];
      }
    }
  }
  return outfits;
}

}  // namespace sinew::app
