import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { selectObjects } from "#shared/database/rows.ts";
import { serveDatabase } from "#test/tool/database/server.ts";
import { nobody } from "../../../../shared/caller/principal.ts";
import { openDatabase } from "../../../../shared/database/open.ts";
import { DAY_MS } from "../../../../shared/time/duration.ts";
import { checkin } from "../table/checkin.ts";
import { removeCheckins, requireCheckin, selectFirstPage } from "./queries.ts";

const NOW = Date.parse("2026-11-20T08:00:00Z");
const master = { ...nobody("none"), account_id: 1, user_id: 1, scope: "all" as const };
const clerk = { ...master, user_id: 2, store_period: "1d" };

const db = openDatabase(await serveDatabase("tasks"));
test("check-ins from before a group's storage period are invisible to its sub-users", async () => {
  const columns = await selectObjects<{ name: string; notnull: number }>(
    db,
    sql`SELECT * FROM pragma_table_info('checkin')`,
  );
  const insert = async (id: number, marker_time: number) => {
    const given: Record<string, unknown> = { id, account_id: 1, tracker_id: 7, marker_time };
    const values = columns
      .filter(({ name, notnull }) => notnull || name in given)
      .map(({ name }) => [name, given[name] ?? "{}"] as const);
    const names = sql.raw(values.map(([name]) => `"${name}"`).join(", "));
    const list = sql.join(
      values.map(([, value]) => sql`${value}`),
      sql`, `,
    );
    await db.run(sql`INSERT INTO checkin (${names}) VALUES (${list})`);
  };
  await insert(1, NOW - 3 * DAY_MS);
  await insert(2, NOW - 1000);
  const seen = async (principal: typeof master) => {
    const search = { condition: [], texts: 0, order: [sql`${checkin.id}`], now: NOW, offset: 0 };
    const { rows, count } = await selectFirstPage(db, principal, search);
    return [rows.map(({ id }) => id), count];
  };
  expect(await seen(master)).toEqual([[1, 2], 2]);
  expect(await seen(clerk)).toEqual([[2], 1]);
  await expect(requireCheckin(db, clerk, 1, NOW)).rejects.toMatchObject({ code: 204 });
  await requireCheckin(db, master, 1, NOW);
  const actor = { account_id: 1, user_id: 2, host: "", user_agent: "", action_date: NOW };
  await expect(removeCheckins(db, clerk, [1, 2], actor)).rejects.toMatchObject({ code: 201 });
  await removeCheckins(db, clerk, [2], actor);
  expect(await seen(master)).toEqual([[1], 1]);
});
