#include "image.hxx"
#include <algorithm>
#include <cmath>

namespace
{
  // Out of the image the nearest pixel counts.
  inline int inside(int at, int length) { return at < 0 ? 0 : at >= length ? length - 1 : at; }

  inline void order(float& a, float& b)
  {
    const float low = std::min(a, b), high = std::max(a, b);
    a = low;
    b = high;
  }
}

std::vector<float> gauss(float sigma)
{
  const int radius = static_cast<int>(std::ceil(3 * sigma));
  std::vector<float> kernel(2 * radius + 1);
  float sum = 0;
  for (int k = -radius; k <= radius; ++k) sum += kernel[k + radius] = std::exp(-0.5f * k * k / (sigma * sigma));
  for (float& weight : kernel) weight /= sum;
  return kernel;
}

void blur_rows(const Image& in, Image& out, std::span<const float> kernel)
{
  const int radius = static_cast<int>(kernel.size()) / 2;
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x)
    {
      float sum = 0;
      for (int k = -radius; k <= radius; ++k) sum += kernel[k + radius] * in(inside(x + k, in.width), y);
      out(x, y) = sum;
    }
}

void blur_columns(const Image& in, Image& out, std::span<const float> kernel)
{
  const int radius = static_cast<int>(kernel.size()) / 2;
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x)
    {
      float sum = 0;
      for (int k = -radius; k <= radius; ++k) sum += kernel[k + radius] * in(x, inside(y + k, in.height));
      out(x, y) = sum;
    }
}

void sharpen(const Image& in, const Image& blurred, Image& out, float amount)
{
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x) out(x, y) = in(x, y) + amount * (in(x, y) - blurred(x, y));
}

void median3(const Image& in, Image& out)
{
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x)
    {
      float v[9];
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) v[3 * j + i] = in(inside(x + i - 1, in.width), inside(y + j - 1, in.height));
      order(v[1], v[2]); order(v[4], v[5]); order(v[7], v[8]);
      order(v[0], v[1]); order(v[3], v[4]); order(v[6], v[7]);
      order(v[1], v[2]); order(v[4], v[5]); order(v[7], v[8]);
      order(v[0], v[3]); order(v[5], v[8]); order(v[4], v[7]);
      order(v[3], v[6]); order(v[1], v[4]); order(v[2], v[5]);
      order(v[4], v[7]); order(v[4], v[2]); order(v[6], v[4]);
      order(v[4], v[2]);
      out(x, y) = v[4];
    }
}

void gamma_correct(Image& image, float gamma)
{
  for (float& p : image.pixels) p = std::pow(std::max(p, 0.0f), gamma);
}
