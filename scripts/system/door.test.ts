import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { connect, createServer as createTcpServer } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { waitUntil } from "../../test/tool/wait.ts";
import { addressOf, type DoorSettings, openDoor } from "./door.ts";
import { freePorts } from "./free-ports.ts";

const SOCKET_PATH = "/api-v2/event/subscription";
const KEY = "the-key-of-the-door";
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A door in front of a runtime that answers with what it was asked. */
async function newDoor(more: Partial<DoorSettings> = {}) {
  const runtime = createServer(async (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    outgoing.end(JSON.stringify({ method, url, headers, body: await text(incoming) }));
  });
  runtime.on("upgrade", (incoming, socket) => {
    if (incoming.url?.includes("refused")) return void socket.end("HTTP/1.1 429 Too Many Requests\r\n\r\n");
    const { "cf-connecting-ip": address, "fms-door-key": key } = incoming.headers;
    socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
    socket.write(`${incoming.url} from ${address} with ${key}`);
    socket.pipe(socket);
  });
  runtime.listen(0, "127.0.0.1");
  await once(runtime, "listening");
  const { port: runtimePort } = runtime.address() as AddressInfo; // of a TCP server
  const [port = 0] = await freePorts(1);
  const door = await openDoor({
    ...{ host: "127.0.0.1", port, runtimePort, trustedProxies: [], trustsClient: false, key: KEY },
    ...more,
  });
  const endRuntime = () => {
    runtime.close();
    runtime.closeAllConnections();
  };
  closing.push(endRuntime, door.close);
  return { port, runtime, endRuntime };
}

async function ask(port: number, path: string, headers: Record<string, string> = {}, body = "") {
  const method = body ? "POST" : "GET";
  const asked = request({ host: "127.0.0.1", port, path, method, headers }).end(body);
  const [answer] = (await once(asked, "response")) as [IncomingMessage]; // what the event is of
  return { status: answer.statusCode, seen: JSON.parse(await text(answer)) };
}

test("the door passes a request as it was written, and sets the headers that only the edge may set", async () => {
  const { port } = await newDoor();
  const spoofed = {
    "CF-Connecting-IP": "1.2.3.4",
    "MF-Original-URL": "http://evil/",
    "X-Forwarded-For": "1.2.3.4",
    "FMS-Door-Key": "x",
  };
  const { seen } = await ask(port, "/a[1]?b={c}", { ...spoofed, Host: "fleet.example", "X-Own": "ü" }, "body ü");
  expect(seen).toMatchObject({ method: "POST", url: "/a[1]?b={c}", body: "body ü" });
  expect(seen.headers).toMatchObject({ "cf-connecting-ip": "127.0.0.1", host: "fleet.example" });
  expect(seen.headers).not.toHaveProperty("mf-original-url");
  expect(seen.headers["fms-door-key"]).toBe(KEY);
});

test("a door that trusts its clients passes their address as they send it", async () => {
  const { port } = await newDoor({ trustsClient: true });
  const { seen } = await ask(port, "/", { "CF-Connecting-IP": "1.2.3.4" });
  expect(seen.headers["cf-connecting-ip"]).toBe("1.2.3.4");
});

test.each([
  ["10.0.0.9", "6.6.6.6", "10.0.0.9"],
  ["10.0.0.1", "6.6.6.6, 5.5.5.5", "5.5.5.5"],
  ["::ffff:10.0.0.1", "6.6.6.6, 5.5.5.5, 10.0.0.2", "5.5.5.5"],
  ["10.0.0.1", "", "10.0.0.1"],
])("addressOf a connection from %s, forwarded for %j, is %s", (remoteAddress, forwarded, address) => {
  const incoming = { socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } };
  expect(addressOf(incoming as unknown as IncomingMessage, ["10.0.0.1", "10.0.0.2"])).toBe(address);
});

test("the door answers 14 to each request while the runtime is away", async () => {
  const { port, endRuntime } = await newDoor();
  endRuntime();
  expect(await ask(port, "/")).toMatchObject({ status: 503, seen: { success: false, status: { code: 14 } } });
});

test("the door passes web sockets in both directions, with the headers that only the edge may set", async () => {
  const { port } = await newDoor();
  const socket = upgrade(port, `GET ${SOCKET_PATH}?a=1`, ["Upgrade: WebSocket", "CF-Connecting-IP: 1.2.3.4"]);
  const received: string[] = [];
  socket.on("data", (bytes) => received.push(String(bytes)));
  const until = async (part: string) => {
    while (!received.join("").includes(part)) await once(socket, "data");
  };
  await until(`${SOCKET_PATH}?a=1 from 127.0.0.1 with ${KEY}`);
  expect(received.join("")).toMatch(/^HTTP\/1.1 101 Switching Protocols/);
  socket.write("hello");
  await until("hello");
  socket.destroy();
});

