import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { accountsOn, call, must, newAccount, operator, operatorHash, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";
import { stack } from "#test/tool/system/stack.ts";

const PATH = "/panel/user/menu";

/** A menu of an application that no other test has. */
function newMenu(name: string, application = `app-${randomInt(1e12)}`) {
  return {
    application,
    account_menu: [{ name: "info" }],
    main_menu: [{ name: "reports_main", items: [{ name }] }],
    footer_menu: [],
  };
}

test("user/get_info shows a user's own menu, else its dealer's, else the default one, and sub-users their master's", async () => {
  const [account, other, hash] = [await newAccount(), await newAccount(), await operatorHash()];
  const theirs = newMenu("schedule");
  const { application } = theirs;
  const own = newMenu("reports", application);
  const subUser = await newSubUser(account);
  const seen = async (who: { hash: string }) => (await must("/user/get_info", { hash: who.hash, application })).menu;
  const whole = await seen(account);
  expect(whole.main_menu.length).toBeGreaterThan(3);
  expect((await must(`${PATH}/default/read`, { hash, application })).value).toEqual(whole);

  await must(`${PATH}/default/update`, { hash, value: theirs });
  expect(await seen(account)).toEqual(theirs);
  await must(`${PATH}/update`, { hash, user_id: account.id, value: own });
  expect([await seen(account), await seen(subUser), await seen(other)]).toEqual([own, own, theirs]);
  expect((await must(`${PATH}/read`, { hash, user_id: account.id, application })).value).toEqual(own);
  expect((await must(`${PATH}/read`, { hash, user_id: other.id, application })).value).toEqual(theirs);
  expect((await must(`${PATH}/default/read`, { hash, application })).value).toEqual(theirs);
  const next = newMenu("tasks", application);
  await must(`${PATH}/update`, { hash, user_id: account.id, value: next });
  expect(await seen(account)).toEqual(next);
  expect((await must("/user/get_info", { hash: account.hash, application: `x${application}` })).menu).toEqual({
    ...whole,
    application: `x${application}`,
  });
});

test("a dealer's menu applies to its own users alone", async () => {
  const email = `${systemNow()}-${randomInt(1e9)}@example.com`;
  const { id } = await operator.must("/panel/subpaas/create", { title: "Rent", email, password: "secret123" });
  await operator.must("/panel/subpaas/update", { dealer_id: id, block_type: "NOT_BLOCKED" });
  const sub = accountsOn(stack, { login: email, password: "secret123" });
  const [mine, theirs] = [await newAccount(), await sub.newAccount()];
  const value = newMenu("rent");
  await must(`${PATH}/default/update`, { hash: await sub.operatorHash(), value });
  const { application } = value;
  expect((await theirs.must("/user/get_info", { application })).menu).toEqual(value);
  expect((await mine.must("/user/get_info", { application })).menu).not.toEqual(value);
  // The operator of the dealer above may write the menu of the sub-dealer's user.
  const own = newMenu("own", application);
  await operator.must(`${PATH}/update`, { user_id: theirs.id, value: own });
  expect((await theirs.must("/user/get_info", { application })).menu).toEqual(own);
});

test("menu calls answer 201 to an unknown user, and refuse an invalid menu by naming the parameter", async () => {
  const [account, hash] = [await newAccount(), await operatorHash()];
  const unknown = { hash, user_id: UNKNOWN_ID };
  expect((await call(`${PATH}/read`, { ...unknown, application: "web" })).status.code).toBe(201);
  expect((await call(`${PATH}/update`, { ...unknown, value: newMenu("x") })).status.code).toBe(201);
  const update = (value: object) => call(`${PATH}/update`, { hash, user_id: account.id, value });
  const items = (count: number) => Array.from({ length: count }, () => ({ name: "x" }));
  expect((await update({ ...newMenu("x"), main_menu: items(50) })).success).toBe(true);
  for (const [wrong, parameter] of [
    [{ main_menu: items(51) }, "value.main_menu"],
    [{ application: "" }, "value.application"],
    [{ footer_menu: [{ name: "" }] }, "value.footer_menu.0.name"],
    [{ account_menu: undefined }, "value.account_menu"],
  ] as const) {
    expect((await update({ ...newMenu("x"), ...wrong })).errors).toMatchObject([{ parameter }]);
  }
});
