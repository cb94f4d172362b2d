import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Account, type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { type Got, type Mode, newReceiver, type Receiver } from "../tool/receiver/receivers.ts";
import { startSystem } from "../tool/system/system.ts";
import { MAX_WAIT_MS } from "../tool/wait.ts";

const PATIENT = { timeout: MAX_WAIT_MS, interval: 20 };
const START = Date.UTC(2026, 5, 1, 8);

/** Number, listener, and how an id is bound and shown: each in the protocol's way. */
const PROTOCOLS = {
  "Wialon IPS": { protocol_id: 1, speaks: "wialon", fake_device_id: "Van7" },
  EGTS: { protocol_id: 2, speaks: "egts", fake_device_id: "4711" },
  OsmAnd: { protocol_id: 3, speaks: "http", fake_device_id: "Van 7 & Co" },
  JSON: { protocol_id: 4, speaks: "http", fake_device_id: "Van 7" },
} as const;
type Name = keyof typeof PROTOCOLS;
const NAMES = Object.keys(PROTOCOLS) as Name[];

type Sender = { accounts: Accounts; account: Account };

// On a busy machine a receiver may answer late: the first system waits for it, the second gives up soon and sends again,
// the third sends again after an hour.
let system: Awaited<ReturnType<typeof startSystem>>;
let hasty: Awaited<ReturnType<typeof startSystem>>;
let rare: Awaited<ReturnType<typeof startSystem>>;
let patientSender: Sender;
let hastySender: Sender;
let rareSender: Sender;
let accounts: Accounts;
let account: Account;
const receivers: Receiver[] = [];

beforeAll(async () => {
  const pause = { RETRANSLATION_PAUSE_SECONDS: "0.02" };
  [system, hasty, rare] = await Promise.all([
    startSystem({ ...pause, RETRANSLATION_WAIT_SECONDS: "120" }),
    startSystem({ ...pause, RETRANSLATION_WAIT_SECONDS: "1" }),
    startSystem({ RETRANSLATION_PAUSE_SECONDS: "3600" }),
  ]);
  [patientSender, hastySender, rareSender] = await Promise.all([
    newSender(accountsOn(system)),
    newSender(accountsOn(hasty)),
    newSender(accountsOn(rare)),
  ]);
  ({ accounts, account } = patientSender);
});

afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.leave()));
  await Promise.all([system?.stop(), hasty?.stop(), rare?.stop()]);
});

