import { createECDH, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { systemNow } from "../shared/time/clock.ts";
import { listenOnLoopback } from "../test/tool/listen.ts";
import { type Account, BASE, registerTracker } from "./tool/account.ts";
import { compareRounds, type Figure, highOf, rounds, timeOf } from "./tool/figure.ts";
import type { Stack } from "./tool/stack.ts";

/** From a point that fires a rule to the notification at a push service, which runs in this process. */
export async function notificationFigure({ origin }: Stack, account: Account): Promise<Figure> {
  const { id, device_id } = await registerTracker(account, "Van");
  // Without a text of its own a rule notifies nobody.
  const rule = {
    type: "door_alarm",
    name: "Door",
    primary_text: "Open",
    trackers: [id],
    alerts: { push_enabled: true },
  };
  await account.call("/tracker/rule/create", { rule });
  const service = await startService();
  try {
    await account.call("/user/session/push_token/bind", service.token);
    const send = async (attributes: object) => {
      const points = [{ time: systemNow(), lat: 50, lng: 8, attributes }];
      const headers = { "Content-Type": "application/json" };
      const body = JSON.stringify({ device_id, points });
      await (await fetch(`${origin}${BASE}/ingest/points`, { method: "POST", headers, body })).text();
    };
    const notified = async () => {
      const arrival = service.next();
      await send({ alarm: "door" });
      await arrival;
    };
    await notified();
    const taken = await rounds({
      answer: () => timeOf(() => send({}), 20),
      push: () => highOf(notified, 20),
    });
    const described = { name: "point to push notification, p95", unit: "ms", goal: { mostValue: 1000 } };
    const baseline = { name: "the answer to a point, p50", unit: "ms" };
    return compareRounds({ ...described, baseline }, taken.push, taken.answer);
  } finally {
    service.stop();
  }
}

async function startService() {
  let arrived: (() => void) | undefined;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(201).end();
      arrived?.();
    });
  });
  const port = await listenOnLoopback(server);
  const keys = createECDH("prime256v1");
  return {
    token: {
      application: "w3c_pushapi",
      token: `http://127.0.0.1:${port}/send`,
      parameters: {
        p256dh: keys.generateKeys().toString("base64url"),
        auth: randomBytes(16).toString("base64url"),
      },
    },
    next() {
      return new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error("no notification came")), PATIENCE_MS);
        arrived = () => {
          clearTimeout(late);
          resolve();
        };
      });
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const PATIENCE_MS = 20_000;
