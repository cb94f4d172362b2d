import { createPublicKey, verify } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import {
  type Account,
  accountsOn,
  must,
  newAccount,
  operator,
  type Reply,
  UNKNOWN_ID,
} from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";
import {
  newWebhookReceiver,
  type Received,
  status,
  type WebhookReceiver,
} from "#test/tool/receiver/webhook-receiver.ts";
import { stack } from "#test/tool/system/stack.ts";
import { waitUntil } from "#test/tool/wait.ts";

const { fireCron } = accountsOn(stack);

async function newListening(receiver: WebhookReceiver, more: object = {}, account?: Account) {
  const owner = account ?? (await newAccount());
  const webhook = { url: receiver.url, types: ["vehicle.*"], ...more };
  const created = await owner.must("/webhook/create", { webhook });
  return { owner, webhook_id: Number(created.id), secret: String(created.secret), public_key: created.public_key };
}

/** The deliveries that arrived, once there are `count`. Audit entries of services come with the sweep at the latest. */
function arrivals(receiver: WebhookReceiver, count: number): Promise<Received[]> {
  return waitUntil(
    `${count} deliveries have arrived`,
    async () => {
      await fireCron("fleet");
      return receiver.received;
    },
    ({ length }) => length >= count,
  );
}

async function deliveriesOf(owner: Account, webhook_id: number, search: object = {}): Promise<Reply[]> {
  return (await owner.must("/webhook/delivery/list", { webhook_id, ...search })).list;
}

/** The deliveries of a webhook, once all of them are in one of the states. */
function waitForEnd(owner: Account, webhook_id: number, states = ["delivered"]) {
  return waitUntil(
    `all deliveries are ${states}`,
    () => deliveriesOf(owner, webhook_id),
    (list) => list.length > 0 && list.every(({ state }) => states.includes(state)),
  );
}

function createVehicle({ must }: Account, label = "Van"): Promise<Reply> {
  return must("/vehicle/create", { vehicle: { label } });
}

