import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { request } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { hasPrograms } from "../../test/tool/document/programs.ts";
import { waitUntil } from "../../test/tool/wait.ts";
import { ROOT } from "../workers.ts";
import { openDoor } from "./door.ts";
import { freePorts } from "./free-ports.ts";

const FILES = join(ROOT, "docs", "self-hosting");
const UNITS = ["fleet.service", "fleet-backup.service", "fleet-backup.timer"];
const MEGABYTE = 1024 * 1024;
const SELF = "scripts/system/self-hosting-files.test.ts";

let folder: string;
/** Answers what it was asked, as the gateway would be asked. */
let runtime: Server;
let door: { close(): void };
let [doorPort, httpPort, port] = [0, 0, 0];
let proxy: ChildProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fleet-proxy-"));
  [doorPort = 0, httpPort = 0, port = 0] = await freePorts(3);
  runtime = createServer(async (incoming, outgoing) => {
    const { url, headers } = incoming;
    let bytes = 0;
    incoming.on("data", (part) => (bytes += part.length));
    // A body that a proxy refuses ends in the middle.
    if (!(await once(incoming, "end").catch(() => undefined))) return;
    outgoing.end(JSON.stringify({ url, bytes, host: headers.host, address: headers["cf-connecting-ip"] }));
  });
  runtime.on("upgrade", (_, socket) => {
    socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
    socket.pipe(socket);
  });
  runtime.listen(0, "127.0.0.1");
  await once(runtime, "listening");
  const { port: runtimePort } = runtime.address() as AddressInfo; // of a TCP server
  const settings = { host: "127.0.0.1", port: doorPort, runtimePort, trustsClient: false, key: "key" };
  door = await openDoor({ ...settings, trustedProxies: ["127.0.0.1"] });
});

afterEach(async () => {
  if (proxy?.exitCode === null && proxy.kill("SIGTERM")) await once(proxy, "exit");
});

afterAll(() => {
  door.close();
  runtime.close();
  runtime.closeAllConnections();
  rmSync(folder, { recursive: true });
});

test.runIf(hasPrograms(SELF, "caddy"))(
  "Caddy with docs/self-hosting/Caddyfile passes calls, uploads and sockets",
  async () => {
    const options = `admin off\nauto_https disable_redirects\nlocal_certs\nskip_install_trust\nstorage file_system ${folder}`;
    const sites = adapt("Caddyfile", { "fleet.example.com": `https://localhost:${port}` });
    writeFileSync(join(folder, "Caddyfile"), `{\n${options}\n}\n${sites}`);
    const args = ["run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")];
    proxy = spawn("caddy", args, { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, HOME: folder } });
    await checkProxy();
  },
);

test.runIf(hasPrograms(SELF, "nginx", "openssl"))(
  "nginx with docs/self-hosting/nginx.conf passes calls, uploads and sockets",
  async () => {
    const [key, certificate] = [join(folder, "privkey.pem"), join(folder, "fullchain.pem")];
    const subject = ["-subj", "/CN=localhost", "-days", "1", "-keyout", key, "-out", certificate];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...subject], { stdio: "ignore" });
    const sites = adapt("nginx.conf", {
      "listen 80;": `listen 127.0.0.1:${httpPort};`,
      "listen 443 ": `listen 127.0.0.1:${port} `,
      "server_name fleet.example.com": "server_name localhost",
      "/etc/letsencrypt/live/fleet.example.com": folder,
      "/var/log/nginx": folder,
    });
    writeFileSync(join(folder, "fleet.conf"), sites);
    const user = process.getuid?.() === 0 ? "user root;\n" : "";
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const http = `http {\n${temporary.join("\n")}\ninclude ${folder}/fleet.conf;\n}`;
    writeFileSync(join(folder, "nginx.conf"), `${user}daemon off;\npid ${folder}/pid;\nevents {}\n${http}\n`);
    proxy = spawn("nginx", ["-c", join(folder, "nginx.conf"), "-e", "stderr"], { stdio: ["ignore", "ignore", "pipe"] });
    await checkProxy();
  },
);

test.runIf(hasPrograms(SELF, "systemd-analyze"))("systemd accepts the units in docs/self-hosting", () => {
  // In a folder of their own: a unit names another one of them.
  for (const unit of UNITS) copyFileSync(join(FILES, unit), join(folder, unit));
  const output = execFileSync("systemd-analyze", ["verify", ...UNITS.map((unit) => join(folder, unit))], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  expect(output).toBe("");
});

/** A file of docs/self-hosting with names, ports and paths of this test; each that is replaced must be in it. */
function adapt(name: string, changes: Record<string, string>): string {
  let content = readFileSync(join(FILES, name), "utf8");
  for (const [from, to] of Object.entries({ ...changes, "127.0.0.1:8787": `127.0.0.1:${doorPort}` })) {
    expect(content).toContain(from);
    content = content.replaceAll(from, to);
  }
  return content;
}

async function checkProxy() {
  const ask = (headers: Record<string, string>, body = Buffer.alloc(0)) =>
    send("/api-v2/tracker/list?a=b", headers, body);
  let output = "";
  proxy?.stderr?.on("data", (part) => (output += part));
  const attempt = () => ask({}).catch(() => undefined);
  const isUp = (answer: unknown) => answer !== undefined || proxy?.exitCode !== null;
  expect(await waitUntil("the proxy answers or has ended", attempt, isUp), output).toMatchObject({ status: 200 });
  // A caller cannot claim another address; that of the connection arrives.
  expect(await ask({ "X-Forwarded-For": "6.6.6.6", "CF-Connecting-IP": "6.6.6.6" })).toEqual({
    status: 200,
    seen: {
      url: "/api-v2/tracker/list?a=b",
      bytes: 0,
      host: expect.stringMatching(/^localhost/),
      address: "127.0.0.1",
    },
  });
  expect((await ask({}, Buffer.alloc(17 * MEGABYTE))).seen).toMatchObject({ bytes: 17 * MEGABYTE });

  const upgraded = request(target("/api-v2/event/subscription", SOCKET_HEADERS)).end();
  const [answer, socket] = (await once(upgraded, "upgrade")) as [IncomingMessage, Socket]; // what the event is of
  expect(answer.statusCode).toBe(101);
  socket.write("ping");
  expect(String((await once(socket, "data"))[0])).toBe("ping");
  socket.destroy();
}

async function send(path: string, headers: Record<string, string>, body: Buffer) {
  const asked = request({ ...target(path, headers), method: "POST" });
  // A proxy that refuses a body may end the connection before it has read all of it.
  asked.on("error", () => undefined);
  const answered = Promise.race([once(asked, "response"), once(asked, "error")]);
  asked.end(body);
  const [answer] = (await answered) as [IncomingMessage]; // what the event is of
  if (answer instanceof Error) throw answer;
  const content = await text(answer);
  return { status: answer.statusCode, seen: answer.statusCode === 200 ? JSON.parse(content) : content };
}

function target(path: string, headers: Record<string, string>) {
  const named = { Host: `localhost:${port}`, ...headers };
  return { host: "127.0.0.1", servername: "localhost", port, path, rejectUnauthorized: false, headers: named };
}

const SOCKET_HEADERS = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};
