import { expect, test } from "vitest";
import { type Account, newAccount, type Reply, sharedAccount } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";

const PATH = "/task/route/points/optimize";
const day = { from: "2026-05-01 08:00:00", to: "2026-05-01 18:00:00" };
const at = (lng: number, more: object = {}) => ({ location: { lat: 50, lng }, ...day, ...more });
const start_point = { lat: 50, lng: 8, departure: "2026-05-01 07:00:00" };
const codeOf = ({ success, status }: Reply) => (success ? "done" : status.code);

test("task/route/points/optimize orders points by time and by way", async () => {
  const account = await sharedAccount();
  const ask = async (...route_points: object[]) => (await account.must(PATH, { start_point, route_points })).result;
  expect(await ask(at(11), at(9), at(10))).toEqual([1, 2, 0]);
  const evening = { from: "2026-05-01 19:00:00", to: "2026-05-01 20:00:00" };
  expect(await ask(at(9, evening), at(10))).toEqual([1, 0]);
});

test("task/route/points/optimize refuses 1 point, 50, times that end before they begin (7) and more than 5,000 km (210)", async () => {
  const account = await sharedAccount();
  const ask = async (route_points: object[], more: object = {}) =>
    codeOf(await account.call(PATH, { start_point, route_points, ...more }));
  const many = (count: number) => Array.from({ length: count }, () => at(9));
  expect(await ask(many(1))).toBe(7);
  expect(await ask(many(50))).toBe(7);
  expect(await ask(many(49))).toBe("done");
  expect(await ask([at(9), at(10, { from: day.to, to: day.from })])).toBe(7);
  expect(await ask([at(9), at(75)])).toBe("done");
  expect(await ask([at(9), at(100)])).toBe(210);
  const { hash } = await newSubUser(account);
  expect(await ask(many(2), { hash })).toBe(13);
});

test("task/route/points/optimize limits calls in ten seconds, for each account alone", async () => {
  const [account, other] = [await newAccount(), await sharedAccount()];
  const ask = (owner: Pick<Account, "call">) => owner.call(PATH, { start_point, route_points: [at(9), at(10)] });
  const replies = await Promise.all(Array.from({ length: 30 }, () => ask(account)));
  const refused = replies.filter(({ success }) => !success);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]).toMatchObject({ status: { code: 264 }, timeout: "PT10S" });
  expect(refused[0]?.remainder).toMatch(/^PT\d(\.\d+)?S$|^PT10S$/);
  expect(codeOf(await ask(other))).toBe("done");
});
