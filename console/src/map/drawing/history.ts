/** The states of something that is edited, of which one is present. `key` names what changed last. */
export type History<State> = { past: State[]; present: State; future: State[]; key: string | undefined };

const MAX_STEPS = 200;

export function startHistory<State>(present: State): History<State> {
  return { past: [], present, future: [], key: undefined };
}

/** Makes `next` the present state. Changes in a row with the same key are one step: digits of one number, for example. */
export function commit<State>(history: History<State>, next: State, key?: string): History<State> {
  if (next === history.present) return history;
  const continues = key !== undefined && key === history.key;
  const past = continues ? history.past : [...history.past, history.present].slice(-MAX_STEPS);
  return { past, present: next, future: [], key };
}

export function undo<State>(history: History<State>): History<State> {
  const { past, present, future } = history;
  if (past.length === 0) return history;
  const last = past[past.length - 1] as State; // it is not empty
  return { past: past.slice(0, -1), present: last, future: [present, ...future], key: undefined };
}

export function redo<State>(history: History<State>): History<State> {
  const { past, present, future } = history;
  if (future.length === 0) return history;
  const [next, ...rest] = future as [State, ...State[]]; // it is not empty
  return { past: [...past, present], present: next, future: rest, key: undefined };
}
