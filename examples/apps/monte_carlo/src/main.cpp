#include "market.hpp"

#include <cmath>
#include <fstream>
#include <iomanip>
#include <iostream>

using namespace pricing;

/** Prints one line for an option. */
static void report(const std::string& name, const Estimate& estimate) {
    std::cout << std::left << std::setw(14) << name << std::right << std::fixed << std::setprecision(6) << std::setw(12)
              << estimate.value << "  +- " << estimate.error << '\n';
}

int main(int argc, char** argv) {
    int paths = 0, dates = 0, rounds = 0;
    std::ifstream input(argc > 1 ? argv[1] : "");
    if (!(input >> paths >> dates >> rounds)) {
        std::cerr << "usage: monte_carlo INPUT, a file with: paths, dates, rounds\n";
        return 2;
    }
    Market market;
    Contract contract;
    contract.dates = dates;
    Simulation simulation(market, contract, paths);
    std::vector<double> payoff(paths);
    const double discount = std::exp(-market.rate * contract.years);
    for (int round = 0; round < rounds; ++round) {
        simulation.run(1000003ull * (round + 1));
        asian_call(simulation, payoff);
        report("asian call", estimate(payoff, discount));
        barrier_call(simulation, payoff);
        report("barrier call", estimate(payoff, discount));
        european_put(simulation, payoff);
        report("european put", estimate(payoff, discount));
    }
    for (int count : histogram(simulation.terminal, 40, 200, 8)) std::cout << count << ' ';
    std::cout << '\n';
}
