import { setTimeout as pause } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { MINUTE_MS } from "../../shared/time/duration.ts";
import { accountsOn, type Reply } from "../tool/call/account.ts";
import { type Installation, newInstallation, PATIENT } from "../tool/system/npm-start.ts";
import { OPERATOR } from "../tool/system/operator.ts";

const CROSSINGS = 120;
const START = Math.floor(systemNow() / MINUTE_MS) * MINUTE_MS - (CROSSINGS + 10) * MINUTE_MS;

test("kill -9 of workerd between points and their events loses none of them, and doubles none", async () => {
  const installation = await newInstallation({ DEMO: "0", OPERATOR_PASSWORD: OPERATOR.password });
  try {
    await installation.start();
    await killWhileCrossing(installation);
  } finally {
    await installation.remove();
  }
}, 180_000);

/** Each point is on the other side of a zone's border than the one before. */
async function killWhileCrossing(installation: Installation) {
  const { newAccount, feed } = accountsOn(installation);
  const account = await newAccount({ time_zone: "UTC" });
  const { id: tracker_id, source } = await account.newTracker();
  const zone = { type: "circle", label: "Depot", center: { lat: 50, lng: 8 }, radius: 300 };
  const { id: zone_id } = await account.must("/zone/create", { zone });
  const rule = { type: "inoutzone", name: "Gate", zone_ids: [zone_id], trackers: [tracker_id] };
  await account.must("/tracker/rule/create", { rule: { ...rule, extended_params: { confirm_points: 1 } } });

  const pointOf = (index: number) => ({ time: START + index * MINUTE_MS, lat: 50, lng: index % 2 === 0 ? 7.95 : 8 });
  for (let index = 0; index < CROSSINGS; index++) {
    // A point that was not acknowledged is sent again, as devices do.
    for (let sent = false; !sent; ) {
      const reply: Reply = await feed(source.device_id, [pointOf(index)]).catch(() => undefined);
      sent = reply?.success === true;
      if (!sent) await pause(50);
    }
    // Right behind an answer, what follows from the point is under way.
    if (index === 40 || index === 80) {
      const killed = installation.kill("workerd serve");
      await vi.waitUntil(() => installation.isReplaced(killed, "workerd serve"), PATIENT);
    }
  }
  await vi.waitUntil(async () => (await installation.health()) === 200, PATIENT);
  const range = { from: written(START), to: written(systemNow() + MINUTE_MS), trackers: [tracker_id] };
  const told = async () => {
    const { list } = await account.must("/history/tracker/list", { ...range, add_tracker_label: false });
    return list.map(({ event, time }: Reply) => `${event} ${time}`);
  };
  const expected = Array.from({ length: CROSSINGS - 1 }, (_, index) => {
    const name = index % 2 === 0 ? "inzone" : "outzone";
    return `${name} ${written(pointOf(index + 1).time)}`;
  });
  await vi.waitFor(async () => expect(await told()).toEqual(expected), { timeout: 90_000, interval: 500 });
  // Nothing is told once more by what was under way.
  await pause(2000);
  expect(await told()).toEqual(expected);
}

function written(ms: number) {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}
