import { afterAll, beforeAll, expect, test } from "vitest";
import { accountsOn } from "../tool/call/account.ts";
import { startSystem } from "../tool/system/system.ts";

const [PER_SECOND, OF_ACCOUNT] = [1000, 3];
/** The time over which an account's calls are counted. */
const WINDOW_SECONDS = 10;

let system: Awaited<ReturnType<typeof startSystem>>;

beforeAll(async () => {
  const rates = { RATE_LIMIT_PER_SECOND: String(PER_SECOND), ACCOUNT_RATE_PER_SECOND: String(OF_ACCOUNT) };
  system = await startSystem(rates);
});

afterAll(() => system?.stop());

test("the credentials of an account share its rate: the next call is 15 and says when to return, another account's is not", async () => {
  const accounts = accountsOn(system);
  const [account, other] = [await accounts.newAccount(), await accounts.newAccount()];
  const { login, password } = account;
  const { hash } = await accounts.must("/user/auth", { login, password });
  const answers = (await Promise.all([callAtOnce(50, account.hash), callAtOnce(50, hash)])).flat();
  const passed = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(({ status }) => status === 429);
  expect(passed + refused.length).toBe(100);
  // The clock's window may end in between.
  expect(passed).toBeLessThanOrEqual(2 * WINDOW_SECONDS * OF_ACCOUNT);
  expect(passed).toBeGreaterThanOrEqual(WINDOW_SECONDS * OF_ACCOUNT);
  for (const { headers, body } of refused) {
    expect(body).toMatchObject({ success: false, status: { code: 15 } });
    expect([headers.get("RateLimit-Limit"), headers.get("Retry-After")]).toEqual([String(PER_SECOND), "10"]);
  }
  expect((await callAtOnce(1, other.hash))[0]?.status).toBe(200);
  // Operators are of no account.
  const ofOperator = await Promise.all(
    Array.from({ length: 2 * WINDOW_SECONDS * OF_ACCOUNT + 1 }, async () =>
      accounts.call("/panel/mail/list", { hash: await accounts.operatorHash() }),
    ),
  );
  expect(ofOperator.filter(({ success }) => !success)).toEqual([]);
});

function callAtOnce(count: number, hash: string) {
  return Promise.all(Array.from({ length: count }, () => post(hash)));
}

async function post(hash: string) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${system.baseUrl}/base/nothing`, {
    method: "POST",
    headers,
    body: JSON.stringify({ hash }),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as object };
}
