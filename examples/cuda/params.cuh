// What host and device share. GRID_CONSTANT is the project's own spelling, and fixes keep it.
#pragma once

#define GRID_CONSTANT __grid_constant__

struct Params {
  float scale;
  float offset;
  int count;
  float weights[64];
};

// Declared with the annotation; integrate.cu defines it without: no compiler and no linker says so.
__global__ void integrate(const GRID_CONSTANT Params params, float *out);

// Declared and defined alike.
__global__ void transform(const GRID_CONSTANT Params params, const float *in, float *out);
