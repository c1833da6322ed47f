#include "image.hxx"
#include <cstdio>
#include <fstream>

// image_pipeline INPUT: width, height, frames, sigma.
int main(int argc, char** argv)
{
  int width = 0, height = 0, frames = 0;
  float sigma = 0;
  std::ifstream input{argc > 1 ? argv[1] : ""};
  if (!(input >> width >> height >> frames >> sigma))
  {
    std::fprintf(stderr, "usage: image_pipeline INPUT\n");
    return 2;
  }
  const std::vector<float> kernel = gauss(sigma);
  Image clean(width, height), rows(width, height), blurred(width, height), sharp(width, height);
  Image magnitude(width, height), direction(width, height), thin(width, height);
  for (int frame = 0; frame < frames; ++frame)
  {
    const Image scene = make_scene(width, height, frame);
    median3(scene, clean);
    blur_rows(clean, rows, kernel);
    blur_columns(rows, blurred, kernel);
    sharpen(clean, blurred, sharp, 0.8f);
    gamma_correct(sharp, 0.8f);
    sobel(sharp, magnitude, direction);
    thin_edges(magnitude, direction, thin);
    std::printf("frame %d edges %d brightest %.4f blurred %08x\n", frame, count_edges(thin, 0.7f), brightest(sharp),
                checksum(blurred));
  }
}
