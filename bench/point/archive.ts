import { type Client, createClient } from "@libsql/client/http";
import { writeUtc } from "../../test/tool/call/utc-time.ts";
import { type Account, BASE } from "../tool/account.ts";
import { compareRounds, type Figure, rounds } from "../tool/figure.ts";
import { bytesOf, load } from "../tool/load.ts";
import type { Stack } from "../tool/stack.ts";
import { type Month, pageBytes, recordMonth } from "./month.ts";

/** Compares one month of a tracker in the archive with the same month of another one in the database. */
export async function archiveFigures(stack: Stack, account: Account): Promise<Figure[]> {
  const to = longAgo();
  const archived = await recordMonth(stack, account, to);
  const { url, token } = stack.servers.geo;
  const client = createClient({ url, authToken: token });
  try {
    const before = await pageBytes(client);
    await archive(stack, client, archived);
    const after = await pageBytes(client);
    // No sweep runs after this line.
    const stored = await recordMonth(stack, account, to);
    const bytes = { name: "of its points while they were there", unit: "bytes" };
    return [
      await readFigure(stack, account, archived, stored),
      compareRounds(
        { name: "room in the database that a month gives back", unit: "bytes", baseline: bytes },
        [before - after],
        [archived.chunkBytes],
      ),
    ];
  } finally {
    client.close();
  }
}

async function readFigure({ origin }: Stack, { hash, call }: Account, archived: Month, stored: Month) {
  const reading = ({ tracker_id, from, to }: Month) => ({
    tracker_id,
    from: writeUtc(from),
    to: writeUtc(to),
    filter: false,
  });
  const [far, near] = [await call("/track/read", reading(archived)), await call("/track/read", reading(stored))];
  if (JSON.stringify(far.list) !== JSON.stringify(near.list)) throw new Error("the archive has other points");
  const [ofArchived, ofStored] = [archived, stored].map((month) =>
    bytesOf({ path: `${BASE}/track/read`, body: JSON.stringify({ hash, ...reading(month) }) }),
  );
  const one = { connections: 1, seconds: 1 };
  const p50 = await rounds({
    archived: async () => (await load(origin, () => ofArchived, one)).p50Ms,
    stored: async () => (await load(origin, () => ofStored, one)).p50Ms,
  });
  const baseline = { name: "the same from the database", unit: "ms" };
  const described = { name: "/track/read, a month from the archive, p50", unit: "ms", goal: { most: 1.5 }, baseline };
  return compareRounds(described, p50.archived, p50.stored);
}

/** Fires sweeps until all chunks of the month are in the archive. */
async function archive({ workers }: Stack, client: Client, { tracker_id }: Month) {
  const sql = "SELECT count(*) AS count FROM chunk WHERE tracker_id = ? AND object IS NULL";
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    await workers.fireCrons(new Date());
    const { rows } = await client.execute({ sql, args: [tracker_id] });
    if (Number(rows[0]?.count) === 0) return;
  }
  throw new Error("the month did not move to the archive");
}

/** The end of a month that any sweep moves. */
function longAgo() {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 8);
}

const MAX_SWEEPS = 10;
