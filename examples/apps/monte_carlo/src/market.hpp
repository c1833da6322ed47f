#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pricing {

/** The market, under Black and Scholes. */
struct Market {
    double spot = 100.0;
    double rate = 0.03;
    double volatility = 0.25;
};

/** An option with averages or a barrier over the dates of its path. */
struct Contract {
    double strike = 105.0;
    double barrier = 140.0;
    double years = 1.0;
    int dates = 64;
};

/** Counter-based random numbers: number `index` of stream `stream`, the same on every machine and in any order. */
inline std::uint64_t mixed(std::uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    x ^= x >> 31;
    return x;
}

inline double uniform(std::uint64_t stream, std::uint64_t index) {
    return (double)(mixed(stream * 0x9e3779b97f4a7c15ull + index) >> 11) * (1.0 / 9007199254740992.0);
}

/** What one simulation leaves: a value for each path. */
class Simulation {
public:
    Simulation(const Market& market, const Contract& contract, int paths);

    void run(std::uint64_t seed);

    int paths() const { return (int)terminal.size(); }

    std::vector<double> terminal;
    std::vector<double> average;
    std::vector<double> highest;

    Market market;
    Contract contract;
};

void asian_call(const Simulation& simulation, std::vector<double>& payoff);
void barrier_call(const Simulation& simulation, std::vector<double>& payoff);
void european_put(const Simulation& simulation, std::vector<double>& payoff);

struct Estimate {
    double value;
    double error;
};

double mean(const std::vector<double>& values);
double variance(const std::vector<double>& values, double mean);
Estimate estimate(const std::vector<double>& payoff, double discount);
std::vector<int> histogram(const std::vector<double>& values, double low, double high, int bins);

}  // namespace pricing
