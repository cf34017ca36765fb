// What the host launches.
#pragma once
#include "params.cuh"

// Declared with the annotation; integrate.cu defines it without: no compiler and no linker says so.
__global__ void integrate(const GRID_CONSTANT Params params, float *out);

// Declared and defined alike.
__global__ void transform(const GRID_CONSTANT Params params, const float *in, float *out);
