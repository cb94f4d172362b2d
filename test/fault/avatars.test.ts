import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { MINUTE_MS } from "../../shared/time/duration.ts";
import { type Account, accountsOn, type Reply } from "../tool/call/account.ts";
import { newPicture } from "../tool/document/pictures.ts";
import { startWatchedSystem } from "../tool/system/system.ts";

// Its database is taken down here for every test: it is this file's own system.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let account: Account;

beforeAll(async () => {
  system = await startWatchedSystem();
  account = await accountsOn(system).newAccount();
});

afterEach(() => system.bringUp("fleet"));

afterAll(() => system?.stop());

const codeOf = ({ success, status }: Reply) => (success ? undefined : status.code);
const newTag = async () => (await account.must("/tag/create", { tag: { name: "Cold", color: "27A9E3" } })).id;
const upload = (tag_id: number) => account.call("/tag/avatar/upload", { tag_id, file: newPicture() });
const ending = async () =>
  (await system.rowsOf("fleet", "avatar")).filter((row) => row.account_id === account.id && row.expires !== null);

test("an avatar upload that is cut off leaves no picture without a row, and its row expires", async () => {
  const tag_id = await newTag();
  const stored = await system.objects("avatar/");
  await system.loseAnswers("fleet");
  const before = systemNow();
  expect(codeOf(await upload(tag_id))).toBe(14);
  const after = systemNow();
  await system.bringUp("fleet");
  const [row, ...more] = await ending();
  expect(more).toEqual([]);
  expect(Number(row?.expires)).toBeGreaterThanOrEqual(before + 10 * MINUTE_MS);
  expect(Number(row?.expires)).toBeLessThanOrEqual(after + 10 * MINUTE_MS);
  expect(await system.objects("avatar/")).toEqual(stored);
  const { list } = await account.must("/tag/list");
  expect(list.find(({ id }: Reply) => id === tag_id)).not.toHaveProperty("avatar_file_name");
  // The upload may still be under way.
  await system.fireCron("fleet");
  expect(await ending()).toHaveLength(1);
});

test("an avatar upload without its database stores nothing, and its repeat is shown", async () => {
  const tag_id = await newTag();
  await system.takeDown("fleet");
  const stored = await system.objects("avatar/");
  expect(codeOf(await upload(tag_id))).toBe(14);
  expect(await system.objects("avatar/")).toEqual(stored);
  await system.bringUp("fleet");
  const { value } = await upload(tag_id);
  expect(await system.objects("avatar/")).toContain(`avatar/tag/${value}`);
});
