import { type Client, createClient, type InStatement } from "@libsql/client/http";
import { drizzle } from "drizzle-orm/libsql";
import type { DatabaseServer } from "../scripts/sqld.ts";
import { requireVehicle } from "../services/fleet/src/vehicle/queries.ts";
import { nobody } from "../shared/caller/principal.ts";
import type { Database } from "../shared/database/open.ts";
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
  const headers = { Authorization: `Bearer ${servers.fleet.token}` };
  const execute = await executionOf(servers.fleet, Number(id));
  const pipeline = (baton: string | null, requests: object[]) =>
    bytesOf({ path: "/v2/pipeline", body: JSON.stringify({ baton, requests }), headers });
  const query = pipeline(null, [execute, { type: "close" }]);
  const kept = (_: number, answered = "") => pipeline(/"baton":"([^"]+)"/.exec(answered)?.[1] ?? null, [execute]);

  const perSecond = await rounds({
    bare: async () => (await load(bare, () => constant)).perSecond,
    sql: async () => (await load(servers.fleet.url, () => query)).perSecond,
    kept: async () => (await load(servers.fleet.url, kept)).perSecond,
    read: async () => (await load(origin, () => read)).perSecond,
    nothing: async () => (await load(origin, () => nothing)).perSecond,
  });
  const unit = "requests/s";
  const bareWorker = { name: "bare Worker", unit };
  return [
    compared(
      { name: "/vehicle/read, 16 connections", unit, goal: { least: 0.27 }, baseline: bareWorker },
      perSecond.read,
      perSecond.bare,
    ),
    compared(
      { name: "/vehicle/read, 16 connections", unit, goal: { least: 0.5 }, baseline: { name: "its SQL alone", unit } },
      perSecond.read,
      perSecond.sql,
    ),
    compared(
      {
        name: "/vehicle/read, 16 connections",
        unit,
        goal: { least: 0.35 },
        baseline: { name: "its SQL on kept streams", unit },
      },
      perSecond.read,
      perSecond.kept,
    ),
    compared(
      { name: "/base/nothing (the guard alone)", unit, baseline: bareWorker },
      perSecond.nothing,
      perSecond.bare,
    ),
  ];
}

/** The statement of `/vehicle/read` itself, so that it never is another one, as the database takes it over HTTP. */
async function executionOf(server: DatabaseServer, id: number): Promise<object> {
  const account_id = await accountOf(server, id);
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
  return { type: "execute", stmt: { sql: asked.sql, args, want_rows: true } };
}

async function accountOf({ url, token }: DatabaseServer, id: number) {
  const client = createClient({ url, authToken: token });
  const { rows } = await client.execute({ sql: "SELECT account_id FROM vehicle WHERE id = ?", args: [id] });
  client.close();
  return Number(rows[0]?.account_id);
}
