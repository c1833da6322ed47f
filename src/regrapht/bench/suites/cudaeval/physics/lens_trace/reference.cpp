#include <math.h>

typedef struct { float gap, power, index, stop; } Surface;
typedef struct { float y, s, l; } Ray;

static float pass(const Surface *surface, int surfaces, Ray *ray)
{
    float before = 1.0f, light = 1.0f;
    int k;
    for (k = 0; k < surfaces; k++) {
        const Surface *here = &surface[k];
        ray->y += ray->s * here->gap;
        ray->l += here->gap * (1.0f + ray->s * ray->s / 2.0f) * before;
        light *= fmaxf(0.0f, 1.0f - ray->y * ray->y / (here->stop * here->stop));
        ray->s = (ray->s * before - ray->y * here->power) / here->index;
        before = here->index;
    }
    return light;
}

void lens_trace(int rays, int surfaces, const Surface *surface, Ray *ray, float *light, double *through)
{
    int r;
    *through = 0.0;
    for (r = 0; r < rays; r++) {
        light[r] = pass(surface, surfaces, &ray[r]);
        *through += light[r];
    }
}
