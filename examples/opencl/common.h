/* Qualifiers behind macros, as projects write them that build for several APIs. They are read like the real ones. */
#ifndef COMMON_H
#define COMMON_H

#define KERNEL __kernel
#define GLOBAL_AS __global
#define LOCAL_AS __local
#define CONSTANT_AS __constant

#define TILE 64

typedef struct {
  float weight;
  float bias;
} layer_t;

#endif
