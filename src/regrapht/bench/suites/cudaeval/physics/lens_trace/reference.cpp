#include <cmath>

typedef struct { float gap, power, index, stop; } Surface;
typedef struct { float y, s, l; } Ray;

static int pass(const Surface *surface, int surfaces, Ray *ray)
{
    float before = 1.0f;
    int k;
    for (k = 0; k < surfaces; k++) {
        const Surface *here = &surface[k];
        ray->y += ray->s * here->gap;
        ray->l += here->gap * (1.0f + ray->s * ray->s / 2.0f) * before;
        if (fabsf(ray->y) > here->stop)
            return k + 1;
        ray->s = (ray->s * before - ray->y * here->power) / here->index;
        before = here->index;
    }
    return 0;
}

void lens_trace(int rays, int surfaces, const Surface *surface, Ray *ray, int *blocked, int *through)
{
    int r;
    *through = 0;
    for (r = 0; r < rays; r++) {
        blocked[r] = pass(surface, surfaces, &ray[r]);
        if (!blocked[r])
            ++*through;
    }
}
