import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { listenOnLoopback } from "../../test/tool/listen.ts";
import type { Account } from "../tool/account.ts";
import { compareRounds, type Figure, rounds } from "../tool/figure.ts";
import type { Stack } from "../tool/stack.ts";
import { BATCH_POINTS, BATCHES, type Device, newFleet, sendBatches, writtenBatches } from "./ingest.ts";

/** Batches of devices whose points go on to a receiver, against those of devices whose points stay. */
export async function retranslationFigures({ origin }: Stack, plain: Device[], account: Account): Promise<Figure[]> {
  const receiver = await startReceiver();
  const forwarded = await newFleet(account);
  await bindAll(account, receiver.port);
  try {
    await sendBatches(origin, writtenBatches(plain, 2));
    await deliver();
    const arrived: number[] = [];
    const perSecond = await rounds({
      plain: async () => (await sendBatches(origin, writtenBatches(plain, BATCHES))).perSecond,
      async forwarded() {
        const { accepted, delivered } = await deliver();
        arrived.push(delivered);
        return accepted;
      },
    });
    const described = { unit: "points/s", baseline: { name: "the same without", unit: "points/s" } };
    const name = `/ingest/points, ${BATCH_POINTS} a batch, forwarded as JSON`;
    return [
      compareRounds({ ...described, name, goal: { least: 0.5 } }, perSecond.forwarded, perSecond.plain),
      compareRounds({ ...described, name: "the same, until the receiver has them all" }, arrived, perSecond.plain),
    ];
  } finally {
    receiver.stop();
  }

  /** Points a second: accepted by the system, and acknowledged by the receiver from the first to the last. */
  async function deliver() {
    const bodies = writtenBatches(forwarded, BATCHES);
    const before = receiver.points();
    const start = performance.now();
    const { points, perSecond: accepted } = await sendBatches(origin, bodies);
    while (receiver.points() < before + points) {
      if (performance.now() - start > PATIENCE_MS) throw new Error("the receiver did not get every point");
      await pause(10);
    }
    return { accepted, delivered: (points * 1000) / (performance.now() - start) };
  }
}

/** All of the account's trackers. */
async function bindAll(account: Account, port: number) {
  const retranslator = { name: "Bench", protocol_id: 4, address: "127.0.0.1", port, login: "a", password: "b" };
  const { id: retranslator_id } = await account.call("/retranslator/create", { retranslator });
  const { list } = await account.call("/tracker/list", {});
  for (const { id: tracker_id } of list as { id: number }[]) {
    await account.call("/tracker/retranslator/bind", { tracker_id, retranslator_id });
  }
}

/** Takes what it gets and counts the points in it. */
async function startReceiver() {
  let points = 0;
  const server = createServer((request, response) => {
    request.setEncoding("latin1");
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      points += body.split('"time"').length - 1;
      response.end("{}");
    });
  });
  const port = await listenOnLoopback(server);
  return {
    port,
    points: () => points,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const PATIENCE_MS = MINUTE_MS;
