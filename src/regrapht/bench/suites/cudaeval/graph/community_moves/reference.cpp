#include <cstdint>
#include <map>

class Network {
public:
    int communities = 0;
    int64_t all = 0;
    const int32_t *start, *contact, *strength, *community, *degree, *size;

    std::map<int32_t, int64_t> ties(int v) const
    {
        std::map<int32_t, int64_t> sum{{community[v], 0}};
        for (int k = start[v]; k < start[v + 1]; ++k)
            if (contact[k] != v) sum[community[contact[k]]] += strength[k];
            else sum[community[v]] += 0;
        return sum;
    }

    int64_t worth(int v, int32_t c, int64_t tie) const
    {
        const int64_t others = size[c] - (c == community[v] ? degree[v] : 0);
        return all * tie - (int64_t)degree[v] * others;
    }
};

void community_moves(int members, int contacts, int communities, int32_t all_strength, const int32_t* start, const int32_t* contact, const int32_t* strength,
                     const int32_t* community, const int32_t* degree, const int32_t* size, int32_t* move, int64_t* gain)
{
    (void)contacts;
    const Network net{communities, all_strength, start, contact, strength, community, degree, size};
    for (int v = 0; v < members; ++v) {
        const auto ties = net.ties(v);
        const int64_t own = net.worth(v, community[v], ties.at(community[v]));
        move[v] = community[v];
        gain[v] = 0;
        for (const auto& [c, tie] : ties) {
            const int64_t more = net.worth(v, c, tie) - own;
            if (more > gain[v]) {
                gain[v] = more;
                move[v] = c;
            }
        }
    }
}
