// Grey images of floats and the filters on them.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

struct Image
{
  int width{}, height{};
  std::vector<float> pixels;

  Image() = default;
  Image(int w, int h) : width{w}, height{h}, pixels(static_cast<std::size_t>(w) * h) {}

  float& operator()(int x, int y) { return pixels[static_cast<std::size_t>(y) * width + x]; }
  float operator()(int x, int y) const { return pixels[static_cast<std::size_t>(y) * width + x]; }
};

// image.cxx
Image make_scene(int width, int height, int frame);
std::uint32_t checksum(const Image& image);

// filters.cxx
std::vector<float> gauss(float sigma);
void blur_rows(const Image& in, Image& out, std::span<const float> kernel);
void blur_columns(const Image& in, Image& out, std::span<const float> kernel);
void sharpen(const Image& in, const Image& blurred, Image& out, float amount);
void median3(const Image& in, Image& out);
void gamma_correct(Image& image, float gamma);

// edges.cxx
void sobel(const Image& in, Image& magnitude, Image& direction);
void thin_edges(const Image& magnitude, const Image& direction, Image& out);
int count_edges(const Image& edges, float threshold);
float brightest(const Image& image);