test("a change is posted to the webhook, signed so that a public library of Standard Webhooks verifies it", async () => {
  const receiver = await newWebhookReceiver();
  const { owner, secret } = await newListening(receiver, { headers: [{ name: "X-Token", value: "abc" }] });
  const { id } = await createVehicle(owner, "Van 7");
  const [delivery] = await arrivals(receiver, 1);
  const { headers, body } = delivery as Received;
  const verified = new Webhook(secret).verify(body, headers as Record<string, string>) as Reply;
  expect(verified).toMatchObject({ type: "vehicle.created", sequence: 1, data: { id, label: "Van 7" } });
  expect(verified.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(headers).toMatchObject({ "x-token": "abc", "content-type": "application/json" });
  expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow();
  await receiver.leave();
});

test("deliveries are signed with Ed25519, too, if the webhook asks for it", async () => {
  const receiver = await newWebhookReceiver();
  const { owner, public_key } = await newListening(receiver, { ed25519: true });
  await createVehicle(owner);
  const [{ headers, body }] = (await arrivals(receiver, 1)) as [Received];
  const x = Buffer.from(public_key.replace("whpk_", ""), "base64").toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const signature = /v1a,(\S+)/.exec(String(headers["webhook-signature"]))?.[1] ?? "";
  expect(verify(null, Buffer.from(signed), key, Buffer.from(signature, "base64"))).toBe(true);
  // The pair stays when an update repeats that it is wanted.
  const { list } = await owner.must("/webhook/list");
  await owner.must("/webhook/update", { webhook: { id: list[0].id, ed25519: true } });
  expect((await owner.must("/webhook/list")).list).toEqual(list);
  await owner.must("/webhook/update", { webhook: { id: list[0].id, ed25519: false } });
  expect((await owner.must("/webhook/list")).list[0].public_key).toBeNull();
  await receiver.leave();
});

test("webhook/secret/rotate answers a new secret, and deliveries are signed with both until the overlap has passed", async () => {
  const receiver = await newWebhookReceiver();
  const { owner, webhook_id, secret } = await newListening(receiver);
  const { secret: next } = await owner.must("/webhook/secret/rotate", { webhook_id });
  expect(next).not.toBe(secret);
  await createVehicle(owner);
  const [{ headers, body }] = (await arrivals(receiver, 1)) as [Received];
  for (const valid of [secret, next]) new Webhook(valid).verify(body, headers as Record<string, string>);
  const { secret: last } = await owner.must("/webhook/secret/rotate", { webhook_id, overlap_hours: 0 });
  await createVehicle(owner);
  const second = (await arrivals(receiver, 2))[1] as Received;
  new Webhook(last).verify(second.body, second.headers as Record<string, string>);
  expect(() => new Webhook(next).verify(second.body, second.headers as Record<string, string>)).toThrow();
  await receiver.leave();
});

test("a webhook gets events of its types from its creation on, each once, numbered without gaps", async () => {
  const receiver = await newWebhookReceiver();
  const owner = await newAccount();
  await createVehicle(owner, "before");
  await fireCron("fleet");
  const { webhook_id } = await newListening(receiver, { types: ["vehicle.created", "tag.*"] }, owner);
  const { id } = await createVehicle(owner, "behind");
  await owner.must("/vehicle/update", { vehicle: { id, label: "changed" } });
  await owner.must("/tag/create", { tag: { name: "North", color: "27A9E3" } });
  for (let index = 0; index < 20; index++) await createVehicle(owner, `van ${index}`);
  const arrived = await arrivals(receiver, 22);
  expect(new Set(arrived.map(({ type }) => type))).toEqual(new Set(["vehicle.created", "tag.created"]));
  expect(arrived.some(({ data }) => data.label === "before")).toBe(false);
  const list = await waitForEnd(owner, webhook_id);
  const sequences = list.map(({ sequence }) => sequence).toSorted((one, other) => one - other);
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  expect(new Set(arrived.map(({ id }) => id)).size).toBe(arrived.length);
  await receiver.leave();
});

test("a failed delivery waits for its next attempt, is in the log, and is replayed with the same webhook-id", async () => {
  // Only replays send it again within the test.
  const failure = status(500, { "Retry-After": "3600" });
  const receiver = await newWebhookReceiver(failure, failure, status(200));
  const { owner, webhook_id } = await newListening(receiver);
  await createVehicle(owner);
  await arrivals(receiver, 1);
  const waitForAttempts = (count: number) =>
    waitUntil(
      `${count} attempts are in the log`,
      () => deliveriesOf(owner, webhook_id, { state: "waiting" }),
      ([delivery]) => delivery?.attempt_log.length === count,
    );
  const [failed] = await waitForAttempts(1);
  expect(failed).toMatchObject({ state: "waiting", status: 500, error: "HTTP status 500", answer: "status 500" });
  expect(failed?.next_attempt).toEqual(expect.any(String));
  expect(failed?.attempt_log).toMatchObject([{ status: 500, error: "HTTP status 500", answer: "status 500" }]);
  const replay = (selection: object) => owner.must("/webhook/delivery/replay", { webhook_id, ...selection });
  expect(await replay({ delivery_ids: [failed?.id] })).toMatchObject({ count: 1 });
  await waitForAttempts(2);
  expect(await replay({ from: failed?.created })).toMatchObject({ count: 1 });
  await arrivals(receiver, 3);
  const [delivered] = await waitForEnd(owner, webhook_id);
  expect(delivered).toMatchObject({ id: failed?.id, event_id: failed?.event_id, status: 200, answer: "status 200" });
  expect(delivered?.attempt_log.map((attempt: Reply) => attempt.status)).toEqual([500, 500, 200]);
  expect(delivered?.attempt_log[2].time).toBe(delivered?.last_attempt);
  expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set([failed?.event_id]));
  expect(await replay({ failed_only: true })).toMatchObject({ count: 0 });
  await receiver.leave();
});

test.each([
  [
    "redirects",
    status(302, { Location: "http://127.0.0.1:9/" }),
    { status: 302, error: "redirections are not followed" },
  ],
  ["is busy and names a time", status(429, { "Retry-After": "3600" }), { status: 429, error: "HTTP status 429" }],
  [
    "resets the connection",
    (response: Parameters<ReturnType<typeof status>>[0]) => response.socket?.resetAndDestroy(),
    { status: null },
  ],
  [
    "answers ten megabytes",
    (response: Parameters<ReturnType<typeof status>>[0]) => response.writeHead(500).end("x".repeat(10_000_000)),
    { status: 500, answer: "x".repeat(1024) },
  ],
] as const)("a receiver that %s gets the delivery again later", async (_, answer, expected) => {
  const receiver = await newWebhookReceiver(answer);
  const { owner, webhook_id } = await newListening(receiver);
  await createVehicle(owner);
  await arrivals(receiver, 1);
  const [delivery] = await waitUntil(
    "the attempt is in the log",
    () => deliveriesOf(owner, webhook_id),
    ([delivery]) => delivery?.attempts > 0,
  );
  expect(delivery).toMatchObject({ state: "waiting", ...expected });
  if (expected.status === 429) {
    const wait = Date.parse(`${delivery?.next_attempt}Z`) - Date.parse(`${delivery?.last_attempt}Z`);
    expect(wait).toBeGreaterThanOrEqual(3_599_000);
  }
  await receiver.leave();
});

