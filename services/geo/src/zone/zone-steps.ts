/**
 * Steps that comparing positions with zones has taken in this isolate so far: a step is one edge, some nanoseconds.
 * Synchronous code reads it before and after its work.
 */
export function zoneSteps(): number {
  return steps;
}

export function countZoneSteps(count: number) {
  steps += count;
}

let steps = 0;