test.each(["end", "resetAndDestroy"] as const)(
  "the door passes the last words of web sockets that close at once by %s, and closes the runtime's side of each",
  async (close) => {
    const received: string[] = [];
    const { port, runtime } = await newDoor();
    let open = 0;
    runtime.on("upgrade", (_, socket) => {
      open++;
      let words = "";
      socket.on("data", (part: Buffer) => (words += part));
      socket
        .on("error", () => {})
        .on("close", () => {
          open--;
          received.push(words);
        });
    });
    const clients = await Promise.all(Array.from({ length: 60 }, () => openSocket(port)));
    expect(open).toBe(60);
    for (const client of clients) client.write("bye");
    await Promise.all(clients.map((client) => untilEchoed(client, "bye")));
    for (const client of clients) client[close]();
    await waitUntil("every connection with the runtime is closed", () => open === 0);
    expect(received).toEqual(Array(60).fill("bye"));
  },
);

test("the door reads to the end what the runtime sends to a client that stopped reading and has left", async () => {
  const { port, runtime } = await newDoor();
  const sent = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  runtime.on("upgrade", (_, socket) => {
    socket.write(Buffer.alloc(32 * 1024 ** 2), () => sent.resolve());
    socket.on("error", closed.reject).on("close", closed.resolve);
  });
  const client = await openSocket(port);
  client.pause();
  client.resetAndDestroy();
  await sent.promise;
  await closed.promise;
});

/** A web socket of a client, after the runtime has accepted it. */
async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  const headers = ["Host: x", "Connection: Upgrade", "Upgrade: websocket"];
  socket.write(`GET ${SOCKET_PATH} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`);
  await once(socket, "data");
  return socket;
}

async function untilEchoed(socket: Socket, words: string) {
  let echoed = "";
  for await (const part of socket.iterator({ destroyOnReturn: false })) {
    echoed += part;
    if (echoed.includes(words)) return;
  }
}

test("the door passes the refusal of a web socket and then ends the connection", async () => {
  const { port } = await newDoor();
  const socket = upgrade(port, `GET ${SOCKET_PATH}?refused`, ["Upgrade: websocket"]);
  expect(await text(socket)).toMatch(/^HTTP\/1.1 429 Too Many Requests\r\n/);
});

test.each([
  ["POST", SOCKET_PATH, "websocket"],
  ["GET", "/api-v2/user/get_info", "websocket"],
  ["GET", `${SOCKET_PATH}/other`, "websocket"],
  ["GET", SOCKET_PATH, "h2c"],
])("the door refuses to upgrade %s %s to %s", async (method, path, protocol) => {
  const { port } = await newDoor();
  const socket = upgrade(port, `${method} ${path}`, [`Upgrade: ${protocol}`, "CF-Connecting-IP: 1.2.3.4"]);
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
});

test("the door answers 503 to a web socket while the runtime is away", async () => {
  const { port, endRuntime } = await newDoor();
  endRuntime();
  expect(await text(upgrade(port, `GET ${SOCKET_PATH}`, ["Upgrade: websocket"]))).toMatch(/^HTTP\/1.1 503 /);
});

test.each([
  [
    "resets its connection to the runtime when a client leaves before the answer",
    "Content-Length: 2\r\n\r\n{}",
    "ECONNRESET",
  ],
  [
    "ends its connection to the runtime when a client leaves before its body is complete",
    "Content-Length: 9\r\n\r\n{}",
    "end",
  ],
])("the door %s", async (_, request, expected) => {
  const runtime = createTcpServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
  await once(runtime, "listening");
  const { port: runtimePort } = runtime.address() as AddressInfo; // of a TCP server
  const { port } = await newDoor({ runtimePort });
  const client = connect(port, "127.0.0.1");
  client.write(`POST /api-v2/base/nothing HTTP/1.1\r\nHost: x\r\n${request}`);
  const [connection] = (await once(runtime, "connection")) as [Socket]; // what the event is of
  closing.push(
    () => void runtime.close(),
    () => void connection.destroy(),
  );
  let received = "";
  while (!received.includes("{}")) received += String(await once(connection, "data"));
  const end = new Promise((resolve) => {
    connection.once("end", () => resolve("end"));
    connection.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code));
  });
  client.destroy();
  expect(await end).toBe(expected);
});

/** A connection that asks for an upgrade. */
function upgrade(port: number, line: string, headers: string[]) {
  const socket = connect(port, "127.0.0.1");
  const lines = [`${line} HTTP/1.1`, "Host: x", "Connection: Upgrade", ...headers];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  return socket;
}