// Each has receivers and trackers of its own, and most of its time is waiting.
describe.concurrent("to receivers on loopback", () => {
  test.each(NAMES)(
    "a retranslator over %s sends points once, in the order in which they were accepted, under the given id",
    async (name) => {
      const { receiver, retranslator_id, tracker } = await newTarget(name, { fakes: true });
      expect(await send(tracker, 0, 3)).toBe(3);
      await vi.waitFor(() => expect(receiver.taken).toHaveLength(3), PATIENT);
      // Late ones are sent when they come; those sent again are none.
      await send(tracker, 10, 12);
      await send(tracker, 0, 3);
      await send(tracker, 5, 8);
      await vi.waitFor(() => expect(receiver.taken).toHaveLength(8), PATIENT);
      const id = PROTOCOLS[name].fake_device_id;
      expect(receiver.taken).toEqual(pointsOf(id, [0, 1, 2, 10, 11, 5, 6, 7]));
      expect(receiver.offered).toEqual(receiver.taken);
      expect(receiver.faults).toEqual([]);
      const login = {
        "Wialon IPS": { id, password: "secret" },
        EGTS: { tid: 4711 },
        OsmAnd: { authorization: null, path: "/in" },
        JSON: { authorization: `Basic ${Buffer.from("ann:secret").toString("base64")}`, path: "/in" },
      };
      expect(receiver.logins[0]).toEqual(login[name]);
      await vi.waitFor(async () => {
        const status = await statusOf(retranslator_id);
        expect(status).toMatchObject({ trackers: 1, backlog: 0, last_error: null });
        expect(status.last_success).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      }, PATIENT);
    },
  );

  test.each(NAMES)(
    "a receiver over %s that was away, hung, cut the line and refused gets every point once it is back",
    async (name) => {
      const { account } = hastySender;
      const { receiver, retranslator_id, retranslator, tracker } = await newTarget(name, { sender: hastySender });
      const status = () => statusOf(retranslator_id, account);
      const modes: Mode[] = ["hang", "cut", "cut answer", "refuse"];
      await receiver.leave();
      await send(tracker, 0, 2, hastySender);
      await vi.waitFor(async () => expect((await status()).last_error).not.toBeNull(), PATIENT);
      expect(await status()).toMatchObject({ backlog: 2, last_success: null });
      receiver.mode = "hang";
      await receiver.comeBack();
      for (const [index, mode] of modes.entries()) {
        receiver.mode = mode;
        const heard = receiver.logins.length;
        // Otherwise the pauses would add up.
        await account.must("/retranslator/update", { retranslator });
        await vi.waitFor(() => expect(receiver.logins.length).toBeGreaterThan(heard), PATIENT);
        // While it does so, points are taken in as ever.
        expect(await send(tracker, 2 + index * 30, 32 + index * 30, hastySender)).toBe(30);
      }
      expect(receiver.taken).toEqual([]);
      receiver.mode = "take";
      await vi.waitFor(() => expect(firstsOf(receiver)).toHaveLength(122), PATIENT);
      expect(firstsOf(receiver)).toEqual(pointsOf(receiver.taken[0]?.id ?? "", range(0, 122)));
      await send(tracker, 122, 123, hastySender);
      await vi.waitFor(() => expect(firstsOf(receiver)).toHaveLength(123), PATIENT);
      expect(receiver.faults).toEqual([]);
    },
  );

  test("points that a receiver acknowledged before it failed are not sent to it again", async () => {
    const { receiver, tracker } = await newTarget("JSON");
    await send(tracker, 0, 700);
    await vi.waitFor(() => expect(receiver.taken.length).toBeGreaterThanOrEqual(500), PATIENT);
    receiver.mode = "cut";
    await send(tracker, 700, 900);
    await vi.waitFor(() => expect(receiver.offered.length).toBeGreaterThan(receiver.taken.length), PATIENT);
    await receiver.leave();
    await receiver.comeBack();
    receiver.mode = "take";
    await vi.waitFor(() => expect(receiver.taken).toHaveLength(900), PATIENT);
    expect(receiver.taken.map(({ lat }) => lat)).toEqual(range(0, 900).map(latOf));
  });

  test("receivers that hang delay neither other receivers of the same tracker nor its incoming points", async () => {
    const tracker = await hastySender.account.newTracker();
    const target = { tracker, sender: hastySender };
    const hanging = await Promise.all(range(0, 5).map(() => newTarget("Wialon IPS", target)));
    for (const { receiver } of hanging) receiver.mode = "hang";
    const { receiver } = await newTarget("OsmAnd", target);
    await send(tracker, 0, 2, hastySender);
    await vi.waitFor(() => expect(firstsOf(receiver)).toHaveLength(2), PATIENT);
    await send(tracker, 2, 4, hastySender);
    await vi.waitFor(() => expect(firstsOf(receiver)).toHaveLength(4), PATIENT);
    expect(hanging.flatMap((one) => one.receiver.taken)).toEqual([]);
    for (const one of hanging) one.receiver.mode = "take";
    await vi.waitFor(() => expect(hanging.flatMap((one) => firstsOf(one.receiver))).toHaveLength(20), PATIENT);
  });

  test("a point that its receiver refuses does not hold up the points behind it", async () => {
    const { receiver, retranslator_id, tracker } = await newTarget("Wialon IPS");
    const answers = receiver.taken;
    receiver.unwanted = latOf(1);
    await send(tracker, 0, 4);
    await vi.waitFor(() => expect(answers.map(({ lat }) => lat)).toEqual([0, 2, 3].map(latOf)), PATIENT);
    await vi.waitFor(async () => {
      const { last_error, backlog } = await statusOf(retranslator_id);
      expect(backlog).toBe(0);
      expect(last_error.message).toBe("the receiver refused a point with 10");
    }, PATIENT);
  });

  test("a binding forwards only points that come after it, and points that wait go with its end", async () => {
    const { receiver, retranslator_id, tracker, retranslator } = await newTarget("JSON", { isBound: false });
    const binding = { tracker_id: tracker.id, retranslator_id };
    await send(tracker, 0, 2);
    await account.must("/tracker/retranslator/bind", binding);
    await send(tracker, 2, 4);
    await vi.waitFor(() => expect(receiver.taken).toHaveLength(2), PATIENT);
    await receiver.leave();
    await send(tracker, 4, 6);
    await account.must("/tracker/retranslator/unbind", binding);
    await receiver.comeBack();
    await account.must("/tracker/retranslator/bind", binding);
    await send(tracker, 6, 7);
    await vi.waitFor(() => expect(receiver.taken).toHaveLength(3), PATIENT);

    // A retranslator that is turned off loses its points in the same way.
    await account.must("/retranslator/update", { retranslator: { ...retranslator, enabled: false } });
    await send(tracker, 7, 8);
    await account.must("/retranslator/update", { retranslator: { ...retranslator, enabled: true } });
    await send(tracker, 8, 9);
    await vi.waitFor(() => expect(receiver.taken).toHaveLength(4), PATIENT);

    await account.must("/retranslator/delete", { retranslator_id });
    await send(tracker, 9, 10);
    const { receiver: other } = await newTarget("JSON", { tracker });
    await send(tracker, 10, 11);
    await vi.waitFor(() => expect(other.taken).toHaveLength(1), PATIENT);
    expect(receiver.taken.map(({ lat }) => lat)).toEqual([2, 3, 6, 8].map(latOf));
  });

  test("points that wait go to the new address as soon as a retranslator moves", async () => {
    const { receiver, retranslator, retranslator_id, tracker } = await newTarget("EGTS", { sender: rareSender });
    const next = await listen("EGTS");
    await receiver.leave();
    await send(tracker, 0, 30, rareSender);
    const error = async () => (await statusOf(retranslator_id, rareSender.account)).last_error;
    await vi.waitFor(async () => expect(await error()).not.toBeNull(), PATIENT);
    await rareSender.account.must("/retranslator/update", { retranslator: { ...retranslator, port: next.port } });
    await send(tracker, 30, 31, rareSender);
    await vi.waitFor(() => expect(next.taken).toHaveLength(31), PATIENT);
    expect(next.taken).toEqual(pointsOf(tracker.source.device_id, range(0, 31)));
    expect(next.logins[0]).toEqual({ tid: 0, imei: tracker.source.device_id });
  });

  test("a change reaches all trackers of a retranslator, also those that its answer does not wait for", async () => {
    const { retranslator_id, retranslator } = await newTarget("JSON", { isBound: false });
    const trackers: Reply[] = [];
    for (let wave = 0; wave < 9; wave++) {
      const made = await Promise.all(range(0, 6).map(() => account.newTracker()));
      const ids = made.map(({ id }) => ({ tracker_id: id, retranslator_id }));
      await Promise.all(ids.map((binding) => account.must("/tracker/retranslator/bind", binding)));
      trackers.push(...made);
    }
    const next = await listen("JSON");
    await account.must("/retranslator/update", { retranslator: { ...retranslator, port: next.port } });
    expect(await statusOf(retranslator_id)).toMatchObject({ trackers: 54, backlog: 0 });
    const last = trackers.at(-1);
    let number = 0;
    await vi.waitFor(async () => {
      await send(last, number, ++number);
      expect(next.taken.length).toBeGreaterThan(0);
    }, PATIENT);
  });

  test("a removed tracker forwards nothing more, and its backlog is gone", async () => {
    const { receiver, retranslator_id, tracker } = await newTarget("JSON");
    await receiver.leave();
    await send(tracker, 0, 2);
    await vi.waitFor(async () => expect((await statusOf(retranslator_id)).backlog).toBe(2), PATIENT);
    const hash = await accounts.operatorHash();
    await accounts.must("/panel/tracker/corrupt", { hash, tracker_id: tracker.id });
    await vi.waitFor(
      async () => expect(await statusOf(retranslator_id)).toMatchObject({ backlog: 0, trackers: 0 }),
      PATIENT,
    );
  });
});

