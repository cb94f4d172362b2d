import { expect, test } from "vitest";
import { newDrive } from "../../bench/tool/drive.ts";
import { chanceOf } from "./chance.ts";
import { BusyAccount, type Device, type Thing } from "./soak-account.ts";
import { Answers, type Caller } from "./soak-caller.ts";
import { checkStored } from "./soak-checks.ts";
import { minuteOf, planFaults } from "./soak-faults.ts";
import { Memory } from "./soak-measures.ts";

const START_MS = Date.UTC(2026, 4, 2);
const POINTS = ["2026-05-02 00:00:00", "2026-05-02 00:00:01"].map((get_time) => ({ get_time }));
const VAN = { id: 7, label: "van" };
const ENTRY = { entry_category: "vehicle", entry_id: 7 };

test("planFaults plans the same faults at the same times for the same seed", () => {
  expect(planFaults(chanceOf(5), 600)).toEqual(planFaults(chanceOf(5), 600));
  expect(planFaults(chanceOf(5), 600)).not.toEqual(planFaults(chanceOf(6), 600));
});

test.each([60, 90, 600, 3600])("planFaults spreads every fault over %i seconds", (seconds) => {
  for (let seed = 0; seed < 50; seed++) {
    const plan = planFaults(chanceOf(seed), seconds);
    expect(new Set(plan.map(({ fault }) => fault.kind)).size).toBe(5);
    expect(new Set(plan.flatMap(({ fault }) => (fault.kind === "kill database" ? fault.worker : []))).size).toBe(6);
    const gaps = plan.map(({ atMs }, index) => atMs - (plan[index - 1]?.atMs ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(0);
    expect(Math.max(...gaps)).toBeLessThan((2 * seconds * 1000) / plan.length);
  }
});

test.each([60, 90, 600, 3600])(
  "planFaults for %i seconds kills workerd in neither of the minutes whose memory is compared",
  (seconds) => {
    for (let seed = 0; seed < 50; seed++) {
      const endings = planFaults(chanceOf(seed), seconds).filter(({ fault }) => /workerd|everything/.test(fault.kind));
      expect(endings.length).toBeGreaterThanOrEqual(2);
      for (const { atMs } of endings) {
        expect(atMs).toBeGreaterThanOrEqual(2 * minuteOf(seconds) * 1000);
        expect(atMs).toBeLessThanOrEqual((seconds * 1000) / 2);
      }
    }
  },
);

test("checkStored finds nothing wrong where each thing is stored once, as it was answered", async () => {
  expect(await offencesWith({})).toEqual([]);
  expect(await offencesWith({ "/vehicle/list": [], "/user/audit/log/list": [] }, { id: undefined })).toEqual([]);
});

test.each([
  ["a vehicle that is lost", { "/vehicle/list": [], "/user/audit/log/list": [] }],
  ["a vehicle that is there twice", { "/vehicle/list": [VAN, { ...VAN, id: 8 }] }],
  ["a point that is lost", { "/track/read": POINTS.slice(1) }],
  ["a point that is there twice", { "/track/read": [...POINTS, ...POINTS.slice(1)] }],
  ["a file that is lost", { "/file/stats/read": 0 }],
  ["a file that is there twice", { "/file/stats/read": 2 }],
  ["a file with another content", { content: "other" }],
  ["an entry of the audit log that is lost", { "/user/audit/log/list": [] }],
  ["an entry that is there twice", { "/user/audit/log/list": [ENTRY, ENTRY] }],
  ["an entry of nothing", { "/user/audit/log/list": [ENTRY, { ...ENTRY, entry_id: 9 }] }],
])("checkStored reports %s", async (_, stored) => {
  expect(await offencesWith(stored)).not.toEqual([]);
});

test("checkStored accepts one thing, not two, from a creation without an answer", async () => {
  const unsure = { id: undefined };
  expect(await offencesWith({}, unsure)).toEqual([]);
  const twice = {
    "/vehicle/list": [VAN, { ...VAN, id: 8 }],
    "/user/audit/log/list": [ENTRY, { ...ENTRY, entry_id: 8 }],
  };
  expect(await offencesWith(twice, unsure)).toHaveLength(1);
});

test("Answers accept broken connections during a kill, and code 6 at no time", () => {
  let disturbance: string | undefined;
  const answers = new Answers(() => disturbance);
  for (const code of [0, 14, 15]) answers.note("/tag/list", code, 0);
  expect(answers.offences).toEqual([]);
  answers.noteBroken("/tag/list", new Error("reset"), 0);
  disturbance = "hold database geo";
  answers.noteBroken("/tag/list", new Error("reset"), 0);
  expect(answers.offences).toHaveLength(2);
  disturbance = "kill workerd";
  answers.noteBroken("/tag/list", new Error("reset"), 0);
  expect(answers.offences).toHaveLength(2);
  answers.note("/tag/list", 6, 0);
  answers.noteStrange("/tag/list", 502, "Bad gateway");
  expect(answers.offences).toHaveLength(4);
  expect(answers).toMatchObject({ broken: 1, unprovoked: 1 });
});

test("Memory accepts growth to 1.5 times the second minute's, and no more", () => {
  expect(memoryWith(150).offences).toEqual([]);
  expect(memoryWith(151).offences).toHaveLength(1);
  expect(memoryWith(undefined).offences).toHaveLength(1);
});

function memoryWith(late: number | undefined) {
  const memory = new Memory();
  memory.note(0, 400);
  memory.note(60_000, 100);
  memory.note(590_000, late);
  return memory.finding(60_000, 600_000);
}

/** Offences of an account with a vehicle, two points and a file when the system shows `stored` instead. */
async function offencesWith(stored: Record<string, unknown>, more: Partial<Thing> = {}) {
  const lists: Record<string, unknown> = {
    "/vehicle/list": [VAN],
    "/tag/list": [],
    "/task/list": [],
    "/track/read": POINTS,
    "/user/audit/log/list": [ENTRY],
    "/file/stats/read": 1,
    content: "bill",
    ...stored,
  };
  const caller: Caller = {
    call: async (path) => ({ list: lists[path], value: { file_count: lists[path] } }),
    upload: async () => undefined,
    download: async () => Buffer.from(String(lists.content)),
    end: () => undefined,
  };
  const device: Device = {
    ...{ trackerId: 1, deviceId: "860000000000001", startMs: START_MS },
    ...{ next: newDrive(1, START_MS, 1000), acknowledged: 2, waiting: [] },
  };
  const account = new BusyAccount("account", caller, [device], chanceOf(1));
  account.things.push({ kind: "vehicle", ...VAN, ...more });
  account.files.push({ address: "https://example.com/bill", content: "bill" });
  return (await checkStored([account], 0)).flatMap(({ offences }) => offences);
}
