/** Receives how many characters, bytes, points or tags of a file a loop has just visited; a test adds them up. */
export type CountSteps = (steps: number) => void;

/** The count of callers who need none. */
export function ignoreSteps() {}
