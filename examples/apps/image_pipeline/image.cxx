#include "image.hxx"
#include <cmath>

Image make_scene(int width, int height, int frame)
{
  Image scene(width, height);
  std::uint32_t noise = 12345u + static_cast<std::uint32_t>(frame);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
    {
      noise = noise * 1664525u + 1013904223u;
      const int square = ((x + 3 * frame) / 16 + y / 16) & 1;
      const int dx = x - width / 2, dy = y - height / 2;
      const float disc = dx * dx + dy * dy < height * height / 9 ? 0.3f : 0.0f;
      scene(x, y) = 0.2f + 0.4f * square + disc + 0.05f * static_cast<float>(noise >> 8) / 16777216.0f;
    }
  return scene;
}

// Of 8-bit values, so that the last bits of floats do not count.
std::uint32_t checksum(const Image& image)
{
  std::uint32_t sum = 0;
  for (const float p : image.pixels)
  {
    const float clamped = p < 0.f ? 0.f : p > 1.f ? 1.f : p;
    sum = sum * 31u + static_cast<std::uint32_t>(clamped * 15.f + 0.5f);
  }
  return sum;
}
