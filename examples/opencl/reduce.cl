#include "common.h"

/* Sums each tile in local memory. Nothing is wrong here. */
static float sum_tile(LOCAL_AS float *tile, int lane) {
  for (int step = TILE / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < step) tile[lane] += tile[lane + step];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return tile[0];
}

KERNEL void reduce(GLOBAL_AS const float *input, GLOBAL_AS float *output) {
  LOCAL_AS float tile[TILE];
  int lane = get_local_id(0);
  tile[lane] = input[get_global_id(0)];
  float sum = sum_tile(tile, lane);
  if (lane == 0) output[get_group_id(0)] = sum;
}

/* The cast says local, the pointer is global: no cast may cross named address spaces. */
KERNEL void reduce_in_place(GLOBAL_AS float *data) {
  LOCAL_AS float *tile = (LOCAL_AS float *)data;
  data[0] = sum_tile(tile, get_local_id(0));
}

/* A function that takes private memory, because nothing else is said, is given global memory. */
static void scale(float *values, float factor) {
  for (int i = 0; i < 4; i++) values[i] *= factor;
}

KERNEL void scale_all(GLOBAL_AS float *data, float factor) {
  scale(data + 4 * get_global_id(0), factor);
}

/* What the inner pointers point to must not change either. */
KERNEL void swap_rows(GLOBAL_AS float *a, GLOBAL_AS float *b) {
  GLOBAL_AS float *rows[2] = { a, b };
  LOCAL_AS float **tiles = rows;
  tiles[0][0] = 0.0f;
}

/* Pointers into different address spaces have no order. */
KERNEL void overlap(GLOBAL_AS float *data, LOCAL_AS float *tile, GLOBAL_AS int *result) {
  *result = data == tile;
}
