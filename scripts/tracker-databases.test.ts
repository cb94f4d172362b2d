import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type InStatement } from "@libsql/client/http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { secretBindings } from "./system/bindings.ts";
import { newSecrets } from "./system/secrets.ts";
import { type DatabaseServer, type Databases, givenServer, startDatabases } from "./system/sqld.ts";
import { migrateDatabases } from "./tracker-databases.ts";
import { WORKERS } from "./workers.ts";

let folder: string;
let databases: Databases;
let servers: DatabaseServer[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fleet-list-"));
  const others = WORKERS.filter((worker) => worker !== "geo").map((one) => `${one.toUpperCase()}_DB_URL`);
  const environment = Object.fromEntries(others.map((name) => [name, "http://unused"]));
  databases = await startDatabases(folder, { ...environment, GEO_DATABASES: "4" });
  const { further = [], ...first } = databases.servers.geo;
  servers = [first, ...further];
});

afterEach(async () => {
  await databases.stop();
  await rm(folder, { recursive: true });
});

/** Migrates geo with these servers as its list, counted from 1; gives the list's first tracker ids. */
async function growList(...places: number[]) {
  const [first, ...further] = places.map((place) => server(place));
  if (!first) throw new Error("there is always a first one");
  return (await migrateDatabases("geo", { ...first, further })).server.starts;
}

function server(place: number): DatabaseServer {
  const found = servers[place - 1];
  if (!found) throw new Error(`There is no database ${place}.`);
  return found;
}

async function execute(place: number, statement: InStatement) {
  const { url, token } = server(place);
  const client = createClient({ url, authToken: token });
  const { rows } = await client.execute(statement).finally(() => client.close());
  return rows.map((row) => ({ ...row }));
}

const listOf = (place: number) => execute(place, "SELECT * FROM tracker_database ORDER BY position");

function addDevice(tracker_id: number) {
  const sql = "INSERT INTO device (device_id, account_id, tracker_id, source_id, revision) VALUES (?, 1, ?, 1, 1)";
  return execute(1, { sql, args: [`device ${tracker_id}`, tracker_id] });
}

function addChunk(place: number, tracker_id: number) {
  const columns = `account_id, tracker_id, "from", from_lat, from_lng, "to", to_lat, to_lng, count, lbs_count, length,
    max_speed, south, west, north, east, bytes, flush, part, data`;
  const sql = `INSERT INTO chunk (${columns}) VALUES (1, ?, ${"0, ".repeat(17)} x'00')`;
  return execute(place, { sql, args: [tracker_id] });
}

test("a list that begins with several databases has trackers in all of them from the first one on", async () => {
  expect(await growList(1, 2, 3)).toEqual([1, 1]);
  expect(await growList(1, 2, 3)).toEqual([1, 1]);
});

test("a database that joins the list takes trackers behind those that exist or are being made", async () => {
  expect(await growList(1)).toEqual([]);
  await addDevice(70);
  expect(await listOf(1)).toEqual([]);
  expect(await growList(1, 2)).toEqual([1071]);
  await addDevice(3000);
  expect(await growList(1, 2)).toEqual([1071]);
  expect(await growList(1, 2, 3, 4)).toEqual([1071, 4001, 4001]);
  for (const place of [1, 2, 3, 4]) {
    expect((await listOf(place)).map(({ is_here }) => is_here)).toEqual(
      [1, 2, 3, 4].map((one) => Number(one === place)),
    );
  }
});

