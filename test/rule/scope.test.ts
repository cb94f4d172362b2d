import { afterAll, beforeAll, expect, test } from "vitest";
import type * as z from "zod";
import { ownerOf } from "../../gateway/src/receive/call/routes.ts";
import { WORKERS } from "../../scripts/workers.ts";
import { CREDENTIALS, type Credential, type Principal } from "../../shared/caller/principal.ts";
import {
  type Account,
  accountsOn,
  call,
  must,
  newAccount,
  operatorHash,
  type Reply,
  replyOf,
} from "../tool/call/account.ts";
import { AMPLE_LIMITS } from "../tool/call/ample-limits.ts";
import { DECLARED, type Declared } from "../tool/call/declared.ts";
import { linkedHash, newInactiveUser, newPendingLogin } from "../tool/call/mailbox.ts";
import { SAMPLES } from "../tool/sample/index.ts";
import type { Sample, World } from "../tool/sample/sample.ts";
import { newWorld, unknownWorld } from "../tool/sample/world.ts";
import { stack } from "../tool/system/stack.ts";

/** Parameters that name something of an account: an id, a list of ids, by whatever way they are written. */
const NAMES_AN_OBJECT = /(^|_)ids?$|^(trackers|tags|employees|zones|places)$/;

/** Parameters that look like ids of objects, and why they are none. */
const NAMES_NOTHING_OWNED = [
  "interval_id", // of a rule, within it
  "plugin_id",
  "device_id",
  "fake_device_id",
  "dealer_id",
  "icon_id",
  "tariff_id",
  "protocol_id",
  // Texts of other systems.
  "external_id",
  // Whether those are shown.
  "show_external_id",
  "import_id",
  // Fields of forms have ids that their template chooses.
  "template.fields.id",
  "/task/form/file/create field_id",
  "/checkin/form/file/create field_id",
  // Numbered within a webhook, which they name; its own tests ask for those of another.
  "/webhook/delivery/replay delivery_ids",
];
/** Numbered for each tracker anew, which is asked for along with it. */
const OF_A_TRACKER = ["track_id", "track_ids"];
/** Things on no tracker, which every user of the account sees. */
const OF_THE_ACCOUNT = [
  "garage_id",
  "department_id",
  "tag_id",
  "group_id",
  "listing_id",
  "status_id",
  "entity_id",
  "field_id",
  "file_id",
  "service_file_id",
  "form_template_id",
  "photo_id",
];

type Fleet = Awaited<ReturnType<typeof newWorld>>;
let acme: Fleet;
let rival: Fleet;
/** The state of acme, which no call of these tests may change. */
let untouched: Awaited<ReturnType<typeof stateOf>>;
let credentials: Record<Credential, string | undefined>;

beforeAll(async () => {
  const accounts = accountsOn(stack);
  [acme, rival] = await Promise.all([newWorld(accounts), newWorld(accounts)]);
  credentials = await newCredentials(acme);
  untouched = await stateOf(acme);
});

/** Operations of users: operators see objects of many accounts. */
const ofUsers = [...DECLARED.values()].filter(({ accepts }) => !accepts?.every((kind) => kind === "operator"));

test.each(ofUsers.filter((operation) => namesOf(operation).length > 0))(
  "operation $path has a sample for each of its parameters that names an object",
  (operation) => {
    const samples = SAMPLES[operation.path] ?? [];
    const varied = new Set(samples.flatMap((sample) => keysOf(sample).flatMap((key) => pathsVaried(sample, key))));
    expect([...varied]).toEqual(expect.arrayContaining(namesOf(operation)));
  },
);

const cases = ofUsers.flatMap(({ path }) =>
  (SAMPLES[path] ?? []).map((sample, index) => ({ path, index, sample, keys: keysOf(sample) })),
);
const oneByOne = cases.flatMap(({ keys, ...rest }) => [
  // A track alone is asked for of a tracker of the caller's own, which numbers its tracks as others do.
  ...keys.filter((key) => key !== "track_id").map((key) => ({ ...rest, named: key, keys: [key] })),
  ...(keys.length > 1 ? [{ ...rest, named: "objects", keys }] : []),
]);

test.each(oneByOne)(
  "operation $path (sample $index) answers another account's $named exactly as an unknown one",
  async ({ path, sample, keys }) => {
    const ask = (others: World) => {
      const world = { ...rival.world, ...pick(others, keys) };
      return call(path, { hash: rival.account.hash, ...sample.parameters(world, rival.account) });
    };
    await expectAlike(ask);
  },
);

