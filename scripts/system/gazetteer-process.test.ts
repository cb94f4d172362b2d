import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createClient } from "@libsql/client/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDatabaseOf } from "../../test/tool/database/server.ts";
import { hasGazetteer } from "./gazetteer.ts";
import { loadGazetteerAside } from "./gazetteer-process.ts";

type Database = Awaited<ReturnType<typeof startDatabaseOf>>;

let database: Database;
let broken: Database;

beforeAll(async () => {
  [database, broken] = await Promise.all([startDatabaseOf("geo"), startDatabaseOf("geo")]);
});
afterAll(() => Promise.all([database?.stop(), broken?.stop()]));

const serverOf = ({ env: { DB_URL, DB_TOKEN = "" } }: Database) => ({ url: DB_URL, token: DB_TOKEN, isOwn: true });

test("loadGazetteerAside loads places in a process that ends, and starts none when they are there", async () => {
  const server = serverOf(database);
  // The database of tests has cities from this population on.
  const [present, wanted] = [100_000, 90_000];
  expect([await hasGazetteer(server, present), await hasGazetteer(server, wanted)]).toEqual([true, false]);
  let started = 0;
  const count = () => started++;
  subscribe("child_process", count);
  await loadGazetteerAside(server, present);
  expect(started).toBe(0);
  await loadGazetteerAside(server, wanted);
  expect([started, await hasGazetteer(server, wanted)]).toEqual([1, true]);
  unsubscribe("child_process", count);
});

test("loadGazetteerAside fails with the reason of its process", async () => {
  const server = serverOf(broken);
  await createClient({ url: server.url, authToken: server.token }).execute("DROP TABLE gazetteer_text");
  await expect(loadGazetteerAside(server, 90_000)).rejects.toThrow("no such table");
});