test("a list that would move stored trackers is refused", async () => {
  await growList(1, 2, 3);
  const before = await Promise.all([1, 2, 3].map(listOf));
  await expect(growList(1)).rejects.toThrow(/3 databases and is given 1: GEO_DB_URL_2 is missing.*GEO_DATABASES=3/);
  await expect(growList(1, 2)).rejects.toThrow("GEO_DB_URL_3 is missing");
  await expect(growList(1, 3, 2)).rejects.toThrow("GEO_DB_URL_2 names another database");
  await expect(growList(2, 1, 3)).rejects.toThrow("GEO_DB_URL names number 2");
  await expect(growList(2)).rejects.toThrow("GEO_DB_URL");
  await expect(growList(1, 2, 4)).rejects.toThrow("GEO_DB_URL_3 names another database");
  await expect(growList(1, 2, 3, 2)).rejects.toThrow("GEO_DB_URL_4 names a database that is in geo's list twice");
  expect(await Promise.all([1, 2, 3].map(listOf))).toEqual(before);
});

test("a list grows by empty databases alone, each of them once", async () => {
  await growList(1);
  await growList(3);
  await addChunk(3, 1);
  await expect(growList(1, 3)).rejects.toThrow("GEO_DB_URL_2 names a database that is in use");
  await expect(growList(1, 2, 2)).rejects.toThrow("GEO_DB_URL_3 names a database that is in geo's list twice");
  // By two names as well.
  await growList(2);
  servers.push({ ...server(2), url: server(2).url.replace("127.0.0.1", "localhost") });
  await expect(growList(1, 2, 5)).rejects.toThrow("twice");
  servers.push({ ...server(1), url: server(1).url.replace("127.0.0.1", "localhost") });
  await expect(growList(1, 6)).rejects.toThrow("GEO_DB_URL names a database that is in geo's list twice");
  expect(await listOf(1)).toEqual([]);
  expect(await growList(1, 2)).toEqual([1]);
});

test("a migration that was cut off before the first database had the list is repeated", async () => {
  await growList(1, 2, 3);
  await execute(1, "DELETE FROM tracker_database");
  expect(await growList(1, 3, 2)).toEqual([1, 1]);
  // And before a database of the list had the new one.
  await execute(2, "DELETE FROM tracker_database WHERE position = 2");
  expect(await growList(1, 3, 2)).toEqual([1, 1]);
  expect(await listOf(2)).toHaveLength(3);
});

test("a database refuses points of a tracker that belongs into another one", async () => {
  await growList(1);
  await addChunk(1, 6);
  await addDevice(7);
  await growList(1, 2);
  await addChunk(1, 7);
  await addChunk(1, 1008);
  await expect(addChunk(2, 7)).rejects.toThrow("in another database");
  await expect(addChunk(1, 1009)).rejects.toThrow("in another database");
  await addChunk(2, 1009);
});

test("givenServer names the settings that are missing from a list of databases", () => {
  const [url, token] = ["http://a", "t"];
  const two = { GEO_DB_URL: url, GEO_DB_TOKEN: token, GEO_DB_URL_2: "http://b", GEO_DB_TOKEN_2: "u" };
  const [first, second] = [
    { url, token, isOwn: false },
    { url: "http://b", token: "u", isOwn: false },
  ];
  expect(givenServer("geo", two)).toEqual({ ...first, further: [second] });
  expect(() => givenServer("geo", { ...two, GEO_DB_URL_4: "http://d" })).toThrow("GEO_DB_URL_3 is not set");
  expect(givenServer("fleet", { ...two, FLEET_DB_URL: url, FLEET_DB_TOKEN: token })).toEqual(first);
});

test("geo's Worker gets all databases of the list, and none before the list is stored in them", async () => {
  const [first, second] = [server(1), server(2)];
  const bindingsOf = (geo: DatabaseServer) => secretBindings("geo", geo, newSecrets(), {});
  expect(bindingsOf(first)).not.toHaveProperty("DB_STARTS");
  expect(() => bindingsOf({ ...first, further: [second] })).toThrow("not settled");
  const { server: settled } = await migrateDatabases("geo", { ...first, further: [second] });
  expect(bindingsOf(settled)).toMatchObject({
    ...{ DB_URL: first.url, DB_TOKEN: first.token, DB_URL_2: second.url, DB_TOKEN_2: second.token },
    DB_STARTS: "1",
  });
});
