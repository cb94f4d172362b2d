import { type Client, createClient, type InStatement } from "@libsql/client/http";
import { drizzle } from "drizzle-orm/libsql";
import { requireVehicle } from "../services/fleet/src/vehicle/queries.ts";
import type { Database } from "../shared/database.ts";
import { nobody } from "../shared/principal.ts";
import { type Account, BASE } from "./account.ts";
import { compared, type Figure, rounds } from "./figure.ts";
import { bytesOf, load } from "./load.ts";
import type { Stack } from "./stack.ts";

/** Reads of one vehicle, against the runtime alone and against the database alone. */
export async function readFigures({ origin, bare, servers }: Stack, { call, hash }: Account): Promise<Figure[]> {
  const { id } = await call("/vehicle/create", { vehicle: { label: "Van" } });
  const body = JSON.stringify({ hash, vehicle_id: id });
  const read = bytesOf({ path: `${BASE}/vehicle/read`, body });
  const nothing = bytesOf({ path: `${BASE}/base/nothing`, body });
  const constant = bytesOf({ path: "/", body });
  const query = bytesOf({ path: "/v2/pipeline", body: await pipelineOf(servers.fleet.url, Number(id)) });

  const perSecond = await rounds({
    bare: async () => (await load(bare, () => constant)).perSecond,
    sql: async () => (await load(servers.fleet.url, () => query)).perSecond,
    read: async () => (await load(origin, () => read)).perSecond,
    nothing: async () => (await load(origin, () => nothing)).perSecond,
  });
  const unit = "requests/s";
  const bareWorker = { name: "bare Worker", unit };
  return [
    compared(
      { name: "/vehicle/read, 16 connections", unit, goal: { least: 0.25 }, baseline: bareWorker },
      perSecond.read,
      perSecond.bare,
    ),
    compared(
      { name: "/vehicle/read, 16 connections", unit, goal: { least: 0.5 }, baseline: { name: "its SQL alone", unit } },
      perSecond.read,
      perSecond.sql,
    ),
    compared(
      { name: "/base/nothing (the guard alone)", unit, baseline: bareWorker },
      perSecond.nothing,
      perSecond.bare,
    ),
  ];
}

/** A page of a large account, against the same page of a small one. */
export async function listFigure({ origin, servers }: Stack, large: Account, small: Account): Promise<Figure> {
  await fill(large, servers.fleet.url, 100_000);
  await fill(small, servers.fleet.url, 1_000);
  const [ofLarge, ofSmall] = [large, small].map(({ hash }) =>
    bytesOf({ path: `${BASE}/vehicle/list`, body: JSON.stringify({ hash, limit: 100 }) }),
  );
  const one = { connections: 1, seconds: 1 };
  const p50 = await rounds({
    small: async () => (await load(origin, () => ofSmall, one)).p50Ms,
    large: async () => (await load(origin, () => ofLarge, one)).p50Ms,
  });
  return compared(
    {
      name: "/vehicle/list, 100 of 100,000, p50",
      unit: "ms",
      goal: { most: 1.5 },
      baseline: { name: "100 of 1,000", unit: "ms" },
    },
    p50.large,
    p50.small,
  );
}

/** The statement of `/vehicle/read` itself, so that it never is another one, as the database takes it over HTTP. */
async function pipelineOf(url: string, id: number): Promise<string> {
  const account_id = await accountOf(url, id);
  let asked: InStatement | undefined;
  const recorder = {
    async execute(statement: InStatement) {
      asked = statement;
      return { columns: [], columnTypes: [], rows: [], rowsAffected: 0 };
    },
  };
  // Drizzle asks its client for nothing else to run one statement.
  const db = drizzle({ client: recorder as unknown as Client }) as Database;
  const principal = { ...nobody("none"), account_id, scope: "all" as const };
  // The recorder finds no vehicle.
  await requireVehicle(db, principal, id).catch(() => undefined);
  if (typeof asked !== "object" || !Array.isArray(asked.args)) throw new Error("no statement was asked for");
  const args = asked.args.map((value) =>
    value === null
      ? { type: "null" }
      : typeof value === "number"
        ? { type: "integer", value: String(value) }
        : { type: "text", value: String(value) },
  );
  const execute = { type: "execute", stmt: { sql: asked.sql, args, want_rows: true } };
  return JSON.stringify({ baton: null, requests: [execute, { type: "close" }] });
}

async function accountOf(url: string, id: number) {
  const client = createClient({ url });
  const { rows } = await client.execute({ sql: "SELECT account_id FROM vehicle WHERE id = ?", args: [id] });
  client.close();
  return Number(rows[0]?.account_id);
}

/** Straight into the table: copies of a vehicle that the API made, each with a label of its own. */
async function fill({ call }: Account, url: string, count: number) {
  const { id } = await call("/vehicle/create", { vehicle: { label: "Van 0", reg_number: "M-FL 1234" } });
  const client = createClient({ url });
  try {
    const { rows } = await client.execute("SELECT name FROM pragma_table_info('vehicle') WHERE name <> 'id'");
    const names = rows.map(({ name }) => String(name));
    const values = names.map((name) => {
      if (name === "label") return "'Van ' || n";
      if (name === "label_folded") return "'van ' || n";
      return name === "searched" ? "'van ' || n || char(10) || 'm-fl 1234'" : `"${name}"`;
    });
    const columns = names.map((name) => `"${name}"`);
    for (let from = 1; from < count; from += BATCH) {
      const to = Math.min(from + BATCH, count) - 1;
      await client.execute({
        sql: `WITH RECURSIVE numbers (n) AS (SELECT ? UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
              INSERT INTO vehicle (${columns}) SELECT ${values} FROM numbers, vehicle WHERE vehicle.id = ?`,
        args: [from, to, Number(id)],
      });
    }
  } finally {
    client.close();
  }
  const { count: there } = await call("/vehicle/list", { limit: 1 });
  if (Number(there) < count) throw new Error(`the account has ${there} vehicles instead of ${count}`);
}

const BATCH = 20_000;
