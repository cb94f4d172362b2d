import { randomInt } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Accounts, accountsOn } from "../tool/call/account.ts";
import { newPendingLogin } from "../tool/call/mailbox.ts";
import { OPERATOR } from "../tool/system/operator.ts";
import { startSystem, startWatchedSystem } from "../tool/system/system.ts";

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

test("guesses from elsewhere do not lock out an address that gave the right password, though a second step followed", async () => {
  const guarded = await startSystem({ LOGIN_FAILURES_TOTAL: "3" });
  try {
    const others = accountsOn(guarded);
    const { account } = await newPendingLogin(others);
    const { login, password } = account;
    const logIn = async (address: string, tried: string) => {
      const { type, status } = await others.call(
        "/user/auth",
        { login, password: tried },
        { "CF-Connecting-IP": address },
      );
      return type ?? status?.code;
    };
    expect(await logIn("10.1.3.1", password)).toBe("second_factor_required");
    const guesses = [];
    for (let place = 1; place <= 4; place++) guesses.push(await logIn(`10.1.4.${place}`, "wrong-one"));
    expect(guesses).toEqual([102, 102, 102, 105]);
    expect(await logIn("10.1.3.2", password)).toBe(105);
    expect(await logIn("10.1.3.1", password)).toBe("second_factor_required");
  } finally {
    await guarded.stop();
  }
});

test("an address logs in so many times in ten seconds, whatever the result, and another address still may", async () => {
  const limited = await startSystem({ LOG_INS_PER_ADDRESS: "4" });
  try {
    const { call, newAccount } = accountsOn(limited);
    const { login, password } = await newAccount();
    const logIn = async (address: string, tried: string) =>
      (await call("/user/auth", { login, password: tried }, { "CF-Connecting-IP": address })).status?.code;
    for (const [place, tried] of [password, "wrong-one"].entries()) {
      const address = `10.1.1.${place}`;
      const codes: (number | undefined)[] = [];
      for (let count = 0; count < 10; count++) codes.push(await logIn(address, tried));
      // The clock's ten seconds may end in between.
      const passed = codes.filter((code) => code !== 15);
      expect(passed.length).toBeGreaterThanOrEqual(4);
      expect(passed.length).toBeLessThanOrEqual(8);
    }
    expect(await logIn("10.1.2.1", password)).toBeUndefined();
  } finally {
    await limited.stop();
  }
});
