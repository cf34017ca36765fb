/** The components of a vector and their names (OpenCL C 3.0 §6.3.7). */

/** True for a name that selects components, of some vector. */
export function isComponentName(name: string): boolean {
  return /^(?:[xyzw]{1,16}|[rgba]{1,16}|lo|hi|even|odd|[sS][0-9a-fA-F]{1,16})$/.test(name);
}

/** The indices of the components that a name selects from a vector of this length. The fourth element of one of three is undefined. */
export function componentIndices(name: string, length: number): readonly number[] {
  const half = Math.ceil(length / 2);
  const part = (start: number, step: number) => Array.from({ length: half }, (_, index) => start + step * index);
  switch (name) {
    case "lo":
      return part(0, 1);
    case "hi":
      return part(half, 1);
    case "even":
      return part(0, 2);
    case "odd":
      return part(1, 2);
    default:
      if (/^[sS]/.test(name)) return [...name.slice(1)].map((digit) => Number.parseInt(digit, 16));
      return [...name].map((letter) => (/^[rgba]/.test(name) ? "rgba" : "xyzw").indexOf(letter));
  }
}

/** The names that are offered for a vector of this length: by letter up to four, by number, and halves. */
export function componentsOf(length: number): readonly string[] {
  const letters = length <= 4 ? [..."xyzw"].slice(0, length) : [];
  const runs = letters.flatMap((_, index) => (index > 0 ? [letters.slice(0, index + 1).join("")] : []));
  const numbered = Array.from({ length }, (_, index) => `s${index.toString(16)}`);
  return [...letters, ...numbered, "lo", "hi", "even", "odd", ...runs, ...(length === 4 ? ["zw"] : [])];
}
