/** A random generator that gives the same numbers for the same seed. */
export function chanceOf(seed: number) {
  let last = seed;
  return () => {
    last = (last * 16_807) % 2_147_483_647;
    return last / 2_147_483_647;
  };
}
