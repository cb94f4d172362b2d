import { expect, test } from "vitest";
import { type Account, newAccount, type Reply } from "../tool/call/account.ts";
import { DAY } from "../tool/report/report.ts";
import { stack } from "../tool/system/stack.ts";
import { waitUntil } from "../tool/wait.ts";

/** The number of trackers in a large report: more than two turns make. */
const LARGE_COUNT = 120;

test("a small report is finished before another account's large reports that were ordered earlier", async () => {
  const [busy, other] = [await newAccount(), await newAccount()];
  const { id, source } = await busy.newTracker();
  const trackers = [id, ...(await stack.addTrackers(source.id, LARGE_COUNT - 1))];
  const { id: own } = await other.newTracker();
  const large = [];
  for (let count = 0; count < 2; count++) large.push((await order(busy, trackers)).id);
  const { id: small } = await order(other, [own]);
  await ready(other, small);
  const { list } = await busy.must("/report/tracker/list");
  expect(list.some(({ percent }: Reply) => percent < 100)).toBe(true);
  for (const id of large) await ready(busy, id);
});

function order(account: Account, trackers: number[]) {
  return account.must("/report/tracker/generate", { ...DAY, trackers, plugin: { plugin_id: 4 } });
}

async function ready(account: Account, report_id: number) {
  const percent = async () => (await account.must("/report/tracker/status", { report_id })).percent_ready;
  await waitUntil("the small report is finished", percent, (value) => value === 100);
}
