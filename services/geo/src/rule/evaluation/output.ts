import type { Attributes } from "../../object/watched-rule.ts";

/**
 * Bit mask of the outputs in a point's attributes: `output` is a whole mask, `out1`, `out2` and so on are single bits.
 */
export function outputsOf(attributes: Attributes | null, before: number | null): number | null {
  if (!attributes) return before;
  const whole = Number(attributes.output ?? Number.NaN);
  let mask = Number.isInteger(whole) && whole >= 0 ? whole : before;
  for (const name in attributes) {
    // Most attributes have other names: this check is cheap.
    if (!name.startsWith("out")) continue;
    const value = attributes[name];
    const number = Number(/^out(?:put)?([1-9]\d?)$/.exec(name)?.[1] ?? 0);
    if (number === 0 || number > MAX_OUTPUTS) continue;
    const bit = 2 ** (number - 1);
    const was = Math.floor((mask ?? 0) / bit) % 2 === 1;
    const is = value === true || value === "true" || value === 1 || value === "1";
    mask = (mask ?? 0) + (was === is ? 0 : is ? bit : -bit);
  }
  return mask;
}

const MAX_OUTPUTS = 32;
