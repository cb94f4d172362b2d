import { randomInt } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Accounts, accountsOn } from "../tool/call/account.ts";
import { OPERATOR } from "../tool/system/operator.ts";
import { startWatchedSystem } from "../tool/system/system.ts";

let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;

beforeAll(async () => {
  system = await startWatchedSystem();
  accounts = accountsOn(system);
});

afterAll(() => system?.stop());

test.each([
  ["/user/auth", () => accounts.newAccount()],
  ["/panel/account/auth", async () => OPERATOR],
])(
  "%s counts a guess before it checks the password, and gives it back unless the password is wrong",
  async (path, loginOf) => {
    const { login, password } = await loginOf();
    const address = { "CF-Connecting-IP": `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` };
    const codeOf = async (tried: string) =>
      (await accounts.call(path, { login, password: tried }, address)).status?.code;
    for (let wrong = 0; wrong < 9; wrong++) expect(await codeOf("wrong-one")).toBe(102);
    // The database keeps the first of two guesses under way: only one failure is left, so the other is refused.
    await system.hold("gateway");
    const guesses = [codeOf(password), codeOf(password)];
    expect(await Promise.race(guesses)).toBe(15);
    await system.bringUp("gateway");
    await Promise.all(guesses);
    expect(await codeOf(password)).toBeUndefined();
    expect(await codeOf("wrong-one")).toBe(102);
    expect(await codeOf(password)).toBe(105);
  },
);
