import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ApiError } from "../../clients/typescript/src/api-error.ts";
import { FleetClient } from "../../clients/typescript/src/client.ts";
import { isRepeatable } from "../../clients/typescript/src/repeatable.ts";
import { EVERY_OPERATION } from "../tool/call/every-operation.ts";
import { listenOnLoopback } from "../tool/listen.ts";

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Answers of the server in their order; the last one comes again and again. */
let answers: Answer[] = [];
let asked: { path: string; authorization: string | undefined; key: unknown; body: string }[] = [];
let pauses: number[] = [];
const server = createServer(async (request, response) => {
  const body = await text(request);
  const { authorization, "idempotency-key": key } = request.headers;
  asked.push({ path: request.url ?? "", authorization, key, body });
  const answer = answers.length > 1 ? answers.shift() : answers[0];
  answer?.(request, response, body);
});
let baseUrl: string;

beforeAll(async () => {
  baseUrl = `http://127.0.0.1:${await listenOnLoopback(server)}/api-v2`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  [answers, asked, pauses] = [[], [], []];
});

const replying =
  (reply: object, status = 200, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(reply));
const succeeding = (reply: object = {}) => replying({ success: true, ...reply });
const failing = (code: number, status: number, headers = {}, more = {}) =>
  replying({ success: false, status: { code, description: "No" }, ...more }, status, headers);
const breaking: Answer = (_, response) => response.destroy();

function newClient(credentials?: { hash: string } | { login: string; password: string }) {
  const pause = async (ms: number) => void pauses.push(ms);
  return new FleetClient({ baseUrl, pause, ...(credentials ? { credentials } : {}) });
}

test("a call above a rate is repeated after the time that the answer names, whatever it does", async () => {
  answers = [failing(15, 429, { "Retry-After": "7" }), succeeding({ id: 4 })];
  expect(await newClient({ hash: "a" }).call("/vehicle/create", { vehicle: { label: "Van" } })).toEqual({ id: 4 });
  expect(pauses).toEqual([7000]);
});

test("a reading call is repeated when its answer is lost or a service is away, and waits longer each time", async () => {
  answers = [breaking, failing(14, 503), replying({}, 502), succeeding({ list: [], count: 0 })];
  expect(await newClient({ hash: "a" }).call("/vehicle/list", { limit: 1 })).toEqual({ list: [], count: 0 });
  expect(new Set(asked.map(({ body }) => body)).size).toBe(1);
  const [first = 0, second = 0, third = 0] = pauses;
  for (const [pause, most] of [
    [first, 1000],
    [second, 2000],
    [third, 4000],
  ] as const) {
    expect(pause).toBeLessThanOrEqual(most);
    expect(pause).toBeGreaterThanOrEqual(most / 2);
  }
});

test("a reading call that fails again and again fails with the last refusal", async () => {
  answers = [failing(14, 503, { "X-Request-Id": "r" })];
  const call = newClient({ hash: "a" }).call("/vehicle/list", {});
  await expect(call).rejects.toMatchObject({ code: 14, status: 503, request_id: "r", path: "/vehicle/list" });
  expect(asked).toHaveLength(5);
});

test("a changing call is not repeated when its answer is lost or a service is away", async () => {
  answers = [breaking];
  await expect(newClient({ hash: "a" }).call("/vehicle/create", { vehicle: { label: "Van" } })).rejects.toThrow();
  answers = [failing(14, 503)];
  const call = newClient({ hash: "a" }).call("/vehicle/create", { vehicle: { label: "Van" } });
  await expect(call).rejects.toMatchObject({ code: 14 });
  expect(asked).toHaveLength(2);
});

test("a changing call with an idempotencyKey is repeated with the same key and parameters like a reading one", async () => {
  answers = [breaking, failing(14, 503), replying({}, 502), failing(15, 429), succeeding({ id: 4 })];
  const parameters = { vehicle: { label: "Van" } };
  const options = { idempotencyKey: "order-4711" };
  expect(await newClient({ hash: "a" }).call("/vehicle/create", parameters, options)).toEqual({ id: 4 });
  expect(asked.map(({ key }) => key)).toEqual(Array(5).fill("order-4711"));
  expect(new Set(asked.map(({ body }) => body)).size).toBe(1);
});

test("a changing call that may have taken effect is not repeated with the hash of a new sign-in", async () => {
  const signedIn = succeeding({ hash: "b" });
  answers = [signedIn, breaking, failing(4, 400), signedIn, succeeding({ id: 4 })];
  const client = newClient({ login: "ann", password: "secret" });
  const create = () => client.call("/vehicle/create", { vehicle: { label: "Van" } }, { idempotencyKey: "order-4711" });
  await expect(create()).rejects.toMatchObject({ code: 4, mayHaveTakenEffect: true });
  expect(asked).toHaveLength(3);
  answers = [failing(4, 400), signedIn, succeeding({ id: 4 })];
  expect(await create()).toEqual({ id: 4 });
});

