#include "image.hxx"
#include <cmath>

void sobel(const Image& in, Image& magnitude, Image& direction)
{
  for (int y = 1; y < in.height - 1; ++y)
    for (int x = 1; x < in.width - 1; ++x)
    {
      const float gx = in(x + 1, y - 1) + 2 * in(x + 1, y) + in(x + 1, y + 1)
                     - in(x - 1, y - 1) - 2 * in(x - 1, y) - in(x - 1, y + 1);
      const float gy = in(x - 1, y + 1) + 2 * in(x, y + 1) + in(x + 1, y + 1)
                     - in(x - 1, y - 1) - 2 * in(x, y - 1) - in(x + 1, y - 1);
      magnitude(x, y) = std::sqrt(gx * gx + gy * gy);
      direction(x, y) = std::fabs(gx) > std::fabs(gy) ? 0.f : 1.f;
    }
}

// Keep what is highest across its edge.
void thin_edges(const Image& magnitude, const Image& direction, Image& out)
{
  for (int y = 1; y < magnitude.height - 1; ++y)
    for (int x = 1; x < magnitude.width - 1; ++x)
    {
      const float own = magnitude(x, y);
      const bool across = direction(x, y) < 0.5f;
      const float before = across ? magnitude(x - 1, y) : magnitude(x, y - 1);
      const float after = across ? magnitude(x + 1, y) : magnitude(x, y + 1);
      out(x, y) = own >= before && own >= after ? own : 0.f;
    }
}

int count_edges(const Image& edges, float threshold)
{
  int found = 0;
  for (int y = 0; y < edges.height; ++y)
    for (int x = 0; x < edges.width; ++x)
      if (edges(x, y) > threshold) ++found;
  return found;
}

float brightest(const Image& image)
{
  float most = image.pixels[0];
  for (const float p : image.pixels) most = p > most ? p : most;
  return most;
}
