/** Receives how many characters, bytes, points or tags of a file a loop has just visited; a test adds them up. */
export type CountSteps = (steps: number) => void;

/** For callers that count nothing. */
export function ignoreSteps() {}
