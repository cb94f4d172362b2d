import { afterAll, beforeAll, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { accountsOn, newImei } from "../tool/call/account.ts";
import { newFile } from "../tool/call/uploads.ts";
import { startSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

const [PER_SECOND, PER_ADDRESS, PER_VISITOR] = [5, 20, 8];

let system: Awaited<ReturnType<typeof startSystem>>;

beforeAll(async () => {
  const limits = {
    RATE_LIMIT_PER_SECOND: String(PER_SECOND),
    RATE_LIMIT_PER_ADDRESS: String(PER_ADDRESS),
    RATE_LIMIT_PER_VISITOR: String(PER_VISITOR),
    MAIL_REQUESTS: "3",
  };
  system = await startSystem(limits);
});

afterAll(() => system?.stop());

test("a credential makes so many calls in a second of the clock, the next is 429 with code 15 and says when to return", async () => {
  const { hash } = await newAccount();
  const answers = await callAtOnce(40, "/base/nothing", { hash });
  const [passed, refused] = [answers.filter(({ status }) => status === 200), answers.filter(is429)];
  expect(passed.length + refused.length).toBe(40);
  expect(refused).not.toEqual([]);
  // The first call of each second shows that all other calls remain: their number is that of the seconds.
  const seconds = passed.filter(({ headers }) => headers.get("RateLimit-Remaining") === String(PER_SECOND - 1));
  expect(passed.length).toBeLessThanOrEqual(PER_SECOND * seconds.length);
  expect(passed.length).toBeGreaterThanOrEqual(PER_SECOND);
  for (const { headers } of answers) {
    expect(headers.get("RateLimit-Limit")).toBe(String(PER_SECOND));
    expect(headers.get("RateLimit-Reset")).toBe("1");
  }
  for (const { headers, body } of refused) {
    expect(body).toMatchObject({ success: false, status: { code: 15 } });
    expect([headers.get("RateLimit-Remaining"), headers.get("Retry-After")]).toEqual(["0", "1"]);
  }
  for (const { headers } of passed) expect(headers.get("Retry-After")).toBeNull();
});

test("an operation that a tool of an agent calls counts as a call of the credential: the rate refuses some with 15", async () => {
  const { must } = await newAccount();
  const { value } = await must("/api/key/create", { title: "agent" });
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    Authorization: `Bearer ${value.hash}`,
  };
  const params = { name: "find", arguments: { text: "Van" } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  // The tool makes six searches; only the change of a second between them could let all pass.
  await waitUntil(
    "a search of the tool is refused",
    async () => (await fetch(new URL("/mcp", system.baseUrl), { method: "POST", headers, body })).text(),
    (text) => text.includes("isError") && text.includes(String.raw`\"code\":15`),
  );
});

test("requests for mails are counted by address over all logins: one too many is 15, those of other addresses are not", async () => {
  const ask = (path: string, login: string, address: string) => callAtOnce(1, path, { login }, address);
  const [one, other] = ["10.3.3.1", "10.3.3.2"];
  const answers: Awaited<ReturnType<typeof ask>> = [];
  for (const path of ["/user/restore_password", "/user/resend_activation"]) {
    for (const login of ["a@example.com", "b@example.com"]) answers.push(...(await ask(path, login, one)));
  }
  expect(answers.map(({ body }) => body.status?.code)).toEqual([undefined, undefined, 201, 15]);
  expect(answers.at(-1)?.headers.get("Retry-After")).toBe("10");
  expect((await ask("/user/restore_password", "a@example.com", other))[0]?.status).toBe(200);
});

test("downloads by a hash are calls of its credential: those that are too many are 429 with code 15, without the file", async () => {
  const account = await newAccount();
  const url = `${system.baseUrl}/file/download/${await newFile(account)}`;
  const downloads = Array.from({ length: 40 }, async () => {
    const answer = await fetch(url, { headers: { Authorization: `FMS ${account.hash}` } });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  });
  const answers = await Promise.all(downloads);
  const [passed, refused] = [answers.filter(({ text }) => text === "bill"), answers.filter(is429)];
  expect([passed.length + refused.length, passed.length > 0, refused.length > 0]).toEqual([40, true, true]);
  const seconds = passed.filter(({ headers }) => headers.get("RateLimit-Remaining") === String(PER_SECOND - 1));
  // The call for the ticket may have been the first of a second.
  expect(passed.length).toBeLessThanOrEqual(PER_SECOND * (seconds.length + 1));
  for (const { headers, text } of refused) {
    expect(JSON.parse(text)).toMatchObject({ success: false, status: { code: 15 } });
    expect([headers.get("RateLimit-Remaining"), headers.get("Retry-After")]).toEqual(["0", "1"]);
  }
});

test("a call that is refused for its rate does nothing", async () => {
  const account = await newAccount();
  const answers = await callAtOnce(30, "/vehicle/create", { hash: account.hash, vehicle: { label: "Van" } });
  expect(answers.filter(is429)).not.toEqual([]);
  const key = await accountsOn(system).must("/user/auth", { login: account.login, password: account.password });
  const { count } = await accountsOn(system).must("/vehicle/list", { hash: key.hash });
  expect(count).toBe(answers.filter(({ status }) => status === 200).length);
});

test("two credentials of one user are counted apart", async () => {
  const { hash, login, password } = await newAccount();
  const other = await accountsOn(system).must("/user/auth", { login, password });
  const [many, few] = await Promise.all([
    callAtOnce(40, "/base/nothing", { hash }),
    callAtOnce(PER_SECOND, "/base/nothing", { hash: other.hash }),
  ]);
  expect(many.filter(is429)).not.toEqual([]);
  expect(few.filter(is429)).toEqual([]);
});

test("calls without a valid credential are counted by address, whatever they show", async () => {
  const crowd = "192.0.2.1";
  const shown = [{}, { hash: "no hash" }, { hash: "0".repeat(32) }];
  const answers = (await Promise.all(shown.map((one) => callAtOnce(30, "/base/nothing", one, crowd)))).flat();
  const refused = answers.filter(is429);
  // Ten seconds of the clock may end in between.
  expect(answers.length - refused.length).toBeLessThanOrEqual(2 * PER_ADDRESS);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(PER_ADDRESS);
  for (const { headers, body } of refused) {
    expect(body).toMatchObject({ success: false, status: { code: 15 } });
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(headers.get("RateLimit-Limit")).toBeNull();
  }
  const [neighbour] = await callAtOnce(1, "/base/nothing", {}, "192.0.2.2");
  expect(neighbour?.body).toMatchObject({ status: { code: 3 } });
});

test("addresses of one IPv6 network are counted together, on every path", async () => {
  const address = (host: number) => `2001:db8:0:7::${host.toString(16)}`;
  const calls = Array.from({ length: 3 * PER_ADDRESS }, (_, host) => callAtOnce(1, "/base/nothing", {}, address(host)));
  expect((await Promise.all(calls)).flat().filter(is429)).not.toEqual([]);
  const refused = async (url: string, host: number) => {
    const answer = await fetch(url, { headers: { "CF-Connecting-IP": address(host) } });
    await answer.body?.cancel();
    return answer.status === 429;
  };
  for (const path of ["/docs", "/health", "/api-v2/openapi.json", "/api-v2/static/nothing"]) {
    // The ten seconds that are counted may end in between.
    const again = async () => {
      const answers = Array.from({ length: 3 * PER_ADDRESS }, (_, host) => refused(system.origin + path, host));
      return (await Promise.all(answers)).includes(true);
    };
    await waitUntil(`${path} is refused`, again);
  }
  const [neighbour] = await callAtOnce(1, "/base/nothing", {}, "2001:db8:0:8::1");
  expect(neighbour?.body).toMatchObject({ status: { code: 3 } });
});

test("an address with too many strangers keeps no user with a session out", async () => {
  const crowd = "192.0.2.3";
  const { hash } = await newAccount();
  const strangers = await callAtOnce(60, "/base/nothing", {}, crowd);
  expect(strangers.filter(is429)).not.toEqual([]);
  const [user] = await callAtOnce(1, "/base/nothing", { hash }, crowd);
  expect(user?.status).toBe(200);
});

test("delivery/read counts guesses with the key of a public page by address: one address is refused, others are not", async () => {
  const { hash: master } = await newAccount();
  const { value: hash } = await accountsOn(system).must("/user/session/delivery/create", { hash: master });
  const guess = async (address: string) => {
    const { body, headers } = await post("/delivery/read", { hash, external_id: "A-1" }, address);
    // A refusal for the rate of the key shows that rate; one for the address is before the key is counted.
    return { code: body.status?.code, isOfKey: headers.get("RateLimit-Limit") !== null };
  };
  let counted = 0;
  const guessAgain = async () => {
    const answer = await guess("192.0.2.7");
    if (answer.isOfKey) counted++;
    return answer;
  };
  await waitUntil("the address that guesses is refused", guessAgain, ({ code, isOfKey }) => code === 15 && !isOfKey);
  expect(counted).toBeGreaterThanOrEqual(PER_VISITOR);
  // The key's second may not be over: its own rate refuses for so long.
  await waitUntil(
    "another address guesses",
    () => guess("192.0.2.8"),
    ({ code }) => code === 201,
  );
});

test("points are taken in from any number of devices behind one address; what is refused there is counted", async () => {
  const crowd = "192.0.2.4";
  const account = await newAccount();
  const { source } = await account.newTracker();
  const points = (index: number) => [{ time: systemNow() - index * 1000, lat: 50, lng: 8 }];
  const known = Array.from({ length: 60 }, (_, index) =>
    post("/ingest/points", { device_id: source.device_id, points: points(index) }, crowd),
  );
  const unknown = await callAtOnce(60, "/ingest/points", { device_id: newImei(), points: points(0) }, crowd);
  expect(new Set((await Promise.all(known)).map(({ status }) => status))).toEqual(new Set([200]));
  const refused = unknown.filter(is429);
  // Ten seconds of the clock may end in between.
  expect(unknown.length - refused.length).toBeLessThanOrEqual(2 * PER_ADDRESS);
  expect(unknown.filter(({ status }) => status === 404).length).toBeGreaterThanOrEqual(PER_ADDRESS);
  for (const { headers, body } of refused) {
    expect(body).toMatchObject({ success: false, status: { code: 15 } });
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
  }
  const more = { device_id: source.device_id, points: points(61) };
  expect((await post("/ingest/points", more, crowd)).status).toBe(200);
});

test("requests of devices that are wrong are counted as well, and keep nobody from logging in at the same address", async () => {
  const crowd = "192.0.2.5";
  const answers = await callAtOnce(60, "/ingest/points", { points: [] }, crowd);
  expect(answers.filter(is429)).not.toEqual([]);
  const [stranger] = await callAtOnce(1, "/base/nothing", {}, crowd);
  expect(stranger?.body).toMatchObject({ status: { code: 3 } });
});

/** Makes an account with a new operator session, because calls of operators are counted too. */
function newAccount() {
  return accountsOn(system).newAccount();
}

function callAtOnce(count: number, path: string, parameters: object, address?: string) {
  return Promise.all(Array.from({ length: count }, () => post(path, parameters, address)));
}

async function post(path: string, parameters: object, address = newAddress()) {
  const headers = { "Content-Type": "application/json", "CF-Connecting-IP": address };
  const answer = await fetch(system.baseUrl + path, { method: "POST", headers, body: JSON.stringify(parameters) });
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as { status?: { code: number } },
  };
}

let addresses = 0;
function newAddress() {
  return `198.51.100.${addresses++ % 250}`;
}

function is429({ status }: { status: number }) {
  return status === 429;
}
