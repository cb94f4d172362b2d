import { createClient, type InStatement } from "@libsql/client/http";
import type { DatabaseServer } from "../scripts/system/sqld.ts";
import { requireVehicle, selectVehicles } from "../services/fleet/src/vehicle/queries.ts";
import { nobody, type Principal } from "../shared/caller/principal.ts";
import { type Database, type DatabaseClient, databaseOf } from "../shared/database/open.ts";
import { type Account, BASE } from "./tool/account.ts";
import { compareRounds, type Figure, rounds } from "./tool/figure.ts";
import { bytesOf, load } from "./tool/load.ts";
import type { Stack } from "./tool/stack.ts";

/** Reads of one vehicle, against the runtime alone and against the database alone. */
export async function readFigures(stack: Stack, { call, hash }: Account): Promise<Figure[]> {
  const { origin, bare, behindFront, servers } = stack;
  const { id } = await call("/vehicle/create", { vehicle: { label: "Van" } });
  const body = JSON.stringify({ hash, vehicle_id: id });
  const read = bytesOf({ path: `${BASE}/vehicle/read`, body });
  const nothing = bytesOf({ path: `${BASE}/base/nothing`, body });
  const constant = bytesOf({ path: "/", body });
  const asked = await askedBy(servers.fleet, Number(id), (db, principal) => requireVehicle(db, principal, Number(id)));
  const query = pipelineOf(servers.fleet, null, [...asked, { type: "close" }]);
  const onStream = onKeptStream(servers.fleet, asked);

  const perSecond = await rounds({
    bare: async () => (await load(bare, () => constant)).perSecond,
    bareBehind: async () => (await load(behindFront.bare, () => constant)).perSecond,
    sql: async () => (await load(servers.fleet.url, () => query)).perSecond,
    kept: async () => (await load(servers.fleet.url, onStream)).perSecond,
    read: async () => (await load(origin, () => read)).perSecond,
    readBehind: async () => (await load(behindFront.origin, () => read)).perSecond,
    nothing: async () => (await load(behindFront.origin, () => nothing)).perSecond,
  });
  const unit = "requests/s";
  const bareWorker = { name: "bare Worker, both behind miniflare's front", unit };
  return [
    compareRounds(
      { name: "/vehicle/read, 16 connections", unit, goal: { least: 0.27 }, baseline: bareWorker },
      perSecond.readBehind,
      perSecond.bareBehind,
    ),
    compareRounds(
      { name: "/vehicle/read, 16 connections", unit, baseline: { name: "bare Worker, without it", unit } },
      perSecond.read,
      perSecond.bare,
    ),
    compareRounds(
      { name: "/vehicle/read, 16 connections", unit, goal: { least: 0.5 }, baseline: { name: "its SQL alone", unit } },
      perSecond.read,
      perSecond.sql,
    ),
    compareRounds(
      {
        name: "/vehicle/read, 16 connections",
        unit,
        goal: { least: 0.35 },
        baseline: { name: "its SQL on kept streams", unit },
      },
      perSecond.read,
      perSecond.kept,
    ),
    compareRounds(
      { name: "/base/nothing (the guard alone)", unit, baseline: bareWorker },
      perSecond.nothing,
      perSecond.bareBehind,
    ),
  ];
}

/** Vehicles that are created with an `Idempotency-Key`, against others without one. */
export async function keyFigure({ origin }: Stack, { hash }: Account): Promise<Figure> {
  const body = JSON.stringify({ hash, vehicle: { label: "Van" } });
  const path = `${BASE}/vehicle/create`;
  const plain = bytesOf({ path, body });
  // Made beforehand: on two cores, making them would take from the system that is measured.
  const withKeys = Array.from({ length: MAX_KEYED_CALLS }, () =>
    bytesOf({ path, body, headers: { "Idempotency-Key": crypto.randomUUID() } }),
  );
  const keyed = () => withKeys.pop();
  const perSecond = await rounds(
    {
      plain: async () => (await load(origin, () => plain, { seconds: 1 })).perSecond,
      keyed: async () => (await load(origin, keyed, { seconds: 1 })).perSecond,
    },
    KEY_ROUNDS,
  );
  const unit = "requests/s";
  const baseline = { name: "without a key", unit };
  return compareRounds(
    { name: "/vehicle/create with an Idempotency-Key", unit, goal: { least: 0.9 }, baseline },
    perSecond.keyed,
    perSecond.plain,
  );
}