test("a sweep tells feeds again what they know, and nothing is sent twice for it", async () => {
  const { receiver, tracker } = await newTarget("JSON");
  await send(tracker, 0, 2);
  await vi.waitFor(() => expect(receiver.taken).toHaveLength(2), PATIENT);
  await receiver.leave();
  await send(tracker, 2, 4);
  await system.fireCron("fleet");
  await receiver.comeBack();
  await vi.waitFor(() => expect(receiver.taken).toHaveLength(4), PATIENT);
  expect(receiver.taken.map(({ lat }) => lat)).toEqual(range(0, 4).map(latOf));
});

type Expectation = { fakes?: boolean; isBound?: boolean; tracker?: Reply; sender?: Sender };

async function newSender(accounts: Accounts): Promise<Sender> {
  return { accounts, account: await accounts.newAccount() };
}

/** The points that a receiver took, without those sent again because its answer came too late. */
function firstsOf({ taken }: Receiver): Got[] {
  return taken.filter((got, index) => taken.findIndex(({ time }) => time === got.time) === index);
}

/** A receiver of the test's own, a retranslator that leads there, and a tracker bound to it. */
async function newTarget(
  name: Name,
  { fakes = false, isBound = true, tracker, sender: { account } = patientSender }: Expectation = {},
) {
  const { protocol_id, fake_device_id } = PROTOCOLS[name];
  const receiver = await listen(name);
  const address = protocol_id > 2 ? "http://127.0.0.1/in" : "127.0.0.1";
  const given = { name, protocol_id, address, port: receiver.port, login: "ann", password: "secret", enabled: true };
  const { id } = await account.must("/retranslator/create", { retranslator: given });
  const bound = tracker ?? (await account.newTracker());
  const binding = { tracker_id: bound.id, retranslator_id: id, fake_device_id: fakes ? fake_device_id : null };
  if (isBound) await account.must("/tracker/retranslator/bind", binding);
  return { receiver, retranslator_id: Number(id), retranslator: { ...given, id }, tracker: bound };
}

async function listen(name: Name): Promise<Receiver> {
  const receiver = await newReceiver(PROTOCOLS[name].speaks);
  receivers.push(receiver);
  return receiver;
}

/** Points by their numbers, from the first up to the last not included; how many were new. */
async function send({ source }: Reply, from: number, to: number, { accounts } = patientSender): Promise<number> {
  const points = range(from, to).map((number) => ({
    time: START + number * 1000,
    lat: latOf(number),
    lng: 8,
    speed: 36,
  }));
  const { accepted } = await accounts.must("/ingest/points", { device_id: source.device_id, points });
  return accepted;
}

async function statusOf(retranslator_id: number, owner = account): Promise<Reply> {
  const { list } = await owner.must("/retranslator/status/list", { retranslator_ids: [retranslator_id] });
  return list[0];
}

function pointsOf(id: string, numbers: number[]): Got[] {
  return numbers.map((number) => ({ id, time: new Date(START + number * 1000).toISOString(), lat: latOf(number) }));
}

function latOf(number: number) {
  return Math.round((50 + number * 1e-4) * 1e6) / 1e6;
}

function range(from: number, to: number) {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
