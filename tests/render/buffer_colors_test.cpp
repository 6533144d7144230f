#include "render/buffer_colors.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/query/memory_stack.h"
#include "render/oklch.h"
#include "tests/support/trace_maker.h"

namespace bytescope::render {
namespace {

using testing::ElementsAre;

TEST(TypeSlot, TellsTheUsualTypesApartInEveryRun) {
  std::set<std::size_t> slots;
  for (const char* type : {"float", "half", "bfloat16", "int", "uchar", "long", "uint", "bool"})
    slots.insert(type_slot(type));
  EXPECT_EQ(slots.size(), type_fill_count);
  EXPECT_EQ(type_slot("dtypes.half"), type_slot("half"));
  EXPECT_EQ(type_slot("something new"), type_slot("something new"));
  EXPECT_LT(type_slot("something new"), type_fill_count);
}

TEST(SizeSlot, GrowsByPowersOfTen) {
  EXPECT_EQ(size_slot(0), 0U);
  EXPECT_EQ(size_slot(999), 0U);
  EXPECT_EQ(size_slot(1000), 1U);
  EXPECT_EQ(size_slot(9999), 1U);
  EXPECT_EQ(size_slot(10'000'000), 5U);
  EXPECT_EQ(size_slot(UINT64_MAX), size_fill_count - 1);
}

TEST(BufferFills, DifferFromEachOther) {
  for (const Theme* theme : {&dark_theme(), &light_theme()}) {
    std::set<std::uint32_t> seen;
    for (const auto* fills : {&theme->type_fills, &theme->size_fills}) {
      for (const auto& pair : *fills) {
        EXPECT_TRUE(seen.insert(std::uint32_t{pair[0].r} << 16U | std::uint32_t{pair[0].g} << 8U |
                                pair[0].b)
                        .second);
      }
    }
  }
}

/// Three buffers on each other: 4 MB of float, 2 MB of half, 8 kB of half.
class BufferPaletteTest : public testing::Test {
protected:
  BufferPaletteTest() {
    bytepack::TraceDescription trace;
    trace.dtype_bytes = {{"float", 4}, {"half", 2}};
    trace.duration_us = 100;
    bytepack::TrackDescription memory;
    memory.name = "AMD Memory";
    memory.kind = bytepack::TrackKind::memory;
    memory.memory = {{true, 0, 0, "float", 1'000'000},
                     {true, 0, 1, "half", 1'300'000},
                     {true, 0, 2, "half", 4000},
                     {false, 50, 0, "", 0}};
    trace.tracks = {memory};
    loaded = tests::load_description(trace);
  }
  const trace::MemoryIndex& memory() const { return *loaded->tracks[0].memory; }
  BufferPalette palette(BufferColors colors) const {
    return {memory(), colors, dark_theme(), [this](std::uint32_t dtype) {
              io::PageReader reader(loaded->file);
              return loaded->text(reader, dtype);
            }};
  }
  std::vector<std::string> legend(BufferColors colors) const {
    const query::StackColumns cells = query::memory_stack(memory(), {0, 10'000, 10}, 1, Cancel());
    std::vector<std::string> texts;
    for (const LegendEntry& entry : palette(colors).legend(cells)) texts.push_back(entry.text);
    return texts;
  }
  std::shared_ptr<const trace::Trace> loaded;
};

TEST_F(BufferPaletteTest, ColoursByWhatIsAskedFor) {
  const Theme& theme = dark_theme();
  EXPECT_EQ(palette(BufferColors::type).color(1), theme.type_fills[type_slot("half")][1]);
  EXPECT_EQ(palette(BufferColors::size).color(0), theme.size_fills[size_slot(4'000'000)][0]);
  EXPECT_EQ(palette(BufferColors::lifetime).color(1), theme.buffer_fills[0][1]) << "never freed";
}

TEST_F(BufferPaletteTest, TellsWhatTheColoursMean) {
  EXPECT_THAT(legend(BufferColors::lifetime), ElementsAre("never freed", "long-lived"));
  EXPECT_THAT(legend(BufferColors::type), ElementsAre("half", "float"))
      << "half takes less, but for twice as long";
  EXPECT_THAT(legend(BufferColors::size), ElementsAre("1.00 MB to 10.0 MB", "1.00 kB to 10.0 kB"));
}

}  // namespace
}  // namespace bytescope::render
