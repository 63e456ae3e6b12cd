// What surfaces look like: pixels of a cloth in front of a wall. All skinning modes, with and without shadow maps and a
// depth pass.
#include <cmath>

#include "render/surfaces.h"

namespace sinew::app {
namespace {

using Photos = std::span<const Photo>;

/// The cloth before the wall, changed.
template <class Change>
Character cloth(const Change& change) {
  Character character = cloth_before_wall();
  character.images = {half_clear()};
  change(character, character.materials[1]);
  return character;
}

/// A wall, and before it what `add` adds.
template <class Add>
Character before_wall(const Add& add) {
  Character character = cloth_before_wall();
  character.mesh = {};
  character.mesh.first_influence = {0};
  add_square(character.mesh, "wall", 0, 1, 0);
  add(character, character.mesh);
  return character;
}

/// The wall comes after the cloth in the file: the cloth must not hide it.
Character blended_cloth(float alpha) {
  return cloth([&](Character& c, Material&) {
    std::swap(c.materials[0], c.materials[1]);
    c.mesh.parts[0].material = 1, c.mesh.parts[1].material = 0;
    c.materials[0].alpha_mode = AlphaMode::kBlend, c.materials[0].base_color.w = alpha;
  });
}

/// Two squares of one material that blends, whose triangles come in either order: the back is red.
Character front_and_back(bool front_first) {
  return before_wall([&](Character& c, Mesh& mesh) {
    if (front_first) add_square(mesh, "front", 1, 0.5f, 0.2f);
    add_square(mesh, "back", 1, 0.5f, 0.1f, true);
    if (!front_first) add_square(mesh, "front", 1, 0.5f, 0.2f);
    mesh.colors.resize(12);
    for (const MeshPart& part : mesh.parts) {
      for (uint32_t v = part.first_vertex; part.name == "back" && v < part.first_vertex + 4; ++v)
        mesh.colors[v] = {65535, 0, 0, 65535};
    }
    c.materials[1] = {
        .name = "cloth", .base_color = {0.9f, 0.9f, 0.9f, 0.6f}, .alpha_mode = AlphaMode::kBlend, .double_sided = true};
  });
}

Character backward_cloth(bool double_sided) {
  return before_wall([&](Character& c, Mesh& mesh) {
    add_square(mesh, "cloth", 1, 0.5f, 0.2f, true);
    c.materials[1].double_sided = double_sided;
  });
}

Character half_unlit(float light) {
  return cloth([&](Character& c, Material& m) {
    c.materials[0].base_color = m.base_color = {0.5f, 0.5f, 0.5f, 1};
    m.unlit = true;
    for (Vec3& normal : c.mesh.normals) normal = light < 0 ? Vec3{0, -1, 0} : normal;  // away from the light
  });
}

/// From behind, a double-sided wall is lit as one that looks there.
Exhibit wall_from_behind(bool double_sided, bool mirrored) {
  Character character = cloth_before_wall();
  Mesh& mesh = character.mesh = {};
  mesh.first_influence = {0};
  add_square(mesh, "wall", 0, 1, 0, true);
  character.materials[0].double_sided = double_sided;
  for (Vec3& normal : mesh.normals) normal.z = double_sided ? 1 : -1;  // the normals of the other side
  if (mirrored) std::swap(mesh.indices[1], mesh.indices[2]), std::swap(mesh.indices[4], mesh.indices[5]);
  return {std::move(character), 3.14159265f};
}

Character masked(float alpha_cutoff) {
  return cloth([&](Character& c, Material& m) {
    c.mesh.colors.resize(8);
    c.mesh.colors[4].a = c.mesh.colors[6].a = 0;  // the left corners of the cloth
    m.alpha_mode = AlphaMode::kMask, m.base_color.w = 0.9f;
    m.alpha_cutoff = alpha_cutoff;
  });
}

std::vector<SurfaceCase> surfaces() {
  const Character plain = cloth_before_wall();
  return {
      // The wall is 2 m high, and as wide whatever its height is.
      {"they are stretched upward",
       {{plain, 0, 0, -32}, {plain}, {plain, 0, 0, 31}},
       [](Photos seen, const How&) {
         for (size_t i = 0; i < 3; ++i) {
           EXPECT_EQ(is_red(seen[i].at(0, 1.92f, 0)), i > 0);
           EXPECT_EQ(is_red(seen[i].at(0, 2.08f, 0)), i > 1);
           EXPECT_TRUE(is_red(seen[i].at(0.95f, 1, 0)) && !is_red(seen[i].at(1.05f, 1, 0)));
         }
       }},
      {"alpha of what is opaque is ignored",
       {{cloth([](Character&, Material& m) { m.base_color_texture.image = 0, m.base_color.w = 0.1f; })}},
       [](Photos seen, const How&) {
         EXPECT_TRUE(is_blue(seen[0].left()) && is_blue(seen[0].right()) && is_red(seen[0].wall()));
       }},
      {"masks have holes",
       {{cloth([](Character&, Material& m) { m.base_color_texture.image = 0, m.alpha_mode = AlphaMode::kMask; })}},
       [](Photos seen, const How&) { EXPECT_TRUE(is_red(seen[0].left()) && is_blue(seen[0].right())); }},
      {"masks are cut by the alpha of vertices and by the factor too",
       {{masked(0.5f)}, {masked(0.95f)}},
       [](Photos seen, const How&) {
         EXPECT_TRUE(is_red(seen[0].left()) && is_blue(seen[0].right()));
         EXPECT_TRUE(is_red(seen[1].right()));
       }},
      {"what blends shows what is behind in the shares of its alpha",
       {{plain}, {blended_cloth(0)}, {blended_cloth(0.5f)}},
       [](Photos seen, const How& how) {
         const Color opaque = seen[0].right(), behind = seen[1].right();
         EXPECT_TRUE(is_red(behind));
         const auto linear = [](int byte) { return std::pow(double(byte) / 255, 2.2); };
         const auto mean = [&](int a, int b) { return int(255 * std::pow((linear(a) + linear(b)) / 2, 1 / 2.2)); };
         const Color expected{mean(opaque.r, behind.r), mean(opaque.g, behind.g), mean(opaque.b, behind.b)};
         EXPECT_LT(distance(seen[2].right(), expected), how.passes > 1 ? 25 : 6);
       }},
      // The veil is behind the cloth, but a later material. Neither writes depth: the last covers.
      {"what blends is drawn in the order of its materials",
       {{cloth([](Character& c, Material& m) {
         m.alpha_mode = AlphaMode::kBlend, m.base_color.w = 0.9f;
         add_square(c.mesh, "veil", 2, 0.5f, 0.1f);
         c.materials.push_back(
             {.name = "veil", .base_color = {0.1f, 0.8f, 0.1f, 0.9f}, .alpha_mode = AlphaMode::kBlend});
       })}},
       [](Photos seen, const How&) { EXPECT_GT(seen[0].right().g, seen[0].right().b); }},
      {"of what blends front faces cover back faces",
       {{front_and_back(false)}, {front_and_back(true)}},
       [](Photos seen, const How&) {
         EXPECT_LT(distance(seen[0].right(), seen[1].right()), 2);
         EXPECT_LT(seen[0].right().r, 2 * seen[0].right().b) << "the white front covers the red back";
       }},
      {"backs are seen only of double-sided parts",
       {{backward_cloth(false)}, {backward_cloth(true)}},
       [](Photos seen, const How&) {
         EXPECT_TRUE(is_red(seen[0].right()) && is_blue(seen[1].right()));
         EXPECT_TRUE(is_red(seen[0].wall()) && is_red(seen[1].wall()));
       }},
      {"unlit colors are seen as they are",
       {{half_unlit(1)}, {half_unlit(-1)}},
       [](Photos seen, const How&) {
         EXPECT_GT(distance(seen[0].left(), seen[0].wall()), 20);
         EXPECT_EQ(distance(seen[0].left(), seen[1].left()), 0);
         EXPECT_GT(distance(seen[0].wall(), seen[1].wall()), 20);
       }},
      {"the back is lit by its own normal",
       {wall_from_behind(false, false), wall_from_behind(true, false), wall_from_behind(true, true)},
       [](Photos seen, const How&) {
         for (size_t i = 1; i < 3; ++i)
           EXPECT_LT(distance(seen[i].at(0.5f, 1.5f, 0), seen[0].at(0.5f, 1.5f, 0)), 3) << i;
       }},
      {"colors of vertices tint",
       {{cloth([](Character& c, Material& m) {
         m.base_color = {1, 1, 1, 1};
         c.mesh.colors.resize(8);
         for (const size_t corner : {4u, 6u}) c.mesh.colors[corner] = {60000, 0, 0, 0};  // alpha is ignored
         for (const size_t corner : {5u, 7u}) c.mesh.colors[corner] = {0, 0, 60000, 65535};
       })}},
       [](Photos seen, const How&) {
         EXPECT_TRUE(is_red(seen[0].at(-0.45f, 1, 0.2f)) && is_blue(seen[0].at(0.45f, 1, 0.2f)));
       }},
  };
}

TEST_F(Surfaces, LookAsTheirMaterialsSay) {
  for (const How& how : kHows) expect_seen(surfaces(), how);
}

/// The sun is at the upper right: the shadow of the cloth lies at the left of it.
TEST_F(Surfaces, MasksAndHairCastTheirShadowAndGlassDoesNot) {
  const auto casts = [](AlphaMode mode, float alpha, bool image) {
    return Exhibit{cloth([&](Character&, Material& m) {
      m.alpha_mode = mode, m.base_color.w = alpha;
      m.base_color_texture.image = image ? 0 : -1;
    })};
  };
  const auto check = [](Photos seen, const How&) {
    const auto shadow = [&](size_t i) { return seen[i].wall().r - seen[i].at(-0.65f, 0.7f, 0).r; };
    EXPECT_GT(shadow(0), 10);
    EXPECT_LT(shadow(1), shadow(0) / 3) << "a hole lets the light through";
    EXPECT_GT(shadow(2), shadow(0) * 2 / 3) << "hair";
    EXPECT_LT(shadow(3), shadow(0) / 3) << "glass";
  };
  expect_seen({{"shadows",
                {casts(AlphaMode::kOpaque, 1, false), casts(AlphaMode::kMask, 1, true),
                 casts(AlphaMode::kBlend, 0.8f, false), casts(AlphaMode::kBlend, 0.2f, false)},
                check}},
              {SkinningMode::kCompute, 2});
}

TEST_F(Surfaces, DataColorsAndVelocityDrawThemToo) {
  std::vector<Exhibit> exhibits;
  for (const AlphaMode mode : {AlphaMode::kOpaque, AlphaMode::kMask, AlphaMode::kBlend})
    exhibits.push_back({cloth([&](Character&, Material& m) {
      m.base_color_texture.image = 0;
      m.alpha_mode = mode;
    })});
  const auto check = [](Photos all, const How&) {
    for (const Photo& seen : all) EXPECT_LT(distance(seen.left(), seen.wall()), 12) << "one color for all parts";
  };
  for (const Coloring coloring : {Coloring::kLevel, Coloring::kUpdateGroup, Coloring::kVelocity}) {
    if (coloring == Coloring::kVelocity && !context_.device.buffer_addresses) continue;
    expect_seen({{"data colors", exhibits, check}}, {SkinningMode::kCompute, 4, coloring});
  }
}

}  // namespace
}  // namespace sinew::app
