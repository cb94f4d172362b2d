import { useEffect, useReducer } from "react";

const TICK_MS = 10_000;

/** Renders again every ten seconds, so that "31 sec. ago" does not stay what it was. */
export function useTick() {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, []);
}