const onTrackers = cases.map((one) => ({ ...one, keys: one.keys.filter((key) => !OF_THE_ACCOUNT.includes(key)) }));
test.each(onTrackers.filter(({ keys, path }) => keys.length > 0 && serviceOf(path) !== "gateway"))(
  "operation $path (sample $index) answers a sub-user with a hidden tracker and what is on it exactly as unknown ones",
  async ({ path, sample, keys }) => {
    await expectAlike((others) => {
      const world = { ...acme.world, ...pick(others, keys) };
      return askAs(subUser([]), path, sample.parameters(world, acme.account));
    });
  },
);

// After all tests, in whatever order they ran: no call with objects of another account may have changed anything.
afterAll(async () => {
  expect(await stateOf(acme), "what acme has, which nobody here may change").toEqual(untouched);
});

/** Expects the same reply for acme's objects and unknown ones, but for ids that the reply repeats and its time. */
async function expectAlike(ask: (world: World) => Promise<Reply>) {
  const unknown = unknownWorld();
  let { known, expected } = await askBoth(ask, unknown);
  // An archive tells when it was made, to two seconds, which may end between the two.
  if (known.file !== expected.file) ({ known, expected } = await askBoth(ask, unknown));
  const names = Object.keys(unknown).map((key) => key as keyof World);
  const renamed = names.reduce(
    (text, key) => text.replaceAll(String(unknown[key]), String(acme.world[key])),
    JSON.stringify(expected),
  );
  expect(known).toEqual(JSON.parse(renamed));
}

async function askBoth(ask: (world: World) => Promise<Reply>, unknown: World) {
  // One after the other: an account has few documents made at a time.
  const { user_time, ...known } = withoutNewId(await ask(acme.world));
  const { user_time: later, ...expected } = withoutNewId(await ask(unknown));
  return { known, expected };
}

/** The reply without ids and secrets of new things: calls that ignore unknown names make one each. */
function withoutNewId({ id, secret, ...reply }: Reply): Reply {
  return reply.success === true && typeof id === "number" ? reply : { ...reply, ...(id !== undefined && { id }) };
}

test("a sub-user lists the trackers of its scope, and the vehicles that are on them or on none", async () => {
  const fleet = await newWorld(accountsOn(stack));
  const { account, world } = fleet;
  const second = await account.newTracker({ label: "Second" });
  const { id: onSecond } = await account.must("/vehicle/create", {
    vehicle: { label: "Second", tracker_id: second.id },
  });
  const { id: onNone } = await account.must("/vehicle/create", { vehicle: { label: "Third" } });
  const seenBy = async (scope: Principal["scope"]) => {
    const principal = subUser(scope, account);
    const [trackers, vehicles] = await Promise.all(
      ["/tracker/list", "/vehicle/list"].map((path) => askAs(principal, path, {})),
    );
    expect(vehicles.count).toBe(vehicles.list.length);
    return [idsOf(trackers.list), idsOf(vehicles.list)];
  };
  expect(await seenBy([])).toEqual([[], [onNone]]);
  expect(await seenBy([second.id])).toEqual([[second.id], [onSecond, onNone]]);
  expect(await seenBy([acme.world.tracker_id])).toEqual([[], [onNone]]);
  expect(await seenBy("all")).toEqual([
    [world.tracker_id, second.id],
    [world.vehicle_id, onSecond, onNone],
  ]);
});

test("a sub-user lists the employees that are on trackers of its scope, or on none", async () => {
  const { account, world } = await newWorld(accountsOn(stack));
  const { department_id, employee_id } = world;
  const { id } = await account.must("/employee/create", { employee: { first_name: "Bo", department_id } });
  const seenBy = async (scope: Principal["scope"]) => {
    const { list, count } = await askAs(subUser(scope, account), "/employee/list", {});
    expect(count).toBe(list.length);
    return idsOf(list);
  };
  expect(await seenBy([])).toEqual([id]);
  expect(await seenBy([world.tracker_id])).toEqual([employee_id, id]);
  expect(await seenBy("all")).toEqual([employee_id, id]);
  // A hidden employee loses the department too.
  expect(await askAs(subUser([], account), "/department/delete", { department_id })).toMatchObject({ success: true });
  const { list } = await account.must("/employee/list");
  expect(list).toMatchObject([{ department_id: null }, { department_id: null }]);
});

