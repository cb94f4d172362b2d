import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { listenOnLoopback } from "../listen.ts";
import { type Answer, FakeAccount, type PlatformRequest, refuse } from "./fake-account.ts";

export const ACCOUNT = "0123456789abcdef0123456789abcdef";
export const TOKEN = "token-of-the-fake-platform";

/** A request as the platform got it: method, path below the account, and what it carried. */
export type RecordedRequest = { method: string; path: string };
type Rule = (request: RecordedRequest) => Answer | undefined;

/**
 * The platform's API on loopback, for the real wrangler: `CLOUDFLARE_API_BASE_URL` leads to it. It keeps Workers with their
 * versions and deployments in memory, and refuses what the platform refuses.
 */
export async function startFakePlatform() {
  const account = new FakeAccount();
  const requests: RecordedRequest[] = [];
  const rules = new Set<Rule>();
  const listeners = new Set<(request: RecordedRequest) => void>();
  const server = createServer(async (incoming, response) => {
    const answer = await handle(incoming).catch((error): Answer => refuse(500, 10013, String(error)));
    const { status, result, error } = answer;
    response.writeHead(status, { "Content-Type": "application/json" });
    const page = { page: 1, per_page: 100, count: 0, total_count: 0 };
    response.end(
      JSON.stringify({
        ...{ success: !error, errors: error ? [error] : [], messages: [], result: result ?? null },
        ...(Array.isArray(result) ? { result_info: page } : {}),
      }),
    );
  });
  const port = await listenOnLoopback(server);

  async function handle(incoming: IncomingMessage): Promise<Answer> {
    const url = new URL(incoming.url ?? "", "http://platform");
    const { method = "GET" } = incoming;
    const body = await buffer(incoming);
    const path = url.pathname.replace(`/accounts/${ACCOUNT}`, "");
    const recorded = { method, path };
    requests.push(recorded);
    for (const listen of listeners) listen(recorded);
    if (incoming.headers.authorization !== `Bearer ${TOKEN}`) return refuse(401, 10000, "Authentication error");
    if (url.pathname === "/accounts") return { status: 200, result: [{ id: ACCOUNT, name: "Test" }] };
    for (const rule of rules) {
      const answer = rule(recorded);
      if (answer) return answer;
    }
    const request: PlatformRequest = { method, path, query: url.searchParams, body: await parseBody(incoming, body) };
    return account.answer(request);
  }

  return {
    account,
    requests,
    /** The environment in which wrangler talks to this platform. */
    environment: {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}`,
      CLOUDFLARE_API_TOKEN: TOKEN,
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
    },
    /** Answers requests that begin so with a failure, until the returned function is called. */
    refuseAll(method: string, path: RegExp, status: number, code: number, text: string) {
      const rule: Rule = (request) => {
        return (method === "*" || request.method === method) && path.test(request.path)
          ? refuse(status, code, text)
          : undefined;
      };
      rules.add(rule);
      return () => rules.delete(rule);
    },
    onRequest(listen: (request: RecordedRequest) => void) {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
    /** The requests since the last call that changed something. */
    takeChanges() {
      const changes = requests.splice(0).filter(({ method }) => method !== "GET");
      return changes.map(({ method, path }) => `${method} ${path}`);
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export type FakePlatform = Awaited<ReturnType<typeof startFakePlatform>>;

async function parseBody(incoming: IncomingMessage, body: Buffer): Promise<unknown> {
  const type = incoming.headers["content-type"] ?? "";
  if (type.startsWith("multipart/form-data")) {
    const form = await new Response(new Uint8Array(body), { headers: { "Content-Type": type } }).formData();
    const files = [...form.keys()].filter((name) => name !== "metadata");
    return { ...JSON.parse(String(form.get("metadata"))), files };
  }
  return body.length > 0 ? JSON.parse(body.toString()) : undefined;
}
