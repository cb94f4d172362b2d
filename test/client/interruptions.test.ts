import { connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FleetClient } from "../../clients/typescript/src/client.ts";
import { type Account, newAccount } from "../tool/call/account.ts";
import { listenOnLoopback } from "../tool/listen.ts";
import { stack } from "../tool/system/stack.ts";

/** A network between the client and the system that the tests cut. */
const connections = new Set<Socket>();
const network = createServer((client) => {
  const { hostname, port } = new URL(stack.baseUrl);
  const server = connect(Number(port), hostname);
  for (const socket of [client, server]) {
    connections.add(socket);
    socket
      .on("error", () => {})
      .on("close", () => {
        connections.delete(socket);
        client.destroy();
        server.destroy();
      });
  }
  client.pipe(server).pipe(client);
});
let baseUrl: string;
let account: Account;

beforeAll(async () => {
  baseUrl = `http://127.0.0.1:${await listenOnLoopback(network)}/api-v2`;
  account = await newAccount();
});
afterAll(() => {
  network.close();
  cutConnections();
});

function cutConnections() {
  for (const socket of connections) socket.destroy();
}

const newClient = (options: object = {}) => {
  const { login, password } = account;
  return new FleetClient({ baseUrl, credentials: { login, password }, pause: async () => {}, ...options });
};

test("an upload that breaks off goes on where it stopped", async () => {
  const content = Buffer.alloc(300_000, "photo");
  const sent: number[] = [];
  /** Sends a third of the first two parts, then breaks off. */
  const fetchPart = async (url: string, request: RequestInit) => {
    if (request.method !== "PATCH" || !(request.body instanceof Blob)) return fetch(url, request);
    sent.push(request.body.size);
    if (sent.length > 2) return fetch(url, request);
    await fetch(url, { ...request, body: request.body.slice(0, 100_000) });
    throw new TypeError("the network has broken off");
  };
  const client = newClient({ fetch: fetchPart });
  const { value: ticket } = await client.call("/vehicle/service_task/file/create", { size: content.byteLength });
  expect(await client.upload(ticket, new Blob([content]))).toEqual({ file_id: ticket.file_id });
  expect(sent).toEqual([300_000, 200_000, 100_000]);
  const response = await fetch(`${stack.baseUrl}/file/download/${ticket.file_id}?hash=${account.hash}`);
  expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
  // Everything is there: nothing is sent.
  expect(await client.upload(ticket, new Blob([content]))).toEqual({ file_id: ticket.file_id });
  expect(sent).toHaveLength(3);
});

test("a changing call with an idempotencyKey whose answer was lost takes effect once", async () => {
  let calls = 0;
  const loseFirst = async (url: string, request: RequestInit) => {
    const response = await fetch(url, request);
    if (!url.endsWith("/garage/create") || calls++ > 0) return response;
    throw new TypeError("the network has broken off");
  };
  const garage = {
    ...{ organization_name: "Once", mechanic_name: "Ann", dispatcher_name: "Bo" },
    location: { lat: 1, lng: 2, address: "", radius: 100 },
  };
  const client = newClient({ fetch: loseFirst });
  const { id } = await client.call("/garage/create", { garage }, { idempotencyKey: crypto.randomUUID() });
  const { list } = await account.must("/garage/list");
  expect([list.map((one: { id: number }) => one.id), calls]).toEqual([[id], 2]);
});

test("an upload that is refused fails with the refusal and is not repeated", async () => {
  const client = newClient();
  const { value: ticket } = await client.call("/vehicle/service_task/file/create", { size: 10 });
  await expect(client.upload({ ...ticket, fields: { token: "wrong" } }, new Blob(["x"]))).rejects.toMatchObject({
    name: "ApiError",
  });
  await expect(client.upload(ticket, new Blob(["more than was reserved"]))).rejects.toMatchObject({ name: "ApiError" });
});

test("a subscription goes on after its connection was cut, and begins with all states again", async () => {
  const { id, source } = await account.newTracker();
  const ending = new AbortController();
  const target = { type: "selected" as const, tracker_ids: [id] };
  const messages = newClient().live([{ type: "state_batch", target }], ending.signal);
  const next = async () => (await messages.next()).value;
  expect(await next()).toMatchObject({ event: "state_batch" });
  cutConnections();
  expect(await next()).toMatchObject({ event: "state_batch" });
  await fetch(`${stack.baseUrl}/ingest/osmand?id=${source.device_id}&lat=52&lon=13&timestamp=1790000000`);
  expect(await next()).toMatchObject({ event: "state_batch", data: [{ source_id: source.id }] });
  ending.abort();
  expect(await messages.next()).toMatchObject({ done: true });
});

test("a subscription that is refused fails with the refusal", async () => {
  const target = { type: "selected" as const, tracker_ids: [] };
  const messages = newClient().live([{ type: "state_batch", target, rate_limit: "soon" }]);
  await expect(messages.next()).rejects.toMatchObject({ name: "ApiError", code: 7 });
  const stranger = new FleetClient({ baseUrl, credentials: { hash: "0".repeat(32) }, pause: async () => {} });
  const refused = stranger.live([{ type: "state_batch", target: { type: "all" } }]);
  await expect(refused.next()).rejects.toMatchObject({ name: "ApiError", code: 4 });
});
