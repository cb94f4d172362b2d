import { expect, test } from "vitest";
import {
  type Account,
  call,
  newAccount,
  type Reply,
  sharedAccount,
  UNKNOWN_ID,
} from "../../../../test/tool/call/account.ts";
import { newSubUser } from "../../../../test/tool/call/mailbox.ts";
import { RULE_TYPES } from "../table/rule/rule.ts";

const LIST = "/tracker/rule/list";
const CREATE = "/tracker/rule/create";
const UPDATE = "/tracker/rule/update";
const GATE = { type: "inoutzone", name: "Depot gate", primary_text: "Arrived", secondary_text: "Left" };
const LINE = [
  { lat: 50, lng: 8 },
  { lat: 50, lng: 8.1 },
  { lat: 50, lng: 8.2 },
];

test("tracker/rule/list shows a rule as created, with defaults and the server's ids of intervals", async () => {
  const account = await newAccount();
  const [{ id: tracker_id }, zone_id] = [await account.newTracker(), await newCircle(account)];
  const schedule = [
    { type: "weekly", from: { weekday: 1, time: "08:00:00" }, to: { weekday: 5, time: "18:00:00" } },
    { type: "fixed", from: "2024-07-01 00:00:00", to: "2024-07-14 00:00:00" },
  ];
  const rule = { ...GATE, zone_ids: [zone_id], trackers: [tracker_id], schedule };
  const { id } = await account.must(CREATE, { rule });
  expect((await account.must(LIST)).list).toEqual([
    {
      ...{ ...rule, id, description: "", param: 0, suspended: false, auto_created: false },
      schedule: schedule.map((interval, index) => ({ ...interval, interval_id: index + 1 })),
      alerts: { push_enabled: false, emails: [], sms_phones: [], phones: [], emergency: false },
      extended_params: {
        ...{ emergency: false, private_rule: false, append_zone_title: null, confirm_points: null },
        ...{ min_dwell_seconds: null, exit_margin_meters: null, max_precision_meters: null },
      },
    },
  ]);
});

/** The members that a rule of each type needs besides a name. */
const NEEDED = {
  speedup: { param: 90 },
  idling_soft: { param: 5 },
  input_change: { param: 1 },
  output_change: { param: 2 },
  excessive_driving: { extended_params: { max_driving_time: 240, min_parking_time: 30 } },
  excessive_parking: { extended_params: { max_parking_duration: 60 } },
  fuel_level_leap: { extended_params: { sensor_id: 4 } },
  sensor_range: { extended_params: { sensor_id: 4, min: 1, max: 5 } },
  state_field_control: { extended_params: { state_field: "door", trigger_value: "open" } },
};

test.each(RULE_TYPES)("a rule of type %s is stored and may be sent back as it is listed", async (type) => {
  const account = await sharedAccount();
  const zones = { inoutzone: await newCircle(account), route: await newSausage(account) };
  const zone_ids = type in zones ? [zones[type as keyof typeof zones]] : []; // asked for right before
  const distance = { control_type: "moving_away", control_distance_meters: 500 };
  const observed_trackers = type === "distance_control" ? [(await account.newTracker()).id] : [];
  const needed = { ...NEEDED, distance_control: { extended_params: { ...distance, observed_trackers } } };
  const rule = { type, name: type, zone_ids, ...(type in needed ? needed[type as keyof typeof needed] : {}) };
  const { id } = await account.must(CREATE, { rule });
  const shown = await shownRule(account, id);
  await account.must(UPDATE, { rule: shown });
  expect(await shownRule(account, id)).toEqual(shown);
  expect(shown).toMatchObject(rule);
});

test("tracker/rule/update keeps members that are not given, and the ids of intervals that come back", async () => {
  const account = await sharedAccount();
  const weekly = { type: "weekly", from: { weekday: 1, time: "08:00:00" }, to: { weekday: 1, time: "09:00:00" } };
  const { id } = await account.must(CREATE, { rule: { ...speed(), schedule: [weekly, weekly] } });
  const second = (await shownRule(account, id)).schedule.at(1);
  await account.must(UPDATE, { rule: { id, name: "Fast", schedule: [weekly, second] } });
  const shown = await shownRule(account, id);
  expect(shown).toMatchObject({ ...speed(), name: "Fast" });
  expect(shown.schedule.map(({ interval_id }: Reply) => interval_id)).toEqual([3, 2]);
});

test("tracker/rule/create drops extended parameters of another type", async () => {
  const account = await sharedAccount();
  const rule = { ...speed(), extended_params: { max_parking_duration: 60, zone_limit_inverted: true } };
  const { id } = await account.must(CREATE, { rule });
  expect((await shownRule(account, id)).extended_params).toEqual({
    ...{ emergency: false, private_rule: false, append_zone_title: null, zone_limit_inverted: true },
  });
});