test("a sub-user finds the label of a hidden tracker nowhere: not in searches, not in batches", async () => {
  const { tracker_label } = acme.world;
  const hidden = subUser([]);
  expect((await askAs(hidden, "/tracker/list", { labels: [tracker_label] })).list).toEqual([]);
  const rows = { batch: `Van\t${tracker_label}`, fields: ["label", "tracker_label"] };
  const converted = await askAs(hidden, "/vehicle/batch_convert", rows);
  expect(converted.list).toMatchObject([{ tracker_id: null, errors: [{ parameter: "vehicle.tracker_label" }] }]);
  const sorted = await askAs(hidden, "/vehicle/list", { sort: ["tracker_label=asc"] });
  expect(JSON.stringify(sorted)).not.toContain(tracker_label);
});

test("a sub-user cannot take a hidden tracker off its vehicle by putting it on another", async () => {
  const { account, world } = acme;
  const vehicle = { label: "Thief", tracker_id: world.tracker_id };
  const reply = await askAs(subUser([]), "/vehicle/create", { vehicle, force_reassign: true });
  expect(reply).toMatchObject({ success: false, status: { code: 7 } });
  const { value } = await account.must("/vehicle/read", { vehicle_id: world.vehicle_id });
  expect(value.tracker_id).toBe(world.tracker_id);
});

test.each([...DECLARED.values()].filter(({ right, path }) => right && serviceOf(path) !== "gateway"))(
  "operation $path is 13 without the right to it, whatever its parameters",
  async ({ path, right }) => {
    const [sample] = SAMPLES[path] ?? [];
    const principal = { ...subUser("all"), rights: subUser("all").rights.filter((one) => one !== right) };
    for (const parameters of [{}, sample?.parameters(acme.world, acme.account) ?? {}]) {
      expect(await askAs(principal, path, parameters)).toMatchObject({ success: false, status: { code: 13 } });
    }
  },
);

test.each([...DECLARED.values()])(
  "operation $path refuses every credential that it does not accept",
  async (operation) => {
    const { path, accepts = ["session", "delegated", "api_key"] } = operation;
    const refused = CREDENTIALS.filter((kind) => !accepts.includes(kind));
    await Promise.all(
      refused.map(async (kind) => {
        const { status } = await call(path, { hash: credentials[kind] });
        expect(status.code, kind).toBe(kind === "none" ? 3 : 4);
      }),
    );
  },
);

/** Credentials of each kind, none of which is ended by a refused call. */
async function newCredentials({ account, world }: Fleet): Promise<Record<Credential, string | undefined>> {
  const hash = await operatorHash();
  const [{ login }, forgetful, pending] = await Promise.all([newInactiveUser(), newAccount(), newPendingLogin()]);
  await must("/user/restore_password", { login: forgetful.login });
  return {
    none: undefined,
    ended: "0".repeat(32),
    session: account.hash,
    delegated: (await must("/panel/user/session/create", { hash, user_id: account.id })).hash,
    api_key: world.api_key,
    activation: await linkedHash(login),
    restore: await linkedHash(forgetful.login),
    second_factor: pending.hash,
    delivery: (await account.must("/user/session/delivery/create")).value,
    operator: hash,
  };
}

/** The principal of a sub-user of the account with every right who sees only these trackers. */
function subUser(scope: Principal["scope"], { id, plan_id }: Account = acme.account): Principal {
  return {
    credential: "session",
    key: "",
    account_id: id,
    user_id: id + 1,
    kind: "subuser",
    rights: [
      "admin",
      "tag_update",
      "tracker_update",
      "tracker_register",
      "vehicle_update",
      "task_update",
      "employee_update",
      "tracker_configure",
      "reports",
      "zone_update",
      "place_update",
      "places_custom_fields_update",
      "form_template_update",
      "checkin_update",
    ],
    scope,
    sub_user_ids: [],
    store_period: null,
    dealer_id: 1,
    auto_overwrite: false,
    default_tariff_id: plan_id,
    limits: AMPLE_LIMITS,
    time_zone: "Europe/Berlin",
    account_time_zone: "Europe/Berlin",
    locale: "en_US",
    measurement_system: "metric",
    demo: false,
    permissions: {},
    expires_at: Number.MAX_SAFE_INTEGER,
  };
}

async function askAs(principal: Principal, path: string, parameters: object): Promise<Reply> {
  const { body } = await stack.handleAs(serviceOf(path), { path, parameters, principal });
  return replyOf(body);
}

