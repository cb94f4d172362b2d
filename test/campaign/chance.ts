/** Numbers that look like chance and are the same for the same seed. */
export type Chance = ReturnType<typeof chanceOf>;

export function chanceOf(seed: number) {
  let state = seed >>> 0;
  /** From 0 up to 1, which it never is. */
  function next() {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    next,
    below: (limit: number) => Math.floor(next() * limit),
    isOneIn: (count: number) => next() * count < 1,
    pick<Item>(items: readonly Item[]): Item {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error("There is nothing to pick from.");
      return item;
    },
  };
}