test.each([
  ["flat fields", undefined, "rule"],
  ["an unknown type", { type: "teleport" }, "rule.type"],
  ["no name", { name: "" }, "rule.name"],
  ["no zones for inoutzone", { type: "inoutzone" }, "rule.zone_ids"],
  ["no zones for route", { type: "route" }, "rule.zone_ids"],
  ["zones for offline", { type: "offline", zone_ids: [1] }, "rule.zone_ids"],
  ["no speed limit", { param: 0 }, "rule.param"],
  ["input 33", { type: "input_change", param: 33 }, "rule.param"],
  ["no times for excessive_driving", { type: "excessive_driving" }, "rule.extended_params.max_driving_time"],
  [
    "four minutes of excessive_parking",
    { type: "excessive_parking", extended_params: { max_parking_duration: 4 } },
    "rule.extended_params.max_parking_duration",
  ],
  ["no sensor for sensor_range", { type: "sensor_range" }, "rule.extended_params.sensor_id"],
  ["no state for state_field_control", { type: "state_field_control" }, "rule.extended_params.state_field"],
  [
    "an eighth weekday",
    { schedule: [{ type: "weekly", from: { weekday: 8, time: "08:00:00" }, to: { weekday: 1, time: "09:00:00" } }] },
    "rule.schedule.0.from.weekday",
  ],
  [
    "30 February",
    { schedule: [{ type: "fixed", from: "2024-02-30 00:00:00", to: "2024-07-14 00:00:00" }] },
    "rule.schedule.0.from",
  ],
  ["an e-mail address that is none", { alerts: { emails: ["ops"] } }, "rule.alerts.emails.0"],
])("tracker/rule/create refuses a rule with %s by name (7)", async (_, given, parameter) => {
  const account = await sharedAccount();
  const { status, errors } = await account.call(CREATE, given ? { rule: { ...speed(), ...given } } : speed());
  expect([status.code, errors[0].parameter]).toEqual([7, parameter]);
});

test("tracker/rule/create answers 204 to an unknown zone, another account's and one that the sub-user does not see", async () => {
  const [account, rival] = [await sharedAccount(), await newAccount()];
  const { hash } = await newRuleMaker(account);
  const own = await newCircle(account);
  for (const zone_ids of [[UNKNOWN_ID], [await newCircle(rival)], [own, UNKNOWN_ID]]) {
    expect((await account.call(CREATE, { rule: { ...GATE, zone_ids } })).status.code).toBe(204);
  }
  expect((await call(CREATE, { hash, rule: { ...GATE, zone_ids: [own] } })).status.code).toBe(204);
  const { id } = await account.must(CREATE, { rule: { ...GATE, zone_ids: [own] } });
  expect((await account.call(UPDATE, { rule: { id, zone_ids: [UNKNOWN_ID] } })).status.code).toBe(204);
});

test("a route rule takes zones of type sausage alone, and an update exactly one", async () => {
  const account = await sharedAccount();
  const [one, other, circle] = [await newSausage(account), await newSausage(account), await newCircle(account)];
  const route = { type: "route", name: "Line 5" };
  expect((await account.call(CREATE, { rule: { ...route, zone_ids: [one, circle] } })).errors).toEqual([
    { parameter: "rule.zone_ids", error: "must be sausages for this type" },
  ]);
  const { id } = await account.must(CREATE, { rule: { ...route, zone_ids: [one, other] } });
  expect((await account.call(UPDATE, { rule: { id, zone_ids: [one, other] } })).status.code).toBe(7);
  await account.must(UPDATE, { rule: { id, zone_ids: [one] } });
});

test("a rule ignores unknown, foreign and cloned trackers, and binds a tracker once", async () => {
  const [account, rival] = [await newAccount(), await newAccount()];
  const [{ id: one }, { id: other }, { id: foreign }] = [
    await account.newTracker(),
    await account.newTracker(),
    await rival.newTracker(),
  ];
  const { id: rule_id } = await account.must(CREATE, { rule: { ...speed(), trackers: [one, foreign, UNKNOWN_ID] } });
  const trackers = async () => (await shownRule(account, rule_id)).trackers;
  expect(await trackers()).toEqual([one]);
  await account.must("/tracker/rule/bind", { rule_id, trackers: [other, one, foreign] });
  expect(await trackers()).toEqual([one, other]);
  await account.must("/tracker/rule/unbind", { rule_id, trackers: [one, UNKNOWN_ID] });
  expect(await trackers()).toEqual([other]);
  expect((await account.must(LIST, { tracker_id: one })).list).toEqual([]);
  expect((await account.must(LIST, { tracker_id: other })).list).toHaveLength(1);
});

