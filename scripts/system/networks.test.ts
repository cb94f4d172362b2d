import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { expect, test } from "vitest";
import { folderOf, WORKERS, type WorkerName } from "../workers.ts";
import { networksOf } from "./networks.ts";
import type { DatabaseServer } from "./sqld.ts";

/** Says what it reaches at an address over HTTP and TCP, by the networks of its bindings. */
const SCRIPT = `
  const failed = () => "failed";
  async function readLine(network, address) {
    const socket = network.connect(address);
    await socket.opened;
    await socket.writable.getWriter().write(new TextEncoder().encode("GET / HTTP/1.0\\r\\n\\r\\n"));
    const { value } = await socket.readable.getReader().read();
    socket.close().catch(failed);
    return new TextDecoder().decode(value).split("\\r\\n")[0];
  }
  export default {
    async fetch(request, { TARGET_NETWORK, DB_NETWORK }) {
      const { hostname, port, encrypted } = await request.json();
      if (encrypted) {
        await DB_NETWORK.fetch("https://" + hostname + ":" + port).catch(failed);
        return new Response();
      }
      const url = "http://" + hostname + ":" + port;
      return Response.json({
        http: await TARGET_NETWORK.fetch(url).then((answer) => answer.status, failed),
        tcp: await readLine(TARGET_NETWORK, { hostname, port }).catch(failed),
        database: await DB_NETWORK.fetch(url).then((answer) => answer.status, failed),
      });
    },
  };`;

/** A server that the environment names. */
const GIVEN = { url: "https://database.example.com", token: "", isOwn: false };

/** All sources of a Worker. */
function sourceOf(worker: WorkerName) {
  const files = globSync(join(folderOf(worker), "src", "**", "*.ts")).filter((file) => !file.endsWith(".test.ts"));
  return files.map((file) => readFileSync(file, "utf8")).join();
}

/** Calls `SCRIPT` with networks of the setting. */
async function withNetworks(setting: string, work: (call: (body: object) => Promise<unknown>) => Promise<void>) {
  const worker = {
    name: "caller",
    modules: true as const,
    script: SCRIPT,
    compatibilityDate: "2026-11-01",
    serviceBindings: networksOf("geo", GIVEN, { ALLOW_PRIVATE_TARGETS: setting }),
  };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      telemetry: { enabled: false },
      handleStructuredLogs: () => undefined,
      workers: [worker],
    }),
  );
  try {
    await work(async (body) => {
      const answer = await miniflare.dispatchFetch("http://caller/", { method: "POST", body: JSON.stringify(body) });
      return JSON.parse((await answer.text()) || "null");
    });
  } finally {
    await miniflare.dispose();
  }
}

test("networksOf lets a Worker begin an encrypted connection to a database", async () => {
  const server = createTcpServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // of a TCP server
  const first = once(server, "connection").then(async ([socket]: Socket[]) => {
    const [bytes]: Buffer[] = socket ? await once(socket, "data") : [];
    socket?.destroy();
    return bytes?.[0];
  });
  try {
    await withNetworks("0", async (call) => {
      await call({ hostname: "127.0.0.1", port, encrypted: true });
      // The type of a record of a TLS handshake.
      expect(await first).toBe(22);
    });
  } finally {
    server.close();
  }
});

test("networksOf gives certificates to a database network of given servers alone, and targets to Workers that send", () => {
  const own = { ...GIVEN, isOwn: true };
  const trust = expect.objectContaining({ trustBrowserCas: true });
  const databaseOf = (server: DatabaseServer) => networksOf("fleet", server, {}).DB_NETWORK.network;
  expect(databaseOf(own)).not.toHaveProperty("tlsOptions");
  for (const server of [GIVEN, { ...own, further: [own, GIVEN] }])
    expect(databaseOf(server)).toMatchObject({ tlsOptions: trust });
  // A Worker that used it without having it would fall back to the runtime's own network, which lets all targets pass.
  const senders = WORKERS.filter((worker) => sourceOf(worker).includes("TARGET_NETWORK"));
  expect(senders).not.toEqual([]);
  expect(WORKERS.filter((worker) => "TARGET_NETWORK" in networksOf(worker, own, {}))).toEqual(senders);
});

test.each([
  ["0", { http: "failed", tcp: "failed", database: 200 }],
  ["1", { http: 200, tcp: "HTTP/1.1 200 OK", database: 200 }],
])(
  "networksOf with ALLOW_PRIVATE_TARGETS=%s lets a name that resolves to loopback reach %j",
  async (setting, expected) => {
    const server = createServer((_, answer) => void answer.end());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo; // of a TCP server
    try {
      await withNetworks(setting, async (call) => {
        for (const hostname of ["localhost", "127.0.0.1"]) {
          expect(await call({ hostname, port }), hostname).toEqual(expected);
        }
      });
    } finally {
      server.close();
    }
  },
);
