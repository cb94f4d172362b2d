/** Evaluating a rule at a point takes, besides its zones, as long as comparing so many edges. */
export const STEPS_PER_POINT = 100;
