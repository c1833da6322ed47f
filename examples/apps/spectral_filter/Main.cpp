#include "Fft.h"
#include "Filter.h"

#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>

int main(int argc, char** argv)
{
    int rows = 0, length = 0, rounds = 0;
    std::ifstream file(argc > 1 ? argv[1] : "");
    file >> rows >> length >> rounds;
    if (!file || (length & (length - 1)) != 0)
    {
        std::cerr << "usage: spectral_filter INPUT (rows, a power of two, rounds)" << std::endl;
        return EXIT_FAILURE;
    }

    BatchFft fft(rows, length);
    std::vector<double> re(rows * length), im(rows * length), spectrum(length);
    const std::vector<double> gain = Filter::bandPass(length, 0.02, 0.2, 0.01);
    Signal::chirps(re, im, rows, length);
    Signal::window(re, rows, length);
    for (int round = 0; round < rounds; ++round)
    {
        fft.transform(re, im, -1);
        Filter::apply(re, im, gain, rows);
        Filter::power(re, im, spectrum, rows, length);
        fft.transform(re, im, 1);
        Filter::scale(re, im, 1.0 / length);
        std::cout << "round " << round << " rms " << std::scientific << std::setprecision(7) << Filter::rms(re)
                  << " power " << spectrum[length / 16] << std::endl;
    }
    return EXIT_SUCCESS;
}
