#include "market.hpp"

#include <algorithm>

namespace pricing {

void asian_call(const Simulation& simulation, std::vector<double>& payoff) {
    const double strike = simulation.contract.strike;
    for (int path = 0; path < simulation.paths(); ++path) {
        payoff[path] = std::max(simulation.average[path] - strike, 0.0);
    }
}

void barrier_call(const Simulation& simulation, std::vector<double>& payoff) {
    const Contract& contract = simulation.contract;
    for (int path = 0; path < simulation.paths(); ++path) {
        const bool alive = simulation.highest[path] < contract.barrier;
        payoff[path] = alive ? std::max(simulation.terminal[path] - contract.strike, 0.0) : 0.0;
    }
}

void european_put(const Simulation& simulation, std::vector<double>& payoff) {
    for (int path = 0; path < simulation.paths(); ++path) {
        payoff[path] = std::max(simulation.contract.strike - simulation.terminal[path], 0.0);
    }
}

}  // namespace pricing
