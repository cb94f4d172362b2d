import { setTimeout as pause } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { MINUTE_MS, SECOND_MS } from "../../shared/time/duration.ts";
import { accountsOn, type Reply } from "../tool/call/account.ts";
import { type Installation, newInstallation, PATIENT } from "../tool/system/npm-start.ts";
import { OPERATOR } from "../tool/system/operator.ts";

const VANS = 16;
const POINTS = 100;
const KILLS = 3;
const START = Math.floor(systemNow() / MINUTE_MS) * MINUTE_MS - 60 * MINUTE_MS;
const timeOf = (index: number) => START + index * SECOND_MS;

test("kill -9 of workerd while many trackers send loses no point that was acknowledged, and doubles none", async () => {
  const installation = await newInstallation({ DEMO: "0", OPERATOR_PASSWORD: OPERATOR.password });
  try {
    await installation.start();
    await killWhileSending(installation);
  } finally {
    await installation.remove();
  }
}, 180_000);

async function killWhileSending(installation: Installation) {
  const account = await accountsOn(installation).newAccount({ time_zone: "UTC" });
  const vans = await Promise.all(Array.from({ length: VANS }, () => account.newTracker()));
  let sent = 0;
  const sending = Promise.all(
    vans.map(async ({ source }) => {
      for (let index = 0; index < POINTS; index++, sent++) await deliver(installation, source.device_id, index);
    }),
  );
  for (let kills = 1; kills <= KILLS; kills++) {
    // Somewhere within a group that is being stored.
    await vi.waitUntil(() => sent >= (kills * VANS * POINTS) / (KILLS + 1), { ...PATIENT, interval: 1 });
    const killed = installation.kill("workerd serve");
    await vi.waitUntil(() => installation.isReplaced(killed, "workerd serve"), PATIENT);
  }
  await sending;
  const range = { from: written(timeOf(0)), to: written(timeOf(POINTS)), simplify: false, filter: false };
  const all = Array.from({ length: POINTS }, (_, index) => written(timeOf(index)));
  for (const { id } of vans) {
    const { list } = await account.must("/track/read", { tracker_id: id, ...range });
    expect(list.map(({ get_time }: Reply) => get_time)).toEqual(all);
    const { state } = await account.must("/tracker/get_state", { tracker_id: id });
    expect(state).toMatchObject({ battery_level: POINTS - 1, gps: { updated: all.at(-1) } });
  }
}

/** Again until it is acknowledged, as devices do. */
async function deliver({ baseUrl }: Installation, id: string, index: number) {
  const place = {
    lat: String(50 + index / 1000),
    lon: "8",
    batt: String(index),
    timestamp: String(timeOf(index) / 1000),
  };
  const query = new URLSearchParams({ id, ...place });
  for (;;) {
    const answer = await fetch(`${baseUrl}/ingest/osmand?${query}`).catch(() => undefined);
    if (answer?.status === 200) return;
    await pause(20);
  }
}

function written(time: number) {
  return new Date(time).toISOString().slice(0, 19).replace("T", " ");
}
