import { afterAll, beforeAll, expect, test } from "vitest";
import { type Account, type Accounts, accountsOn } from "../tool/call/account.ts";
import { linkedHash } from "../tool/call/mailbox.ts";
import { startSystem } from "../tool/system/system.ts";

const WEAK = "secret123";
const numbered = (number: number) => `Secret-1234!${number}`;

let system: Awaited<ReturnType<typeof startSystem>>;
let accounts: Accounts;
let account: Account;

beforeAll(async () => {
  system = await startSystem({ PASSWORD_POLICY: "strict" });
  accounts = accountsOn(system);
  account = await accounts.newAccount({ password: numbered(0) });
});

afterAll(() => system?.stop());

test("a strict installation refuses weak passwords wherever one is set, and says what it is", async () => {
  const { id: user_id, login } = account;
  const user = { login: `x${login}`, legal_type: "individual" };
  const operator = await accounts.operatorHash();
  await accounts.must("/user/restore_password", { login });
  const link = await linkedHash(login, accounts);
  const refused = { status: { code: 7 }, errors: [{ parameter: "password" }] };
  for (const [path, parameters] of [
    ["/panel/user/create", { hash: operator, user, time_zone: "UTC", locale: "de" }],
    ["/panel/user/change_password", { hash: operator, user_id }],
    ["/subuser/register", { hash: account.hash, user }],
    ["/user/password/change", { hash: link }],
  ] as const) {
    expect(await accounts.call(path, { ...parameters, password: WEAK }), path).toMatchObject(refused);
  }
  const set = await account.call("/user/password/set", { old_password: numbered(0), new_password: WEAK });
  expect(set.errors).toMatchObject([{ parameter: "new_password" }]);
  const { platform } = await account.must("/dealer/get_ui_config");
  expect(platform["password.policy"]).toBe("strict");
  const page = await fetch(`${system.baseUrl}/activate?hash=${link}`);
  expect(await page.text()).toContain('minlength="12"');
});

test("a strict installation takes none of the last ten passwords, and the eleventh again", async () => {
  const { id: user_id, login } = await accounts.newAccount({ password: numbered(0) });
  const hash = await accounts.operatorHash();
  const change = (number: number) =>
    accounts.call("/panel/user/change_password", { hash, user_id, password: numbered(number) });
  // At once: each is remembered, in whatever order.
  const changed = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 9].map(change));
  expect(changed.filter(({ success }) => success)).toHaveLength(9);
  const old = { status: { code: 7 }, errors: [{ parameter: "password" }] };
  expect(await change(0)).toMatchObject(old);
  await accounts.must("/panel/user/change_password", { hash, user_id, password: numbered(10) });

  const opened = await accounts.must("/user/auth", { login, password: numbered(10) });
  const own = { hash: opened.hash, old_password: numbered(10) };
  const set = await accounts.call("/user/password/set", { ...own, new_password: numbered(5) });
  expect(set.errors).toMatchObject([{ parameter: "new_password" }]);
  await accounts.must("/user/restore_password", { login });
  const link = await linkedHash(login, accounts);
  expect(await accounts.call("/user/password/change", { hash: link, password: numbered(10) })).toMatchObject(old);
  await accounts.must("/user/password/change", { hash: link, password: numbered(0) });
  await accounts.must("/user/auth", { login, password: numbered(0) });
});
