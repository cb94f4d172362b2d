import { once } from "node:events";
import { createServer } from "node:http";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { expect, test } from "vitest";
import { networksOf } from "./networks.ts";

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
      const { hostname, port } = await request.json();
      const url = "http://" + hostname + ":" + port;
      return Response.json({
        http: await TARGET_NETWORK.fetch(url).then((answer) => answer.status, failed),
        tcp: await readLine(TARGET_NETWORK, { hostname, port }).catch(failed),
        database: await DB_NETWORK.fetch(url).then((answer) => answer.status, failed),
      });
    },
  };`;

test.each([
  ["0", { http: "failed", tcp: "failed", database: 200 }],
  ["1", { http: 200, tcp: "HTTP/1.1 200 OK", database: 200 }],
])(
  "networksOf with ALLOW_PRIVATE_TARGETS=%s lets a name that resolves to loopback reach %j",
  async (setting, expected) => {
    const server = createServer((_, answer) => void answer.end());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    if (typeof address === "string" || !address) throw new Error("A TCP server has a port.");
    const worker = {
      name: "caller",
      modules: true as const,
      script: SCRIPT,
      compatibilityDate: "2026-11-01",
      serviceBindings: networksOf({ ALLOW_PRIVATE_TARGETS: setting }),
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
      for (const hostname of ["localhost", "127.0.0.1"]) {
        const body = JSON.stringify({ hostname, port: address.port });
        const answer = await miniflare.dispatchFetch("http://caller/", { method: "POST", body });
        expect(await answer.json(), hostname).toEqual(expected);
      }
    } finally {
      await miniflare.dispose();
      server.close();
    }
  },
);