test("a receiver that answers 410 gets nothing more: the webhook is disabled, and its user gets a mail", async () => {
  const receiver = await newWebhookReceiver(status(410));
  const { owner, webhook_id } = await newListening(receiver, { label: "ERP" });
  await createVehicle(owner);
  await arrivals(receiver, 1);
  const value = await waitUntil(
    "the webhook is disabled",
    async () => (await owner.must("/webhook/read", { webhook_id })).value,
    ({ enabled }) => !enabled,
  );
  expect(value.disabled_reason).toBe("gone");
  const { list } = await waitUntil(
    "the mail is written",
    () => operator.must("/panel/mail/list", { filter: owner.login }),
    (answer: Reply) => answer.list.some(({ subject }: Reply) => subject === "Webhook disabled: ERP"),
  );
  expect(list.length).toBeGreaterThan(0);
  receiver.answers = [status(200)];
  await owner.must("/webhook/update", { webhook: { id: webhook_id, enabled: true } });
  await owner.must("/webhook/delivery/replay", { webhook_id, failed_only: false, from: "2020-01-01 00:00:00" });
  await waitForEnd(owner, webhook_id);
  await receiver.leave();
});

test("an ordered webhook that is disabled during a round sends nothing more of a thing whose delivery was under way", async () => {
  const answered = Promise.withResolvers<void>();
  const receiver = await newWebhookReceiver((response, received) => {
    if (received.data.label === "gone") return status(410)(response, received);
    void answered.promise.then(() => status(200)(response, received));
  });
  const { owner, webhook_id } = await newListening(receiver, { ordered: true, enabled: false });
  const { id } = await createVehicle(owner, "slow");
  await owner.must("/vehicle/update", { vehicle: { id, label: "second" } });
  await createVehicle(owner, "gone");
  await fireCron("fleet");
  await owner.must("/webhook/update", { webhook: { id: webhook_id, enabled: true } });
  await arrivals(receiver, 2);
  await waitUntil(
    "the webhook is disabled",
    async () => (await owner.must("/webhook/read", { webhook_id })).value,
    ({ enabled }) => !enabled,
  );
  answered.resolve();
  const list = await waitUntil(
    "the delivery that was under way is stored",
    () => deliveriesOf(owner, webhook_id),
    (deliveries) => deliveries.some(({ state }) => state === "delivered"),
  );
  expect(list.map(({ state }) => state).toSorted()).toEqual(["delivered", "waiting", "waiting"]);
  expect(receiver.received.map(({ data }) => data.label).toSorted()).toEqual(["gone", "slow"]);
  await receiver.leave();
});

test("events of one thing are delivered in their order if the webhook asks for it, though others fail", async () => {
  const receiver = await newWebhookReceiver();
  const { owner, webhook_id } = await newListening(receiver, { ordered: true, enabled: false });
  const { id } = await createVehicle(owner, "0");
  const { id: other } = await createVehicle(owner, "other");
  for (let index = 1; index < 12; index++) await owner.must("/vehicle/update", { vehicle: { id, label: `${index}` } });
  await fireCron("fleet");
  await owner.must("/webhook/update", { webhook: { id: webhook_id, enabled: true } });
  await arrivals(receiver, 13);
  await waitForEnd(owner, webhook_id);
  const sequenceOf = ({ body }: Received) => JSON.parse(body).sequence as number;
  const ofThing = receiver.received.filter(({ data }) => data.id === id).map(sequenceOf);
  expect(ofThing).toEqual(ofThing.toSorted((one, another) => one - another));
  expect(receiver.received.some(({ data }) => data.id === other)).toBe(true);
  await receiver.leave();
});

