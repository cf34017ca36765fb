#include "common.h"

/* 80,000 bytes: more constant memory than a device must have. */
CONSTANT_AS float gamma_table[20000] = { 1.0f };

/* Nine __constant arguments, and a device need accept only eight. */
KERNEL void blend(CONSTANT_AS float *r, CONSTANT_AS float *g, CONSTANT_AS float *b,
                  CONSTANT_AS float *c, CONSTANT_AS float *m, CONSTANT_AS float *y,
                  CONSTANT_AS layer_t *first, CONSTANT_AS layer_t *second, CONSTANT_AS layer_t *third,
                  GLOBAL_AS float *out) {
  int i = get_global_id(0);
  out[i] = r[i] + g[i] + b[i] + c[i] + m[i] + y[i] + first->bias + second->bias + third->bias + gamma_table[i];
}

/* Eight are enough here: a sampler and a pointer to const global memory do not count. */
KERNEL void sharpen(CONSTANT_AS float *kernel_row, GLOBAL_AS const float *in, GLOBAL_AS float *out) {
  int i = get_global_id(0);
  out[i] = kernel_row[0] * in[i] + kernel_row[1] * in[i + 1];
}

/* Constant memory is no place to write to, so nothing may call it anything else. */
KERNEL void patch(CONSTANT_AS float *weights, GLOBAL_AS float *out) {
  GLOBAL_AS float *writable = (GLOBAL_AS float *)weights;
  out[0] = writable[0];
}
