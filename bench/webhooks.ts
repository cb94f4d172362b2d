import { createServer } from "node:http";
import { freePorts } from "../scripts/system/free-ports.ts";
import { listenOnLoopback } from "../test/tool/listen.ts";
import { type Account, BASE } from "./tool/account.ts";
import { compareRounds, type Figure, highOf, rounds, timeOf } from "./tool/figure.ts";
import { bytesOf, load } from "./tool/load.ts";
import type { Stack } from "./tool/stack.ts";

/** Deliveries to a receiver in this process, and what webhooks cost those who make changes. */
export async function webhookFigures(stack: Stack, newAccount: (login: string) => Promise<Account>): Promise<Figure[]> {
  const receiver = await startReceiver();
  const bare = await startBareSender();
  try {
    const account = await newAccount("webhooks@example.com");
    return [
      await rateFigure(account, receiver, bare),
      await delayFigure(await newAccount("soon@example.com"), receiver),
      await bystanderFigure(stack, await newAccount("without@example.com"), await newAccount("with@example.com")),
    ];
  } finally {
    receiver.stop();
    await bare.stop();
  }
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;
type BareSender = Awaited<ReturnType<typeof startBareSender>>;

/** Stored deliveries that are sent again, against a bare object that sends the same bodies. */
async function rateFigure({ call }: Account, receiver: Receiver, bare: BareSender): Promise<Figure> {
  const webhook = { url: receiver.url, types: ["garage.*", "user.*"] };
  const { id: webhook_id } = await call("/webhook/create", { webhook });
  const arrived = receiver.after(DELIVERIES);
  // Changes of the gateway are events before they are answered.
  for (let number = 0; number < DELIVERIES; number++) await call("/user/audit/checkin", {});
  await arrived;
  const perSecond = await rounds({
    bare: () => rateOf(receiver, () => bare.send(receiver.url, receiver.lastBody(), DELIVERIES)),
    webhook: () => rateOf(receiver, () => call("/webhook/delivery/replay", { webhook_id, from: EARLY })),
  });
  await call("/webhook/delete", { webhook_id });
  const unit = "deliveries/s";
  return compareRounds(
    { name: "webhook, one receiver", unit, goal: { least: 0.5 }, baseline: { name: "bare object", unit } },
    perSecond.webhook,
    perSecond.bare,
  );
}

async function rateOf(receiver: Receiver, send: () => Promise<unknown>): Promise<number> {
  const arrived = receiver.after(DELIVERIES);
  const began = performance.now();
  await Promise.all([send(), arrived]);
  return DELIVERIES / ((performance.now() - began) / 1000);
}

/** From the call that makes a change in fleet to the receiver. */
async function delayFigure({ call }: Account, receiver: Receiver): Promise<Figure> {
  const { id: webhook_id } = await call("/webhook/create", {
    webhook: { url: receiver.url, types: ["vehicle.created"] },
  });
  const create = () => call("/vehicle/create", { vehicle: { label: "Van" } });
  const delivered = async () => {
    const arrived = receiver.after(1);
    await create();
    await arrived;
  };
  await delivered();
  const high: number[] = [];
  for (let round = 0; round < ROUNDS; round++) high.push(await highOf(delivered, 20));
  await call("/webhook/delete", { webhook_id });
  const answers: number[] = [];
  for (let round = 0; round < ROUNDS; round++) answers.push(await timeOf(create, 20));
  const described = { name: "change to webhook, p95", unit: "ms", goal: { mostValue: 1500 } };
  return compareRounds(
    { ...described, baseline: { name: "the answer to the change, p50", unit: "ms" } },
    high,
    answers,
  );
}

/** Changes of an account that has no webhook, against those of one whose webhook reads them and sends none. */
async function bystanderFigure({ origin }: Stack, without: Account, having: Account): Promise<Figure> {
  await having.call("/webhook/create", { webhook: { url: "http://127.0.0.1:9/", types: ["garage.created"] } });
  const createOf = ({ hash }: Account) =>
    bytesOf({ path: `${BASE}/vehicle/create`, body: JSON.stringify({ hash, vehicle: { label: "Van" } }) });
  const [plain, watched] = [createOf(without), createOf(having)];
  const perSecond = await rounds({
    watched: async () => (await load(origin, () => watched, { seconds: 1 })).perSecond,
    plain: async () => (await load(origin, () => plain, { seconds: 1 })).perSecond,
  });
  const unit = "requests/s";
  return compareRounds(
    { name: "/vehicle/create without a webhook", unit, baseline: { name: "with one for other events", unit } },
    perSecond.plain,
    perSecond.watched,
  );
}

/** Answers 204 at once. */
async function startReceiver() {
  let waiting: { count: number; resolve: () => void } | undefined;
  let body = "";
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part) => {
      text += part;
    });
    request.on("end", () => {
      response.writeHead(204).end();
      body = text;
      if (waiting && --waiting.count === 0) waiting.resolve();
    });
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}/events`,
    lastBody: () => body,
    /** Resolves when so many more deliveries have arrived. */
    after(count: number): Promise<void> {
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error("deliveries did not arrive")), PATIENCE_MS);
        waiting = {
          count,
          resolve() {
            clearTimeout(late);
            resolve();
          },
        };
      });
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A bare object that sends a body again and again, five at a time, and stores each result. */
async function startBareSender() {
  const { Log, LogLevel, Miniflare, convertV4MiniflareOptions } = await import("miniflare");
  const [port] = await freePorts(1);
  const script = `import { DurableObject } from "cloudflare:workers";
    export class Sender extends DurableObject {
      async fetch(request) {
        const { url, body, count } = await request.json();
        const headers = { "content-type": "application/json", "webhook-id": "1" };
        for (let sent = 0; sent < count; sent += 5) {
          const answers = await Promise.all(Array.from({ length: 5 }, () => fetch(url, { method: "POST", headers, body })));
          for (const [index, answer] of answers.entries()) this.ctx.storage.kv.put(String(sent + index), answer.status);
        }
        return new Response("sent");
      }
    }
    export default { fetch: (request, env) => env.SENDER.getByName("sender").fetch(request) };`;
  const durableObjects = { SENDER: { className: "Sender", useSQLite: true } };
  const worker = { name: "sender", modules: true, script, durableObjects, compatibilityDate: "2026-11-01" } as const;
  const log = new Log(LogLevel.ERROR);
  const options = { host: "127.0.0.1", port: Number(port), cf: false, telemetry: { enabled: false }, log } as const;
  const sender = new Miniflare(convertV4MiniflareOptions({ ...options, workers: [worker] }));
  await sender.ready;
  return {
    async send(url: string, body: string, count: number) {
      const job = JSON.stringify({ url, body, count });
      await (await fetch(`http://127.0.0.1:${port}`, { method: "POST", body: job })).text();
    },
    stop: () => sender.dispose(),
  };
}

const DELIVERIES = 500;
const ROUNDS = 3;
const EARLY = "2020-01-01 00:00:00";
const PATIENCE_MS = 60_000;