function serviceOf(path: string) {
  const owner = ownerOf(path)?.toLowerCase();
  const worker = WORKERS.find((known) => known === owner);
  if (!worker) throw new Error(`Nobody serves ${path}.`);
  return worker;
}

/** Everything that calls of other accounts might have changed, by the paths that show it. */
async function stateOf({
  account,
  world: { tracker_id, listing_id, subuser_id, checkpoint_id, task_id },
}: Fleet): Promise<Record<string, Reply>> {
  const paths: Record<string, object> = {
    "/tracker/list": {},
    "/tracker/group/list": {},
    "/tracker/sensor/list": { tracker_id },
    "/tracker/retranslator/list": { tracker_id },
    "/vehicle/list": {},
    "/employee/list": {},
    "/department/list": {},
    "/garage/list": {},
    "/tag/list": {},
    "/zone/list": { with_points: true },
    "/subuser/zones/list_ids": { subuser_id },
    "/place/list": {},
    "/entity/read": { type: "place" },
    "/subuser/places/list_ids": { subuser_id },
    "/task/list": {},
    "/task/route/list": {},
    "/task/checkpoint/list": { checkpoint_ids: [checkpoint_id] },
    "/task/schedule/list": {},
    "/form/template/list": {},
    "/task/form/read": { task_id },
    "/checkin/list": {},
    "/retranslator/list": {},
    "/status/listing/list": {},
    "/status/list": { listing_id },
    "/api/key/list": {},
    "/subuser/list": {},
    "/subuser/security_group/list": {},
  };
  const shown = Object.entries(paths).map(
    async ([path, parameters]) => [path, await account.must(path, parameters)] as const,
  );
  return Object.fromEntries(await Promise.all(shown));
}

/** The dotted paths of the parameters that name an object. */
function namesOf({ path: called, input }: Declared): string[] {
  return pathsIn(input).filter((path) => {
    if (NAMES_NOTHING_OWNED.includes(path) || NAMES_NOTHING_OWNED.includes(`${called} ${path}`)) return false;
    const name = path.split(".").at(-1) ?? "";
    return NAMES_AN_OBJECT.test(name) && ![...NAMES_NOTHING_OWNED, ...OF_A_TRACKER].includes(name);
  });
}

/** Members of zod's definitions that hold objects or stand within them. */
type Definition = { shape?: Record<string, z.ZodType>; in?: z.ZodType; options?: z.ZodType[] } & Partial<
  Record<"element" | "innerType" | "valueType", z.ZodType>
>;

function pathsIn(schema: z.ZodType, path = ""): string[] {
  const { shape, element, innerType, valueType, options = [], ...rest } = schema.def as unknown as Definition;
  // A value that must be null names no object.
  if (schema.def.type === "null") return [];
  if (shape) {
    return Object.entries(shape).flatMap(([name, member]) => pathsIn(member, path ? `${path}.${name}` : name));
  }
  const inner = [element, innerType, valueType, rest.in, ...options].filter((one) => one !== undefined);
  return inner.length === 0 ? [path] : [...new Set(inner.flatMap((one) => pathsIn(one, path)))];
}

/** The members of the world that a sample's parameters use. */
function keysOf(sample: Sample): (keyof World)[] {
  return Object.keys(unknownWorld())
    .map((key) => key as keyof World)
    .filter((key) => pathsVaried(sample, key).length > 0);
}

/** The parameters in which the sample names what stands under the key in its world. */
function pathsVaried(sample: Sample, key: keyof World): string[] {
  const mark = "\u0001";
  const world = unknownWorld();
  // Parameters that name an object use nothing else of the account.
  const [one, other] = [world, { ...world, [key]: mark }].map((given) => sample.parameters(given, {} as Account));
  return different(one, other, mark);
}

function different(one: unknown, other: unknown, mark: string, path = ""): string[] {
  if (one === other) return [];
  if (typeof other === "string" && other.includes(mark)) return [path];
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return [];
  return Object.entries(other).flatMap(([name, value]) => {
    const inner = Array.isArray(other) ? path : path ? `${path}.${name}` : name;
    return different(Reflect.get(one, name), value, mark, inner);
  });
}

function pick<Whole extends object>(whole: Whole, keys: (keyof Whole)[]): Partial<Whole> {
  return Object.fromEntries(keys.map((key) => [key, whole[key]])) as Partial<Whole>; // the names are lost
}

function idsOf(list: { id: number }[]) {
  return list.map(({ id }) => id);
}
