// What host and device share. GRID_CONSTANT is the project's own spelling, and fixes keep it.
#pragma once

#define GRID_CONSTANT __grid_constant__

struct Params {
  float scale;
  float offset;
  int count;
  float weights[64];
};
