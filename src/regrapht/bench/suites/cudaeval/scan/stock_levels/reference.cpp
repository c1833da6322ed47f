#include <algorithm>
#include <cstdint>
#include <deque>
#include <numeric>

struct Article {
    int stock, reorder, target;
    std::deque<int> under_way;
    int lost = 0, ordered = 0, worst = -1, worst_loss = 0;

    void day(int number, int demand)
    {
        stock += under_way.front();
        under_way.pop_front();
        const int sold = std::min(stock, demand), loss = demand - sold;
        stock -= sold;
        lost += loss;
        if (loss > worst_loss) {
            worst_loss = loss;
            worst = number;
        }
        const int position = std::accumulate(under_way.begin(), under_way.end(), stock);
        const int order = position < reorder ? target - position : 0;
        under_way.push_back(order);
        ordered += order;
    }
};

void stock_levels(int articles, int days, int32_t lead, const int32_t* demand, const int32_t* reorder, const int32_t* target, int32_t* stock, int32_t* lost,
                  int32_t* ordered, int32_t* worst)
{
    for (int a = 0; a < articles; ++a) {
        Article article{stock[a], reorder[a], target[a], std::deque<int>(lead, 0)};
        for (int d = 0; d < days; ++d) article.day(d, demand[(long)a * days + d]);
        stock[a] = article.stock;
        lost[a] = article.lost;
        ordered[a] = article.ordered;
        worst[a] = article.worst;
    }
}
