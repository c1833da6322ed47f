#include <cstdio>
#include <fstream>
#include <string>

#include "render.hpp"

namespace {

// A row of the picture in letters.
std::string drawn(const std::vector<float>& light, int width, int row) {
    static const char shades[] = " .:-=+*#";
    std::string line;
    for (int i = 0; i < width; i += width / 48) {
        const float v = light[row * width + i] + 0.013f;
        line += shades[v < 0 ? 0 : v >= 1 ? 7 : static_cast<int>(8 * v)];
    }
    return line;
}

}  // namespace

int main(int argc, char** argv) {
    int width = 0, height = 0, frames = 0;
    std::ifstream input(argc == 2 ? argv[1] : "");
    if (!(input >> width >> height >> frames)) {
        std::fprintf(stderr, "usage: ray_marcher INPUT, a file with: width, height, frames\n");
        return 2;
    }
    rm::Camera camera{{0.0f, 0.9f, -4.0f}, 1.1f, width, height};
    std::vector<float> distance(width * height), light(width * height);
    std::vector<int> steps(width * height);
    for (int frame = 0; frame < frames; ++frame) {
        const float time = 0.4f * frame;
        rm::march(camera, time, 160, distance, steps);
        rm::shade(camera, time, distance, light);
        rm::occlude(camera, distance, light, 2);
        rm::tone(light, 1.7f);
        std::printf("frame %d brightness %.4f\n", frame, rm::brightness(light));
    }
    for (int row = 0; row < height; row += height / 8) std::printf("%s\n", drawn(light, width, row).c_str());
}
