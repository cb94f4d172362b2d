/** The same numbers every time. */
export function chanceOf(seed: number) {
  let last = seed;
  return () => {
    last = (last * 16_807) % 2_147_483_647;
    return last / 2_147_483_647;
  };
}
