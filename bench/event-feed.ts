import { type Account, BASE } from "./tool/account.ts";
import { compareRounds, type Figure, rounds } from "./tool/figure.ts";
import { bytesOf, load } from "./tool/load.ts";
import type { Stack } from "./tool/stack.ts";

const EVENTS = 100;

/** A page of the event feed, against a call that only passes the guard. */
export async function eventFeedFigure({ origin }: Stack, { call, hash }: Account): Promise<Figure> {
  // Changes of the gateway are events before they are answered.
  for (let number = 0; number < EVENTS; number++) await call("/user/audit/checkin", {});
  const parameters = { hash, cursor: "oldest", limit: EVENTS };
  const { list } = await call("/event/feed/read", parameters);
  if (!Array.isArray(list) || list.length !== EVENTS) throw new Error("the feed is not filled");
  const page = bytesOf({ path: `${BASE}/event/feed/read`, body: JSON.stringify(parameters) });
  const nothing = bytesOf({ path: `${BASE}/base/nothing`, body: JSON.stringify({ hash }) });
  const one = { connections: 1, seconds: 1 };
  const p50 = await rounds({
    nothing: async () => (await load(origin, () => nothing, one)).p50Ms,
    page: async () => (await load(origin, () => page, one)).p50Ms,
  });
  return compareRounds(
    {
      name: `/event/feed/read, ${EVENTS} events, p50`,
      unit: "ms",
      goal: { most: 4 },
      baseline: { name: "/base/nothing", unit: "ms" },
    },
    p50.page,
    p50.nothing,
  );
}