test("a call without an idempotencyKey sends none", async () => {
  answers = [succeeding({ id: 4 })];
  await newClient({ hash: "a" }).call("/vehicle/create", { vehicle: { label: "Van" } });
  expect(asked).toMatchObject([{ key: undefined }]);
});

test("calls that are repeated are those whose operations only read", () => {
  const operations = [...EVERY_OPERATION.values()];
  const changing = operations.filter(({ reads, path }) => !reads && isRepeatable(path)).map(({ path }) => path);
  expect(changing).toEqual([]);
  const reading = operations.filter(({ reads, path }) => reads && !isRepeatable(path)).map(({ path }) => path);
  // A page, and an operation whose name a changing one has, too. Addresses of files are not called by name.
  expect(reading.filter((path) => !path.endsWith("}"))).toEqual(["/activate", "/checkin/verify"]);
});

test("a refusal has the code, the wrong parameters, the request id and all members of the answer", async () => {
  const errors = [{ parameter: "vehicle.label", error: "is required" }];
  const entities = [{ type: "vehicle", ids: [2] }];
  answers = [failing(7, 400, { "X-Request-Id": "r-1" }, { errors, entities })];
  const thrown = await newClient({ hash: "a" })
    .call("/vehicle/create", { vehicle: { label: "" } })
    .catch((error) => error);
  expect(thrown).toBeInstanceOf(ApiError);
  expect(thrown).toMatchObject({ code: 7, status: 400, errors, request_id: "r-1", answer: { entities } });
  expect(thrown.message).toBe("/vehicle/create: 7 No (vehicle.label is required)");
});

test("an answer that is none of the API is a refusal with the code 0 and its HTTP status", async () => {
  answers = [(_, response) => response.writeHead(404, { "Content-Type": "text/html" }).end("<h1>No such page</h1>")];
  await expect(newClient().call("/base/nothing")).rejects.toMatchObject({ code: 0, status: 404 });
});

test("a client signs in once for all first calls, and once more for all calls that were refused with 4", async () => {
  let sessions = 0;
  answers = [
    ({ url, headers }, response, body) => {
      if (url?.endsWith("/user/auth")) return succeeding({ hash: `h${++sessions}` })({} as never, response, body);
      const isKnown = headers.authorization === `Bearer h${sessions}`;
      return (isKnown ? succeeding() : failing(4, 400))({} as never, response, body);
    },
  ];
  const client = newClient({ login: "ann@example.com", password: "secret" });
  const callAll = () => Promise.all(Array.from({ length: 10 }, () => client.call("/base/nothing")));
  await callAll();
  expect(sessions).toBe(1);
  sessions++;
  await callAll();
  expect(sessions).toBe(3);
  expect(asked.filter(({ path }) => path.endsWith("/user/auth"))).toHaveLength(2);
});

test("a call that is refused with 4 after the new sign-in, or by a client with a hash, fails", async () => {
  answers = [
    ({ url }, response, body) =>
      (url?.endsWith("/user/auth") ? succeeding({ hash: "h" }) : failing(4, 400))({} as never, response, body),
  ];
  const user = newClient({ login: "ann@example.com", password: "secret" });
  await expect(user.call("/base/nothing")).rejects.toMatchObject({ code: 4 });
  expect(asked).toHaveLength(4);
  await expect(newClient({ hash: "a" }).call("/base/nothing")).rejects.toMatchObject({ code: 4 });
  expect(asked).toHaveLength(5);
});

test("client.each answers every item of all pages and asks for no page after a short one", async () => {
  const page = (from: number, count: number) =>
    succeeding({ list: Array.from({ length: count }, (_, index) => ({ id: from + index })) });
  answers = [page(0, 2), page(2, 2), page(4, 1)];
  const ids: number[] = [];
  for await (const { id } of newClient({ hash: "a" }).each("/vehicle/list", { limit: 2 })) ids.push(id);
  expect(ids).toEqual([0, 1, 2, 3, 4]);
  expect(asked.map(({ body }) => JSON.parse(body).offset)).toEqual([0, 2, 4]);
});

test("a call ends when its signal aborts, also while it waits for the next attempt", async () => {
  answers = [failing(15, 429, { "Retry-After": "3600" })];
  const client = new FleetClient({ baseUrl, credentials: { hash: "a" } });
  const ending = new AbortController();
  const call = client.call("/vehicle/list", {}, { signal: ending.signal });
  await expect.poll(() => asked.length, { timeout: 120_000 }).toBe(1);
  ending.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
});
