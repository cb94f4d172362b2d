import { afterAll, beforeAll, expect, test } from "vitest";
import { type Account, type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { DECLARED } from "../tool/call/declared.ts";
import { effort } from "../tool/effort.ts";
import { daysAgo } from "../tool/sample/range.ts";
import { startSystem } from "../tool/system/system.ts";

/** The number of things of each kind in the account. */
const THINGS = effort({ few: 50, many: 100 });
const LENGTHS = effort({ few: [128, 760], many: [20, 128, 512, 760] });
const TEXTS = 200;

let system: Awaited<ReturnType<typeof startSystem>>;
let accounts: Accounts;
let account: Account;

beforeAll(async () => {
  // A search that takes longer than a statement may is 14.
  system = await startSystem();
  accounts = accountsOn(system);
  account = await accounts.newAccount();
  const tracker = await account.newTracker();
  const { id: vehicle_id } = await account.must("/vehicle/create", {
    vehicle: { label: "Van", tracker_id: tracker.id },
  });
  const location = { lat: 50, lng: 8, radius: 100, address: "a".repeat(255) };
  const task = { location, label: "a".repeat(200), description: "a".repeat(1024), from: daysAgo(-1), to: daysAgo(-2) };
  const service = { vehicle_id, description: "a".repeat(255), conditions: { date: { end: daysAgo(-9) } } };
  const place = { location, label: "a".repeat(255), description: "a".repeat(5000) };
  await createThings("/task/create", { task });
  await createThings("/checkin/create", { tracker_id: tracker.id, location, comment: "a".repeat(1024) });
  await createThings("/vehicle/service_task/create", { task: { ...service, comment: "a".repeat(255) } });
  await createThings("/place/create", { place });
});

afterAll(() => system?.stop());

const searched = [...DECLARED].filter(([, { input }]) => "conditions" in input.shape).map(([path]) => path);

test.each(searched)(
  "the search %s carries out the dearest conditions that it takes, and is 7 for any dearer ones",
  async (path) => {
    const call = async (conditions: unknown[]): Promise<Reply> => account.call(path, { conditions, limit: 1 });
    const contains = (field: string) => ({ type: "contains", field, value: "b" });
    const longest = longestOf(path);
    const { errors } = await call([contains("?")]);
    const fields = errors[0].error.replace("must be one of ", "").split(", ");
    // One after the other: an account has few documents made at a time.
    const replies: Reply[] = [];
    for (const field of fields) replies.push(await call([contains(field)]));
    const texts: string[] = fields.filter((_: string, index: number) => replies[index].success);
    expect(texts).toContain(longest);
    // Each begins at every letter of what is searched, and ends without being found.
    const worst = (length: number) => (_: unknown, index: number) =>
      "a".repeat(length - 3) + String(index).padStart(3, "b");
    const share = Math.floor(TEXTS / texts.length);
    for (const length of LENGTHS) {
      const each = texts.map((field) => ({ type: "in", field, value: Array.from({ length: share }, worst(length)) }));
      expect(await call([{ type: "or", conditions: each }]), `${length}`).toMatchObject({ success: true });
      const all = { type: "in", field: longest, value: Array.from({ length: TEXTS }, worst(length)) };
      expect(await call([all]), `${length}`).toMatchObject({ success: true });
      expect((await call([all, contains(longest)])).status.code).toBe(7);
    }
    const numbers = Array.from({ length: 5000 }, (_, index) => index);
    expect(await call([{ type: "in", field: longest, value: numbers }])).toMatchObject({ success: true });
    expect((await call([{ type: "in", field: longest, value: [...numbers, 5000] }])).status.code).toBe(7);
  },
);

test.each(searched.filter((path) => path.endsWith("/list")))(
  "the search %s counts everything that it finds, whatever the page",
  async (path) => {
    const found = { type: "contains", field: longestOf(path), value: "aaa" };
    for (const part of [
      {},
      { limit: 0 },
      { limit: 1 },
      { limit: 2, offset: 3 },
      { offset: THINGS },
      { offset: THINGS - 1 },
    ]) {
      expect((await account.must(path, { conditions: [found], ...part })).count, JSON.stringify(part)).toBe(THINGS);
      const lost = { ...found, value: "ab" };
      expect((await account.must(path, { conditions: [lost], ...part })).count, JSON.stringify(part)).toBe(0);
    }
  },
);

/** Which of its texts has the most letters. */
function longestOf(path: string) {
  return path.startsWith("/checkin/") ? "comment" : "description";
}

async function createThings(path: string, parameters: object) {
  for (let round = 0; round < THINGS / 50; round++) {
    await Promise.all(Array.from({ length: 50 }, () => account.must(path, parameters)));
  }
}
