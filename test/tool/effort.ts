/**
 * How long a loop of a test is, or what it goes through: `few` rounds prove the mechanism in `npm test`, `many` search for
 * rare moments in `npm run campaign`.
 */
export function effort<Rounds>({ few, many }: { few: Rounds; many: Rounds }): Rounds {
  return IS_CAMPAIGN ? many : few;
}

/** Whether `npm run campaign` runs the tests. Those that try a proven mechanism once more, for a minute, run only then. */
export const IS_CAMPAIGN = process.env.CAMPAIGN === "1";