/** A page of a list, against the database alone. */
export async function listFigure({ origin, servers }: Stack, { call, hash }: Account): Promise<Figure> {
  for (let number = 0; number < PAGE_ROWS; number++)
    await call("/vehicle/create", { vehicle: { label: `Van ${number}` } });
  const { list } = await call("/vehicle/list", { limit: PAGE_ROWS });
  const [{ id }] = list as [{ id: number }]; // as the operation declares it
  const search = { filter: null, sort: null, offset: 0, limit: PAGE_ROWS };
  const asked = await askedBy(servers.fleet, id, (db, principal) => selectVehicles(db, principal, search));
  const page = bytesOf({ path: `${BASE}/vehicle/list`, body: JSON.stringify({ hash, limit: PAGE_ROWS }) });
  const one = { connections: 1, seconds: 1 };
  const p50 = await rounds({
    sql: async () => (await load(servers.fleet.url, onKeptStream(servers.fleet, asked), one)).p50Ms,
    list: async () => (await load(origin, () => page, one)).p50Ms,
  });
  const baseline = { name: "its SQL on a kept stream", unit: "ms" };
  return compareRounds(
    { name: `/vehicle/list, ${PAGE_ROWS} rows, p50`, unit: "ms", goal: { most: 4 }, baseline },
    p50.list,
    p50.sql,
  );
}

const PAGE_ROWS = 100;
/** More than the rounds send. */
const MAX_KEYED_CALLS = 30_000;
/** Writes differ more from round to round than reads. */
const KEY_ROUNDS = 15;

function pipelineOf({ token }: DatabaseServer, baton: string | null, requests: object[]) {
  const headers = { Authorization: `Bearer ${token}` };
  return bytesOf({ path: "/v2/pipeline", body: JSON.stringify({ baton, requests }), headers });
}

/** The requests on a stream that goes on from answer to answer. */
function onKeptStream(server: DatabaseServer, requests: object[]) {
  return (_: number, answered = "") => pipelineOf(server, /"baton":"([^"]+)"/.exec(answered)?.[1] ?? null, requests);
}

/** The statements of a call themselves, so that they never are others, as the database takes them over HTTP. */
async function askedBy(
  server: DatabaseServer,
  id: number,
  ask: (db: Database, principal: Principal) => Promise<unknown>,
): Promise<object[]> {
  const account_id = await accountOf(server, id);
  const asked: InStatement[] = [];
  const nothing = { columns: [], rows: [] };
  const recorder: DatabaseClient = {
    async execute(statement: InStatement) {
      asked.push(statement);
      return nothing;
    },
    async batch(statements: InStatement[]) {
      asked.push(...statements);
      return statements.map(() => nothing);
    },
  };
  const db = databaseOf(recorder);
  // The recorder finds nothing, which a call may take for a failure.
  await ask(db, { ...nobody("none"), account_id, scope: "all" as const }).catch(() => undefined);
  if (asked.length === 0) throw new Error("no statement was asked for");
  return asked.map((statement) => {
    if (typeof statement !== "object" || !Array.isArray(statement.args))
      throw new Error("a statement has no arguments");
    return { type: "execute", stmt: { sql: statement.sql, args: statement.args.map(argumentOf), want_rows: true } };
  });
}

function argumentOf(value: unknown) {
  if (value === null) return { type: "null" };
  return typeof value === "number" ? { type: "integer", value: String(value) } : { type: "text", value: String(value) };
}

async function accountOf({ url, token }: DatabaseServer, id: number) {
  const client = createClient({ url, authToken: token });
  const { rows } = await client.execute({ sql: "SELECT account_id FROM vehicle WHERE id = ?", args: [id] });
  client.close();
  return Number(rows[0]?.account_id);
}