test("filters by tracker and tag let only events of those trackers pass", async () => {
  const [byTracker, byTag] = [await newWebhookReceiver(), await newWebhookReceiver()];
  const owner = await newAccount();
  const [one, other] = [await owner.newTracker({ label: "One" }), await owner.newTracker({ label: "Other" })];
  const { id: tag_id } = await owner.must("/tag/create", { tag: { name: "North", color: "27A9E3" } });
  await owner.must("/tracker/tags/set", { tracker_id: other.id, tag_bindings: [{ tag_id, ordinal: 1 }] });
  await fireCron("fleet");
  const types = ["tracker.updated"];
  await newListening(byTracker, { types, tracker_ids: [one.id] }, owner);
  await newListening(byTag, { types, tag_ids: [tag_id] }, owner);
  for (const { id } of [one, other])
    await owner.must("/tracker/settings/update", { tracker_id: id, label: "New", group_id: 0 });
  await arrivals(byTracker, 1);
  await arrivals(byTag, 1);
  expect(byTracker.received.map(({ data }) => data.id)).toEqual([one.id]);
  expect(byTag.received.map(({ data }) => data.id)).toEqual([other.id]);
  await Promise.all([byTracker.leave(), byTag.leave()]);
});

test("a webhook of a sub-user delivers what the sub-user may see when it is delivered, and needs the right webhook_update", async () => {
  const receiver = await newWebhookReceiver();
  const owner = await newAccount();
  const [seen, hidden] = [await owner.newTracker({ label: "Seen" }), await owner.newTracker({ label: "Hidden" })];
  const { id: subuser_id, hash } = await newSubUser(owner);
  await owner.must("/subuser/tracker/bind", { subuser_id, trackers: [seen.id] });
  const webhook = { url: receiver.url, types: ["tracker.updated"] };
  const refused = await accountsOn(stack).call("/webhook/create", { hash, webhook });
  expect(refused.status.code).toBe(13);
  const privileges = { rights: ["webhook_update"], store_period: "30d" };
  const { id: group_id } = await owner.must("/subuser/security_group/create", {
    group: { label: "Hooks", privileges },
  });
  await owner.must("/subuser/security_group/assign", { group_id, subuser_ids: [subuser_id] });
  const { id: webhook_id } = await must("/webhook/create", { hash, webhook });
  const rename = (id: number) => owner.must("/tracker/settings/update", { tracker_id: id, label: "New", group_id: 0 });
  for (const { id } of [hidden, seen]) await rename(id);
  await arrivals(receiver, 1);
  expect(receiver.received.map(({ data }) => data.id)).toEqual([seen.id]);
  // The tracker is taken away between the event and its delivery.
  await must("/webhook/update", { hash, webhook: { id: webhook_id, enabled: false } });
  await rename(seen.id);
  await fireCron("fleet");
  await owner.must("/subuser/tracker/unbind", { subuser_id, trackers: [seen.id] });
  await must("/webhook/update", { hash, webhook: { id: webhook_id, enabled: true } });
  await owner.must("/subuser/tracker/bind", { subuser_id, trackers: [hidden.id] });
  await rename(hidden.id);
  await arrivals(receiver, 2);
  expect(receiver.received.map(({ data }) => data.id)).toEqual([seen.id, hidden.id]);
  // Without the right nothing is delivered, until the right comes back.
  await owner.must("/subuser/security_group/assign", { group_id: null, subuser_ids: [subuser_id] });
  await rename(hidden.id);
  await fireCron("fleet");
  await fireCron("gateway");
  expect(receiver.received).toHaveLength(2);
  // The master sees all webhooks of the account, the sub-user its own.
  expect((await owner.must("/webhook/list")).list).toHaveLength(1);
  await owner.must("/subuser/delete", { subuser_id });
  expect((await owner.must("/webhook/list")).list).toEqual([]);
  await receiver.leave();
});

test("webhook/test posts a test event at once and answers what came of it", async () => {
  const receiver = await newWebhookReceiver(status(418));
  const { owner, webhook_id, secret } = await newListening(receiver);
  const { value } = await owner.must("/webhook/test", { webhook_id });
  expect(value).toMatchObject({ type: "webhook.test", status: 418, answer: "status 418", state: "failed" });
  const [{ body, headers }] = receiver.received as [Received];
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    data: { id: webhook_id },
  });
  await receiver.leave();
});

test("a deleted webhook, and one of a removed account, gets nothing more", async () => {
  const receiver = await newWebhookReceiver(status(500));
  const { owner, webhook_id } = await newListening(receiver);
  const { owner: removed } = await newListening(receiver);
  await createVehicle(owner);
  await createVehicle(removed);
  await arrivals(receiver, 2);
  await owner.must("/webhook/delete", { webhook_id });
  await operator.must("/panel/user/corrupt", { user_id: removed.id, login: removed.login });
  expect((await owner.call("/webhook/delivery/list", { webhook_id })).status.code).toBe(201);
  expect((await owner.must("/webhook/list")).list).toEqual([]);
  const before = receiver.received.length;
  await createVehicle(owner);
  for (const worker of ["fleet", "gateway"] as const) await fireCron(worker);
  expect(receiver.received).toHaveLength(before);
  await receiver.leave();
});

