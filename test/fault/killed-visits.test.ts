import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { MINUTE_MS } from "../../shared/time/duration.ts";
import { accountsOn, type Reply } from "../tool/call/account.ts";
import { type Installation, newInstallation, PATIENT } from "../tool/system/npm-start.ts";

// Its Workers are killed, so it has an installation of its own.
const OPERATOR = { OPERATOR_LOGIN: "operator", OPERATOR_PASSWORD: "operator-secret-1" };
const START = Math.floor(systemNow() / MINUTE_MS - 120) * MINUTE_MS;
const STOPS = 40;
let installation: Installation;

beforeAll(async () => {
  installation = await newInstallation({ ...OPERATOR, DEMO: "0", RATE_LIMIT_PER_SECOND: "100000" });
  await installation.start();
});

afterAll(() => installation?.remove());

test("whatever is killed between a point and its task: no visit is lost, and none is told twice", async () => {
  const login = { login: OPERATOR.OPERATOR_LOGIN, password: OPERATOR.OPERATOR_PASSWORD };
  const { newAccount, feed } = accountsOn({ baseUrl: installation.baseUrl }, login);
  const account = await newAccount({ time_zone: "UTC" });
  const { id: tracker_id, source } = await account.newTracker();
  const ids: number[] = [];
  for (let index = 0; index < STOPS; index++) {
    const location = { lat: 50, lng: 8 + index / 50, address: "", radius: 100 };
    const task = { label: `Stop ${index}`, description: "", location, from: written(0), to: written(600), tracker_id };
    ids.push((await account.must("/task/create", { task })).id);
  }
  const accepted = async (points: object[]) => (await feed(source.device_id, points)).success === true;
  const kills: Promise<unknown>[] = [];
  for (let index = 0; index < STOPS; index++) {
    const point = { time: START + index * MINUTE_MS, lat: 50, lng: 8 + index / 50 };
    // A little later each time, so that it meets every step in between.
    const kill = async () => {
      await pause(index * 4);
      // It may be on its way back from the kill before.
      await vi.waitUntil(() => installation.find("workerd serve").pid > 0, PATIENT);
      installation.kill("workerd serve");
    };
    await vi.waitUntil(() => accepted([point]).catch(() => false), PATIENT);
    if (index % 8 === 7) kills.push(kill());
  }
  await Promise.all(kills);
  await vi.waitUntil(() => accepted([{ time: START + 60 * MINUTE_MS, lat: 50, lng: 7 }]).catch(() => false), PATIENT);
  await vi.waitFor(
    async () => {
      const { count } = await account.must("/task/list", { statuses: ["done"] });
      expect(count).toBe(STOPS);
      const range = { from: written(-10), to: written(200), trackers: [tracker_id] };
      const { list } = await account.must("/history/tracker/list", range);
      expect(list.map(({ event, extra }: Reply) => `${event} ${extra.task_id}`).toSorted()).toEqual(
        ids.flatMap((id) => [`task_arrived ${id}`, `task_completed ${id}`]).toSorted(),
      );
    },
    { timeout: 90_000, interval: 500 },
  );
  for (const task_id of ids) {
    const { list } = await account.must("/task/history/list", { task_id });
    const turns = list.filter(({ operation }: Reply) => operation === "status_change");
    expect(turns.map(({ payload }: Reply) => payload.status)).toEqual(["arrived", "done"]);
  }
}, 300_000);

function written(minute: number) {
  return new Date(START + minute * MINUTE_MS).toISOString().slice(0, 19).replace("T", " ");
}
