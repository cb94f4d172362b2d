/**
 * How long a loop of a test is: `few` rounds prove the mechanism in `npm test`, `many` search for rare moments in
 * `npm run campaign`.
 */
export function effort({ few, many }: { few: number; many: number }): number {
  return process.env.CAMPAIGN === "1" ? many : few;
}
