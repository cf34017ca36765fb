// OpenCL C inside of C++ is checked in its place, and fixed there.
const char *source = R"CLC(
static float scaled(float *p, float factor) { return *p * factor; }

kernel void scale(global float *data, constant float *factors) {
  size_t i = get_global_id(0);
  data[i] = scaled(&data[i], factors[0]);
}
)CLC";

const char *lines =
    "kernel void total(global int *out) {\n"
    "  local int sum = 0;\n"
    "  *out = sum;\n"
    "}\n";