test("an account has at most twenty webhooks, however many are created at once", async () => {
  const owner = await newAccount();
  const webhook = { url: "http://127.0.0.1:9/", enabled: false };
  const created = await Promise.all(Array.from({ length: 25 }, () => owner.call("/webhook/create", { webhook })));
  expect(created.filter(({ success }) => success)).toHaveLength(20);
  expect(created.filter(({ status }) => status?.code === 268)).toHaveLength(5);
});

test.each([
  ["url", { url: "ftp://example.com/" }],
  ["url", { url: "example.com" }],
  ["url", { url: "https://ann:secret@example.com/" }],
  ["url", { url: "https://example.com:25/" }],
  ["url", { url: "https://example.com/#part" }],
  ["url", { url: `https://example.com/${"x".repeat(3_000)}` }],
  ["url", { url: `${new URL(stack.baseUrl).origin}/api-v2/base/nothing` }],
  ["types.0", { types: ["no.such.type"] }],
  ["types.1", { types: ["*", "vehicle"] }],
  ["types", { types: [] }],
  ["headers.0.name", { headers: [{ name: "Webhook-Id", value: "x" }] }],
  ["headers.0.name", { headers: [{ name: "two words", value: "x" }] }],
  ["headers.0.value", { headers: [{ name: "X-A", value: "line\nbreak" }] }],
  ["headers", { headers: Array.from({ length: 11 }, (_, index) => ({ name: `X-${index}`, value: "x" })) }],
  ["tracker_ids", { tracker_ids: [] }],
])("webhook/create and update refuse a wrong %s: %j", async (parameter, wrong) => {
  const owner = await newAccount();
  const webhook = { url: "http://127.0.0.1:9/", enabled: false };
  const created = await owner.call("/webhook/create", { webhook: { ...webhook, ...wrong } });
  expect([created.status?.code, created.errors?.[0]?.parameter]).toEqual([7, `webhook.${parameter}`]);
  const { id } = await owner.must("/webhook/create", { webhook });
  const changed = await owner.call("/webhook/update", { webhook: { id, ...wrong } });
  expect([changed.status?.code, changed.errors?.[0]?.parameter]).toEqual([7, `webhook.${parameter}`]);
});

test("webhook/update with an id alone changes nothing, and refuses an unknown webhook with 201 all the same", async () => {
  const owner = await newAccount();
  const webhook = { url: "http://127.0.0.1:9/", label: "ERP", enabled: false };
  const { id } = await owner.must("/webhook/create", { webhook });
  const { list } = await owner.must("/webhook/list");
  await owner.must("/webhook/update", { webhook: { id } });
  expect((await owner.must("/webhook/list")).list).toEqual(list);
  expect((await owner.call("/webhook/update", { webhook: { id: UNKNOWN_ID } })).status.code).toBe(201);
});

test("operations of webhooks answer 201 for unknown webhooks and those of another account, and for their deliveries", async () => {
  const receiver = await newWebhookReceiver(status(500));
  const { owner, webhook_id } = await newListening(receiver);
  await createVehicle(owner);
  await arrivals(receiver, 1);
  const [delivery] = await deliveriesOf(owner, webhook_id);
  const stranger = await newAccount();
  const { id: own } = await stranger.must("/webhook/create", { webhook: { url: receiver.url, enabled: false } });
  for (const id of [webhook_id, UNKNOWN_ID]) {
    for (const [path, parameters] of [
      ["/webhook/read", { webhook_id: id }],
      ["/webhook/update", { webhook: { id, label: "x" } }],
      ["/webhook/delete", { webhook_id: id }],
      ["/webhook/test", { webhook_id: id }],
      ["/webhook/secret/rotate", { webhook_id: id }],
      ["/webhook/delivery/list", { webhook_id: id }],
      ["/webhook/delivery/replay", { webhook_id: id, failed_only: true }],
    ] as const) {
      expect((await stranger.call(path, parameters)).status?.code, path).toBe(201);
    }
  }
  for (const foreign of [delivery?.id, `${own}-99`, "x"]) {
    const replay = { webhook_id: own, delivery_ids: [foreign] };
    expect((await stranger.call("/webhook/delivery/replay", replay)).status?.code).toBe(201);
  }
  expect((await owner.call("/webhook/delivery/replay", { webhook_id })).status?.code).toBe(7);
  await receiver.leave();
});
