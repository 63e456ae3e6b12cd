// Palettes of a chunk in shared memory, in skin.comp: each entry that the chunk uses is read once for all vertices.

// Kernels for any number of influences read palettes themselves: their chunks have no list.
const bool kCopiesPalettes = kSharedPalettes != 0 && kInfluences != 0;
const uint kCopiedRows = gl_WorkGroupSize.x;  // of a palette: a row for each thread
shared vec4 copied_rows[kCopiesPalettes ? kSlots * kCopiedRows : 1];

const uint kNoRow = 0xffffffffu;

// The row of palettes that this thread copies; kNoRow: none.
uint copied_row(SkinChunk chunk) {
  uint at = gl_LocalInvocationID.x;
  if (!kCopiesPalettes || at >= kRowsPerEntry * chunk.entry_count) return kNoRow;
  return kRowsPerEntry * mesh_words[chunk.first_entry + at / kRowsPerEntry] + at % kRowsPerEntry;
}

// `palette` is the first row of an instance's palette.
void copy_row(uint row, uint palette, uint slot) {
  if (row != kNoRow) copied_rows[slot * kCopiedRows + gl_LocalInvocationID.x] = palette_row(palette + row);
}

// A palette entry from its first row: of the palettes, or of their copy. With kPartArithmetic nothing is loaded: the
// rows are made-up numbers from 0.25 on.
vec4[3] entry(uint row) {
  if (kPart == kPartArithmetic) {
    vec4 made_up = uintBitsToFloat(row + uvec4(0x3e800000, 0x3e900000, 0x3ea00000, 0x3eb00000));
    return vec4[3](made_up, made_up.yzwx, made_up.zwxy);
  }
  if (!kCopiesPalettes) return palette_entry(row);
  return vec4[3](copied_rows[row], copied_rows[row + 1], copied_rows[row + 2]);
}
