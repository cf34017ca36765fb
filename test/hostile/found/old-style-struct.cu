M(a) struct S {
struct T {
};
