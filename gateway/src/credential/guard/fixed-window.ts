export type RateWindow = { startMs: number; used: number };
export type RatePolicy = { limit: number; windowMs: number };
export type Rate = { allowed: boolean; limit: number; remaining: number; resetMs: number };

/** Counts one call in the fixed window that contains `nowMs`. Calls above the limit do not count. */
export function countCall(last: RateWindow | undefined, { limit, windowMs }: RatePolicy, nowMs: number) {
  const startMs = nowMs - (nowMs % windowMs);
  const before = last?.startMs === startMs ? last.used : 0;
  const used = Math.min(before + 1, limit);
  const rate: Rate = { allowed: before < limit, limit, remaining: limit - used, resetMs: startMs + windowMs - nowMs };
  return { rate, window: { startMs, used } };
}