test.each(["bind", "unbind", "delete", "update"])(
  "tracker/rule/%s answers 201 to another account's rule, as to an unknown one",
  async (verb) => {
    const [account, rival] = [await sharedAccount(), await newAccount()];
    const { id } = await account.must(CREATE, { rule: speed() });
    for (const rule_id of [id, UNKNOWN_ID]) {
      const given = verb === "update" ? { rule: { id: rule_id, name: "X" } } : { rule_id, trackers: [] };
      expect((await rival.call(`/tracker/rule/${verb}`, given)).status.code).toBe(201);
    }
  },
);

test("tracker/rule/delete removes the rule from the list", async () => {
  const account = await sharedAccount();
  const { id: rule_id } = await account.must(CREATE, { rule: speed() });
  await account.must("/tracker/rule/delete", { rule_id });
  expect((await account.call("/tracker/rule/delete", { rule_id })).status.code).toBe(201);
  expect(await shownRule(account, rule_id)).toBeUndefined();
});

test("zone/delete refuses a zone of rules and names the rules (203)", async () => {
  const account = await newAccount();
  const [zone_id, free] = [await newCircle(account), await newCircle(account)];
  const { id } = await account.must(CREATE, { rule: { ...GATE, zone_ids: [zone_id] } });
  const { status, entities } = await account.call("/zone/delete", { zone_ids: [free, zone_id] });
  expect([status.code, entities]).toEqual([203, [{ type: "rules", ids: [id] }]]);
  expect((await account.must("/zone/list")).count).toBe(2);
  await account.must("/tracker/rule/delete", { rule_id: id });
  await account.must("/zone/delete", { zone_ids: [free, zone_id] });
});

test("a sub-user sees its own rules and those of its trackers, and of a rule's trackers the visible ones", async () => {
  const account = await newAccount();
  const [{ id: seen }, { id: hidden }] = [await account.newTracker(), await account.newTracker()];
  const { hash, subuser_id } = await newRuleMaker(account);
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [seen] });
  const { id: both } = await account.must(CREATE, { rule: { ...speed(), trackers: [seen, hidden] } });
  const { id: other } = await account.must(CREATE, { rule: { ...speed(), trackers: [hidden] } });
  const { id: own } = await call(CREATE, { hash, rule: { ...speed(), trackers: [hidden] } });
  const { list } = await call(LIST, { hash });
  expect(list.map(({ id, trackers }: Reply) => [id, trackers])).toEqual([
    [both, [seen]],
    [own, []],
  ]);
  expect((await call("/tracker/rule/delete", { hash, rule_id: other })).status.code).toBe(201);
  // A tracker that is hidden from the sub-user stays on the rule that it sends back.
  await call(UPDATE, { hash, rule: list[0] });
  expect((await shownRule(account, both)).trackers).toEqual([seen, hidden]);
});

test("a sub-user's private rule is invisible to others, even to the master", async () => {
  const account = await newAccount();
  const { hash } = await newRuleMaker(account);
  const rule = { ...speed(), extended_params: { private_rule: true } };
  const { id: rule_id } = await call(CREATE, { hash, rule });
  expect((await call(LIST, { hash })).list).toHaveLength(1);
  expect((await account.must(LIST)).list).toEqual([]);
  expect((await account.call("/tracker/rule/delete", { rule_id })).status.code).toBe(201);
  await account.must(CREATE, { rule });
  expect((await account.must(LIST)).list).toHaveLength(1);
});

test("tracker/rule/create needs the right to change rules (13)", async () => {
  const account = await sharedAccount();
  const { hash } = await newRuleMaker(account, []);
  expect((await call(CREATE, { hash, rule: speed() })).status.code).toBe(13);
});

function speed() {
  return { type: "speedup", name: "Speed", param: 90, primary_text: "Too fast" };
}

async function shownRule(account: Account, id: number): Promise<Reply> {
  const { list } = await account.must(LIST);
  return list.find((rule: Reply) => rule.id === id);
}

async function newCircle(account: Account): Promise<number> {
  const zone = { type: "circle", label: "Depot", center: { lat: 50, lng: 8 }, radius: 200 };
  return (await account.must("/zone/create", { zone })).id;
}

async function newSausage(account: Account): Promise<number> {
  const zone = { type: "sausage", label: "Road", radius: 50 };
  return (await account.must("/zone/create", { zone, points: LINE })).id;
}

/** The hash of a sub-user who may change rules, and its id. */
async function newRuleMaker(account: Account, rights = ["tracker_rule_update"]) {
  const { id: subuser_id, hash } = await newSubUser(account);
  const group = { label: "Rules", privileges: { rights } };
  const { id: group_id } = await account.must("/subuser/security_group/create", { group });
  await account.must("/subuser/security_group/assign", { group_id, subuser_ids: [subuser_id] });
  return { hash, subuser_id };
}
