import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Databases, startDatabases } from "../../scripts/system/sqld.ts";
import { batchedReads, databaseAnswers, openDatabase, retryWhileBusy } from "./open.ts";
import { selectObjects } from "./rows.ts";
import { write } from "./steps.ts";

let folder: string;
let databases: Databases;
const hung: Server[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fleet-open-"));
  const others = ["GATEWAY", "TASKS", "GEO", "FILES", "REPORTS"].map((name) => [`${name}_DB_URL`, "http://unused"]);
  databases = await startDatabases(folder, Object.fromEntries(others));
});

afterAll(async () => {
  for (const server of hung) server.close().closeAllConnections();
  await databases?.stop();
  await rm(folder, { recursive: true });
});

const settings = { DB_WRITERS: "2", DB_STREAMS: "4", STATEMENT_SECONDS: "1" };
const endless = sql`(WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number) SELECT count(*) FROM number)`;

/** The address of a server that does nothing but this with a request. */
async function serverThat(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  hung.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

test.each<[string, RequestListener]>([
  ["does not answer", () => undefined],
  ["begins an answer and never ends it", (_, response) => void response.writeHead(200).write("{")],
])(
  "openDatabase fails statements and batches with 14 after their time limit when the database %s",
  async (_, listener) => {
    const env = { ...settings, DB_URL: await serverThat(listener) };
    const db = openDatabase(env);
    const asked = [
      db.run(sql`SELECT 1`),
      db.run(sql`DELETE FROM thing`),
      write(db, { one: db.run(sql`DELETE FROM thing`) }),
    ];
    for (const { status, reason } of (await Promise.allSettled(asked)) as PromiseRejectedResult[]) {
      expect(status).toBe("rejected");
      expect(rootOf(reason)).toMatchObject({ code: 14 });
    }
    expect(await databaseAnswers({ ...env, STATEMENT_SECONDS: "600" })).toBe(false);
  },
);

test("a statement over its time limit ends in the server too, and frees its lock", async () => {
  const { url, token } = databases.servers.fleet;
  const db = openDatabase({ ...settings, DB_URL: url, DB_TOKEN: token });
  await db.run(sql`CREATE TABLE thing (size INTEGER)`);
  const asked = [db.run(sql`INSERT INTO thing VALUES (${endless})`), db.run(sql`SELECT ${endless}`)];
  for (const { reason } of (await Promise.allSettled(asked)) as PromiseRejectedResult[]) {
    expect(rootOf(reason)).toMatchObject({ code: 14 });
  }
  // The server lets a writer keep its lock for five seconds, which a second is less than.
  await db.run(sql`INSERT INTO thing VALUES (1)`);
  expect(await selectObjects(db, sql`SELECT size FROM thing`)).toEqual([{ size: 1 }]);
  expect(await databaseAnswers({ ...settings, DB_URL: url, DB_TOKEN: token })).toBe(true);
});

test("batchedReads sends concurrent reads in shared requests with an answer each, and refuses changes", async () => {
  const { url, token } = databases.servers.fleet;
  let requests = 0;
  const counted: typeof fetch = (input, init) => {
    requests++;
    return fetch(input, init);
  };
  // A different URL counts as a different database.
  const db = openDatabase({ ...settings, DB_URL: `${url}/`, DB_TOKEN: token, DB_NETWORK: { fetch: counted } });
  const asked = Array.from({ length: 12 }, (_, n) =>
    selectObjects<{ n: number }>(batchedReads(db), n === 7 ? sql`SELECT json('no')` : sql`SELECT ${n} AS n`),
  );
  const answers = await Promise.allSettled(asked);
  const together = requests;
  expect(together).toBeLessThan(asked.length);
  for (const [n, answer] of answers.entries()) {
    expect(answer).toMatchObject(n === 7 ? { status: "rejected" } : { status: "fulfilled", value: [{ n }] });
  }
  await expect(batchedReads(db).run(sql`DELETE FROM thing`)).rejects.toThrow();
  expect(requests).toBe(together);
});

test("retryWhileBusy tries a write three times in all when the database is locked", async () => {
  const tries = [0, 0];
  const busy = (index: number, times: number) => async () => {
    tries[index] = (tries[index] ?? 0) + 1;
    if ((tries[index] ?? 0) <= times) throw new Error("SQLITE_BUSY: database is locked");
    return "written";
  };
  expect(await retryWhileBusy(busy(0, 2))).toBe("written");
  await expect(retryWhileBusy(busy(1, 3))).rejects.toThrow("locked");
  expect(tries).toEqual([3, 3]);
});

function rootOf(thrown: unknown): unknown {
  return thrown instanceof Error && thrown.cause ? rootOf(thrown.cause) : thrown;
}
