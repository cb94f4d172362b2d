import { randomBytes, randomInt } from "node:crypto";
import { TOTP } from "otpauth";
import { writeLocal } from "../shared/clock.ts";
import { type Account, type Accounts, FEATURES, newImei, type Reply, UNKNOWN_ID } from "./account.ts";
import { linkedHash, mailedCode, newInactiveUser, newPendingLogin } from "./mailbox.ts";
import { OPERATOR } from "./system.ts";
import { newFile } from "./uploads.ts";

/** What an account has of its own, by the ids and names under which calls ask for it. */
export type World = {
  tracker_id: number;
  tracker_label: string;
  vehicle_id: number;
  service_task_id: number;
  task_id: number;
  schedule_id: number;
  route_id: number;
  checkpoint_id: number;
  service_file_id: number;
  garage_id: number;
  department_id: number;
  employee_id: number;
  tag_id: number;
  event_id: number;
  entry_id: number;
  listing_id: number;
  status_id: number;
  group_id: number;
  sensor_id: number;
  retranslator_id: number;
  track_id: number;
  api_key: string;
  security_group_id: number;
  subuser_id: number;
  zone_id: number;
  place_id: number;
  /** The account's own, as there is one of a kind. */
  entity_id: number;
  field_id: number;
  file_id: string;
  process_id: number;
  vehicle_process_id: number;
};

/** A call that succeeds for the account whose world is given, however often it is made. */
export type Sample = {
  /** By default the account's master. */
  as?: "nobody" | "operator";
  parameters(world: World, account: Account): object;
  /** Parameters that are used up by the call: made before each. */
  before?(account: Account, accounts: Accounts): Promise<object>;
};

const ZONE = "Europe/Berlin";
const DAY_MS = 86_400_000;
const SECOND_MS = 1000;
/** Degrees of latitude in ten seconds at 36 km/h. */
const STEP = 0.0009;

/** A drive of some hours and what else an account can have; its vehicle is on its tracker. */
export async function newWorld(accounts: Accounts, drive = pointsOfADrive(100)) {
  const { newAccount, feed } = accounts;
  const account = await newAccount({ time_zone: ZONE });
  const tracker_label = `Van ${randomInt(1e12)}`;
  const { id: tracker_id, source } = await account.newTracker({ label: tracker_label });
  const staff = await newStaff(account, tracker_id);
  const { id: vehicle_id } = await account.must("/vehicle/create", { vehicle: { label: "Van", tracker_id } });
  const { value } = await account.must("/api/key/create", { title: "Key" });
  for (let start = 0; start < drive.length; start += 1000) {
    await feed(source.device_id, drive.slice(start, start + 1000));
  }
  const { list } = await account.must("/track/list", { tracker_id, ...RANGE });
  const { id: security_group_id } = await account.must("/subuser/security_group/create", { group: GROUP });
  const { subuser_id } = await newSubUser(account, { security_group_id });
  const [tag_id, group_id] = [await newTag(account), await newTrackerGroup(account)];
  // Done, as one that is not would keep the vehicle on its tracker.
  const { task_id: service_task_id } = await newServiceTask(account, { conditions: DATED });
  await account.must("/vehicle/service_task/set_status", { task_id: service_task_id, status: "done" });
  const service_file_id = await newFile(account);
  const event_id = await newEvent(account, tracker_id);
  const { task_id } = await newTask(account, { tracker_id, tags: [tag_id] });
  const { schedule_id } = await newSchedule(account, { tracker_id, tags: [tag_id] });
  const route = await newRoute(account, { tracker_id, tags: [tag_id] });
  const entry_id = await newEntry(account, tracker_id);
  const retranslator = await newRetranslator(account);
  const listing = await newListing(account);
  await account.must("/status/listing/tracker/assign", { tracker_id, listing_id: listing.listing_id });
  const { id: sensor_id } = await account.must("/tracker/sensor/create", { tracker_id, sensor: CARGO });
  const [{ zone_id }, { place_id }] = [await newZone(account), await newPlace(account)];
  const field = await newField(account);
  const made = {
    ...retranslator,
    zone_id,
    place_id,
    ...field,
    tag_id,
    group_id,
    event_id,
    entry_id,
    ...listing,
    tracker_id,
    tracker_label,
    vehicle_id,
    sensor_id,
  };
  const imports = {
    file_id: await newSheet(account),
    ...(await newImport("employee", account, accounts)),
    vehicle_process_id: (await newImport("vehicle", account, accounts)).process_id,
  };
  const things = {
    ...made,
    ...imports,
    service_task_id,
    service_file_id,
    task_id,
    schedule_id,
    ...route,
    track_id: list[0].id,
    ...staff,
  };
  const world: World = { ...things, api_key: value.hash, security_group_id, subuser_id };
  return { account, world, device_id: String(source.device_id) };
}

/** Names that nothing has, in no account; no two are alike. */
export function unknownWorld(): World {
  return {
    tracker_id: UNKNOWN_ID,
    tracker_label: "No such van",
    vehicle_id: UNKNOWN_ID - 1,
    track_id: UNKNOWN_ID - 2,
    api_key: randomBytes(16).toString("hex"),
    security_group_id: UNKNOWN_ID - 3,
    subuser_id: UNKNOWN_ID - 4,
    garage_id: UNKNOWN_ID - 5,
    department_id: UNKNOWN_ID - 6,
    employee_id: UNKNOWN_ID - 7,
    tag_id: UNKNOWN_ID - 8,
    group_id: UNKNOWN_ID - 9,
    event_id: UNKNOWN_ID - 10,
    listing_id: UNKNOWN_ID - 11,
    status_id: UNKNOWN_ID - 12,
    entry_id: UNKNOWN_ID - 13,
    sensor_id: UNKNOWN_ID - 20,
    retranslator_id: UNKNOWN_ID - 14,
    service_task_id: UNKNOWN_ID - 30,
    zone_id: UNKNOWN_ID - 40,
    place_id: UNKNOWN_ID - 41,
    entity_id: UNKNOWN_ID - 42,
    field_id: UNKNOWN_ID - 43,
    task_id: UNKNOWN_ID - 50,
    schedule_id: UNKNOWN_ID - 51,
    route_id: UNKNOWN_ID - 52,
    checkpoint_id: UNKNOWN_ID - 53,
    service_file_id: UNKNOWN_ID - 31,
    file_id: randomBytes(16).toString("hex"),
    process_id: UNKNOWN_ID - 60,
    vehicle_process_id: UNKNOWN_ID - 61,
  };
}

/** From two days ago on, every ten seconds; each tenth point is a cell tower's. */
export function pointsOfADrive(count: number) {
  const start = Math.floor(Date.now() / DAY_MS - 2) * DAY_MS;
  return Array.from({ length: count }, (_, index) => ({
    time: start + index * 10 * SECOND_MS,
    lat: 40 + index * STEP,
    lng: 8,
    speed: 36,
    gsm_lbs: index % 10 === 5,
  }));
}

function newSheet(account: Account): Promise<string> {
  const file = new File(["Van\tBo"], "sheet.csv");
  return account.must("/data/spreadsheet/parse", { file }).then(({ file_id }) => file_id);
}

/** One that has ended, of a row that fails: neither changes anything. */
async function newImport(family: "employee" | "vehicle", account: Account, accounts: Accounts) {
  const started = { filename: await newSheet(account), headers: FAILING[family] };
  const { id: process_id } = await account.must(`/${family}/import/start`, started);
  for (let status = "created"; status !== "done"; ) {
    await accounts.fireCron("fleet");
    ({ status } = (await account.must(`/${family}/import/read`, { process_id })).value);
  }
  return { process_id };
}

/** So many may be open that one more can begin. */
async function endImports(account: Account, { fireCron }: Accounts) {
  let open: Reply[];
  do {
    await fireCron("fleet");
    const { list } = await account.must("/data/import/list");
    open = list.filter(({ status }: Reply) => status !== "done");
  } while (open.length > 0);
  return {};
}

/** Columns that "Van" does not fit. */
const FAILING = { employee: ["phone"], vehicle: ["max_speed"] };

const RANGE = { from: daysAgo(4), to: daysAgo(-1) };

function daysAgo(days: number) {
  return writeLocal(Date.now() - days * DAY_MS, ZONE);
}

/** At least one for each operation, and one for each way to name what it asks for. */
export const SAMPLES: Record<string, Sample[]> = {
  "/user/auth": [
    { as: "nobody", parameters: (_, { login, password }) => ({ login, password }) },
    { as: "nobody", parameters: () => ({}), before: newTimedUser },
  ],
  "/user/auth/code/verify": [
    { parameters: () => ({}), before: newCode },
    { parameters: () => ({}), before: newTimedLogin },
  ],
  "/user/auth/code/resend": [{ parameters: () => ({}), before: (_, accounts) => newPending(accounts) }],
  "/user/activate": [{ parameters: () => ({}), before: newActivationLink }],
  "/user/resend_activation": [
    { as: "nobody", parameters: () => ({}), before: (_, accounts) => newInactiveUser(accounts) },
  ],
  "/activate": [{ as: "nobody", parameters: () => ({}) }],
  "/user/password/set": [{ parameters: () => ({}), before: newOldPassword }],
  "/user/password/change": [{ parameters: () => ({}), before: newRestoreLink }],
  "/user/restore_password": [
    { as: "nobody", parameters: (_, { login }) => ({ login: `x${login}` }) },
    { as: "nobody", parameters: () => ({}), before: newLogin },
  ],
  "/user/session/push_token/bind": [
    { parameters: () => ({ application: "vendor_android_viewer", token: "abc123" }) },
    {
      parameters: () => ({
        application: "w3c_pushapi",
        token: "https://push.example.net/send/abc123",
        parameters: { p256dh: "BJx3", auth: "k8Qd" },
        category_filter: "-history_task",
      }),
    },
  ],
  "/user/session/push_token/delete": [{ parameters: () => ({}) }],
  "/user/session/delivery/create": [{ parameters: () => ({}) }],
  "/user/session/delivery/read": [{ parameters: () => ({}), before: newDeliverySession }],
  "/push/vapid": [{ as: "nobody", parameters: () => ({}) }],
  "/user/settings/read": [{ parameters: () => ({}) }],
  "/user/settings/update": [
    { parameters: () => ({ translit: true, balance_alert_settings: { emails: [] } }) },
    { parameters: () => ({ second_factor: "totp" }), before: newAuthenticator },
  ],
  "/user/settings/second_factor/totp/create": [{ parameters: () => ({}) }],
  "/user/settings/file_storage/update": [{ parameters: () => ({ file_storage_settings: { auto_overwrite: false } }) }],
  "/user/settings/ui/update": [{ parameters: () => ({ key: "zoom", value: "12" }) }],
  "/user/settings/ui/read": [{ parameters: () => ({ key: "zoom" }), before: newUiSetting }],
  "/user/personal_info/update": [{ parameters: () => ({ phone: "", post_city: "Munich" }) }],
  "/user/audit/log/list": [
    { parameters: () => ({ ...RANGE }) },
    { parameters: ({ subuser_id }) => ({ ...RANGE, subuser_ids: [subuser_id] }) },
    {
      parameters: () => ({
        ...RANGE,
        actions: ["vehicle_create"],
        sort: ["user=desc", "action_date=asc"],
        grouping: "action",
        limit: 10,
      }),
    },
  ],
  "/user/audit/checkin": [{ parameters: () => ({}) }],
  "/user/logout": [{ parameters: () => ({}), before: newSession }],
  "/user/session/renew": [{ parameters: () => ({}) }],
  "/user/get_info": [{ parameters: () => ({}) }, { parameters: () => ({ application: "monitoring" }) }],
  "/user/get_tariff_restrictions": [{ parameters: () => ({}) }],
  "/api/key/create": [{ parameters: () => ({ title: "Key" }) }],
  "/api/key/list": [{ parameters: () => ({}) }],
  "/api/key/delete": [{ parameters: ({ api_key }) => ({ key: api_key }), before: newKey }],
  "/dealer/get_ui_config": [{ parameters: () => ({}) }],
  "/subuser/register": [
    {
      parameters: ({ security_group_id }) => ({
        user: { ...newSubUserOf("x"), security_group_id },
        password: "secret123",
      }),
      before: async () => ({ user: newSubUserOf(`${Date.now()}-${randomInt(1e12)}`) }),
    },
  ],
  "/subuser/update": [
    { parameters: ({ subuser_id, security_group_id }) => ({ user: { id: subuser_id, security_group_id } }) },
    { parameters: ({ subuser_id }) => ({ user: { id: subuser_id, activated: false } }) },
  ],
  "/subuser/list": [{ parameters: () => ({}) }],
  "/subuser/delete": [{ parameters: ({ subuser_id }) => ({ subuser_id }), before: (account) => newSubUser(account) }],
  "/subuser/session/create": [
    { parameters: ({ subuser_id }) => ({ subuser_id }), before: (account) => newSubUser(account) },
  ],
  "/subuser/tracker/bind": [{ parameters: ({ subuser_id, tracker_id }) => ({ subuser_id, trackers: [tracker_id] }) }],
  "/subuser/tracker/unbind": [{ parameters: ({ subuser_id, tracker_id }) => ({ subuser_id, trackers: [tracker_id] }) }],
  "/subuser/tracker/list": [{ parameters: ({ subuser_id }) => ({ subuser_id }) }],
  "/subuser/places/bind": [
    { parameters: ({ subuser_id, place_id }) => ({ subuser_id, place_ids: [place_id] }) },
    { parameters: ({ subuser_id }) => ({ subuser_id, access_to_all: true }) },
  ],
  "/subuser/places/unbind": [{ parameters: ({ subuser_id, place_id }) => ({ subuser_id, place_ids: [place_id] }) }],
  "/subuser/places/list_ids": [{ parameters: ({ subuser_id }) => ({ subuser_id }) }],
  "/subuser/places/list": [
    {
      parameters: ({ subuser_id, tag_id }) => ({ subuser_id, filter: "a", tag_ids: [tag_id], order: "assigned_date" }),
    },
  ],
  "/subuser/zones/bind": [
    { parameters: ({ subuser_id, zone_id }) => ({ subuser_id, zone_ids: [zone_id] }) },
    { parameters: ({ subuser_id }) => ({ subuser_id, access_to_all: true }) },
  ],
  "/subuser/zones/unbind": [{ parameters: ({ subuser_id, zone_id }) => ({ subuser_id, zone_ids: [zone_id] }) }],
  "/subuser/zones/list_ids": [{ parameters: ({ subuser_id }) => ({ subuser_id }) }],
  "/subuser/zones/list": [
    { parameters: ({ subuser_id, tag_id }) => ({ subuser_id, filter: "a", tag_ids: [tag_id], order: "label" }) },
  ],
  "/subuser/security_group/create": [{ parameters: () => ({ group: GROUP }) }],
  "/subuser/security_group/update": [
    { parameters: ({ security_group_id }) => ({ group: { ...GROUP, id: security_group_id } }) },
  ],
  "/subuser/security_group/delete": [
    { parameters: ({ security_group_id }) => ({ security_group_id }), before: newGroup },
    {
      parameters: ({ security_group_id: id }) => ({ id }),
      before: async (account) => ({ id: (await newGroup(account)).security_group_id }),
    },
  ],
  "/subuser/security_group/list": [{ parameters: () => ({}) }],
  "/subuser/security_group/assign": [
    {
      parameters: ({ subuser_id, security_group_id }) => ({ group_id: security_group_id, subuser_ids: [subuser_id] }),
    },
    { parameters: ({ subuser_id }) => ({ group_id: null, subuser_ids: [subuser_id] }) },
  ],
  "/timezone/list": [{ as: "nobody", parameters: () => ({}) }],
  "/base/nothing": [{ parameters: () => ({}) }],
  "/panel/account/auth": [{ as: "nobody", parameters: () => OPERATOR }],
  "/panel/tariff/create": [{ as: "operator", parameters: () => ({ tariff: { name: `Plan ${randomInt(1e12)}` } }) }],
  "/panel/tariff/update": [{ as: "operator", parameters: (_, { plan_id }) => ({ tariff: { id: plan_id, price: 5 } }) }],
  "/panel/user/create": [
    { as: "operator", parameters: (_, { plan_id }) => newUser({ activated: true }, plan_id) },
    { as: "operator", parameters: (_, { plan_id }) => newUser({ activated: false }, plan_id) },
  ],
  "/panel/user/update": [
    { as: "operator", parameters: (_, { id }) => ({ user_id: id, comment: "Pays late", block_status: "NOT_BLOCKED" }) },
    {
      as: "operator",
      parameters: (_, { id, plan_id }) => ({ user_id: id, user: { phone: "" }, default_tariff_id: plan_id }),
    },
  ],
  "/panel/dealer/block": [{ as: "operator", parameters: () => ({ dealer_id: 1, blocked: false }) }],
  "/panel/subpaas/create": [{ as: "operator", parameters: () => newDealer() }],
  "/panel/subpaas/list": [{ as: "operator", parameters: () => ({}) }],
  "/panel/subpaas/read": [{ as: "operator", parameters: () => ({}), before: newSubDealer }],
  "/panel/subpaas/update": [
    { as: "operator", parameters: () => ({ block_type: "NOT_BLOCKED", password: "another123" }), before: newSubDealer },
  ],
  "/panel/user/menu/read": [{ as: "operator", parameters: (_, { id }) => ({ user_id: id, application: "web" }) }],
  "/panel/user/menu/update": [{ as: "operator", parameters: (_, { id }) => ({ user_id: id, value: MENU }) }],
  "/panel/user/menu/default/read": [{ as: "operator", parameters: () => ({ application: "web" }) }],
  "/panel/user/menu/default/update": [{ as: "operator", parameters: () => ({ value: MENU }) }],
  "/panel/equipment/list": [{ as: "operator", parameters: () => ({}) }],
  "/panel/tracker/bundle/import": [{ as: "operator", parameters: () => ({ imeis: [newImei()], equip_id: 1 }) }],
  "/panel/dealer/activation_code/create": [
    { as: "operator", parameters: (_, { plan_id }) => ({ count: 2, tariff_id: plan_id }) },
  ],
  "/panel/dealer/activation_code/list": [{ as: "operator", parameters: () => ({ used: false, limit: 1 }) }],
  "/panel/tracker/source/update": [
    { as: "operator", parameters: ({ tracker_id }) => ({ tracker_id, blocked: false }) },
  ],
  "/panel/tracker/list": [
    { as: "operator", parameters: () => ({}) },
    { as: "operator", parameters: (_, { id, plan_id }) => ({ user_id: id, tariff_id: plan_id, filter: "van" }) },
  ],
  "/panel/tracker/read": [{ as: "operator", parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/panel/tracker/settings/update": [
    { as: "operator", parameters: ({ tracker_id }) => ({ tracker_id, comment: "On loan" }) },
  ],
  "/panel/tracker/tariff/change": [
    {
      as: "operator",
      parameters: ({ tracker_id }, { plan_id }) => ({ tracker_id, tariff_id: plan_id, repay: false, charge: false }),
    },
  ],
  "/panel/tracker/clone": [
    {
      as: "operator",
      parameters: ({ tracker_id }) => ({ tracker_id, label: "Rented van" }),
      before: newUserId,
    },
  ],
  "/panel/tracker/corrupt": [{ as: "operator", parameters: () => ({}), before: newTracker }],
  "/panel/user/corrupt": [{ as: "operator", parameters: () => ({}), before: newUserToRemove }],
  "/panel/account/get_permissions": [{ as: "operator", parameters: () => ({}) }],
  "/panel/account/logout": [{ as: "operator", parameters: () => ({}), before: newOperatorSession }],
  "/panel/tariff/list": [{ as: "operator", parameters: () => ({ filter: "plan", limit: 1 }) }],
  "/panel/tariff/read": [{ as: "operator", parameters: (_, { plan_id }) => ({ tariff_id: plan_id }) }],
  "/panel/tariff/defaults/read": [{ as: "operator", parameters: () => ({}) }],
  "/panel/tariff/defaults/update": [
    {
      as: "operator",
      parameters: (_, { plan_id }) => ({
        tracker: { tariff_id: plan_id, activation_bonus: 0, free_days: 0, free_days_device_limit: 0 },
      }),
    },
  ],
  "/panel/user/read": [{ as: "operator", parameters: (_, { id }) => ({ user_id: id }) }],
  "/panel/user/list": [{ as: "operator", parameters: () => ({ filter: "example", limit: 1 }) }],
  "/panel/user/change_password": [
    { as: "operator", parameters: () => ({ password: "another123" }), before: newUserId },
  ],
  "/panel/user/session/create": [{ as: "operator", parameters: (_, { id }) => ({ user_id: id }) }],
  "/panel/dealer/settings/service/read": [{ as: "operator", parameters: () => ({}) }],
  "/panel/dealer/settings/service/update": [{ as: "operator", parameters: () => ({ service_title: "Fleet" }) }],
  "/panel/mail/list": [{ as: "operator", parameters: () => ({}) }],
  "/tracker/register": [
    {
      parameters: ({ group_id }) => ({ label: "Van", model: "generic_gps", plugin_id: 44, group_id }),
      before: async () => ({ device_id: newImei() }),
    },
    {
      parameters: () => ({ label: "Van", model: "generic_gps", plugin_id: 37, group_id: 0, device_id: newImei() }),
      before: newActivationCode,
    },
  ],
  "/tracker/register_quick": [{ parameters: ({ group_id }) => ({ label: "Van", group_id }), before: newBundle }],
  "/plugin/list": [{ parameters: () => ({}) }],
  "/tariff/list": [{ parameters: () => ({}) }],
  "/tariff/tracker/change": [
    { parameters: ({ tracker_id }, { plan_id }) => ({ tracker_id, tariff_id: plan_id }), before: newChoice },
  ],
  "/tracker/read": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/list": [{ parameters: () => ({}) }, { parameters: ({ tracker_label }) => ({ labels: [tracker_label] }) }],
  "/tracker/settings/read": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/settings/update": [
    { parameters: ({ tracker_id, group_id }) => ({ tracker_id, label: "Renamed", group_id }), before: newTracker },
  ],
  "/tracker/delete": [{ parameters: ({ tracker_id }) => ({ tracker_id }), before: newClone }],
  "/tracker/list_models": [{ parameters: () => ({}) }],
  "/tracker/tags/set": [
    { parameters: ({ tracker_id, tag_id }) => ({ tracker_id, tag_bindings: [{ tag_id, ordinal: 1 }] }) },
  ],
  "/tracker/employee/assign": [
    {
      parameters: ({ tracker_id, employee_id: new_employee_id }) => ({ tracker_id, new_employee_id }),
      before: async (account) => ({
        ...(await newTracker(account)),
        new_employee_id: (await newEmployee(account)).employee_id,
      }),
    },
    {
      parameters: ({ tracker_id }) => ({ tracker_id, new_employee_id: null }),
      before: async (account) => {
        const { tracker_id } = await newTracker(account);
        await newEmployee(account, { tracker_id });
        return { tracker_id };
      },
    },
  ],
  "/tracker/employee/read": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/driver/journal/entry/list": [
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE, sort: ["driver=asc", "start_date=desc"] }) },
    { parameters: ({ entry_id }) => ({ entry_ids: [entry_id] }) },
  ],
  "/driver/journal/entry/create": [
    {
      parameters: ({ tracker_id, employee_id }) => ({ entries: [{ ...entryOf(tracker_id), employee_id }] }),
      before: async (account) => ({ entries: [entryOf((await newTracker(account)).tracker_id)] }),
    },
  ],
  "/driver/journal/entry/download": [
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE, format: "xlsx", group_by: "date" }) },
    { parameters: ({ entry_id }) => ({ entry_ids: [entry_id], format: "xls" }) },
  ],
  "/driver/journal/entry/update": [{ parameters: ({ entry_id: id }) => ({ entry: { id, type: "personal" } }) }],
  "/driver/journal/entry/delete": [
    {
      parameters: ({ entry_id }) => ({ entry_ids: [entry_id] }),
      before: async (account) => {
        const { tracker_id } = await newTracker(account);
        return { entry_ids: [await newEntry(account, tracker_id)] };
      },
    },
  ],
  "/driver/journal/proposal/list": [{ parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE }) }],
  "/status/listing/list": [{ parameters: () => ({}) }],
  "/status/listing/create": [{ parameters: () => ({ listing: LISTING }) }],
  "/status/listing/update": [
    {
      parameters: ({ listing_id: id, status_id }) => ({ listing: { ...LISTING, id, entries: [status_id] } }),
    },
  ],
  "/status/listing/delete": [{ parameters: ({ listing_id }) => ({ listing_id }), before: newListing }],
  "/status/listing/tracker/assign": [
    { parameters: ({ tracker_id, listing_id }) => ({ tracker_id, listing_id }) },
    { parameters: ({ tracker_id }) => ({ tracker_id }), before: newTracker },
  ],
  "/status/list": [{ parameters: ({ listing_id }) => ({ listing_id }) }],
  "/status/create": [{ parameters: ({ listing_id }) => ({ listing_id, status: STATUS }) }],
  "/status/update": [{ parameters: ({ status_id: id }) => ({ status: { ...STATUS, id } }) }],
  "/status/delete": [{ parameters: ({ status_id }) => ({ status_id }), before: newListing }],
  "/status/tracker/assign": [
    {
      parameters: ({ tracker_id, status_id: new_status_id }) => ({ tracker_id, new_status_id }),
      before: async (account) => {
        const { listing_id, status_id: new_status_id } = await newListing(account);
        const { tracker_id } = await newTracker(account);
        await account.must("/status/listing/tracker/assign", { tracker_id, listing_id });
        return { tracker_id, new_status_id };
      },
    },
  ],
  "/status/tracker/read": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/status/tracker/list": [{ parameters: ({ tracker_id }) => ({ trackers: [tracker_id] }) }],
  "/history/read": [{ parameters: ({ event_id: id }) => ({ id }) }],
  "/history/mark_read": [
    {
      parameters: ({ event_id: id }) => ({ id }),
      before: async (account) => ({ id: await newEvent(account, (await newTracker(account)).tracker_id) }),
    },
  ],
  "/history/mark_read_all": [{ parameters: () => ({}) }],
  "/history/tracker/list": [{ parameters: ({ tracker_id }) => ({ trackers: [tracker_id], ...RANGE }) }],
  "/history/user/list": [{ parameters: () => ({ ...RANGE, only_unread: true, ascending: false }) }],
  "/history/asset/list": [
    { parameters: () => ({ ...RANGE }) },
    {
      parameters: ({ vehicle_id, employee_id }) => ({
        ...RANGE,
        assets: [
          { id: vehicle_id, type: "vehicle" },
          { id: employee_id, type: "employee" },
        ],
      }),
    },
  ],
  "/history/asset/count": [
    { parameters: () => ({ ...RANGE, asset_types: ["vehicle"] }) },
    { parameters: ({ vehicle_id: id }) => ({ ...RANGE, assets: [{ id, type: "vehicle" }] }) },
  ],
  "/history/type/list": [{ parameters: () => ({ locale: "en" }) }],
  "/history/unread/list": [{ parameters: () => ({ limit: 10 }) }],
  "/history/unread/count": [{ parameters: () => ({}) }],
  "/tracker/group/list": [{ parameters: () => ({}) }],
  "/tracker/group/create": [{ parameters: () => ({ title: "North", color: "27A9E3" }) }],
  "/tracker/group/update": [{ parameters: ({ group_id: id }) => ({ id, title: "South", color: "27A9E3" }) }],
  "/tracker/group/delete": [
    { parameters: ({ group_id: id }) => ({ id }), before: async (account) => ({ id: await newTrackerGroup(account) }) },
  ],
  "/tracker/group/assign": [{ parameters: ({ group_id: id, tracker_id }) => ({ id, trackers: [tracker_id] }) }],
  "/task/create": [
    { parameters: ({ tracker_id, tag_id }) => ({ task: { ...taskOf(tracker_id), tags: [tag_id] } }) },
    { parameters: () => ({ task: { ...taskOf(null), external_id: "A-17" } }) },
  ],
  "/task/update": [
    { parameters: ({ task_id: id, tag_id }) => ({ task: { ...taskOf(null), id, label: "Other", tags: [tag_id] } }) },
  ],
  "/task/assign": [
    {
      parameters: ({ task_id, tracker_id }) => ({ task_id, tracker_id }),
      before: (account) => newTask(account),
    },
    { parameters: ({ task_id }) => ({ task_id, tracker_id: null }), before: (account) => newTask(account) },
  ],
  "/task/delete": [{ parameters: ({ task_id }) => ({ task_id }), before: (account) => newTask(account) }],
  "/task/read": [
    { parameters: ({ task_id }) => ({ task_id }) },
    { parameters: ({ route_id: task_id }) => ({ task_id }) },
  ],
  "/task/count": [{ parameters: () => ({}) }],
  "/task/list": [
    { parameters: () => ({}) },
    {
      parameters: ({ tracker_id, tag_id, employee_id }) => ({
        ...FORTNIGHT,
        trackers: [tracker_id],
        tag_ids: [tag_id],
        conditions: [{ type: "eq", field: "employee", value: employee_id }],
        filter: "parcel",
        filters: ["parcel", "street"],
        location: { lat: 52.5, lng: 13.4, radius: 1000 },
        sort: ["employee=asc", "to=desc"],
        limit: 10,
      }),
    },
  ],
  "/task/transmute": [
    {
      parameters: ({ task_id, route_id }) => ({ task_id, route_id, order: 1 }),
      before: async (account) => ({ ...(await newTask(account)), route_id: (await newRoute(account)).route_id }),
    },
  ],
  "/task/route/create": [
    {
      parameters: ({ tracker_id, tag_id, task_id: id }) => ({
        route: { ...ROUTE, tracker_id, tags: [tag_id] },
        checkpoints: [
          { ...taskOf(null), tags: [tag_id] },
          { ...taskOf(null), id },
        ],
      }),
      before: async (account) => {
        const { task_id: id } = await newTask(account);
        return { checkpoints: [taskOf(null), { ...taskOf(null), id }] };
      },
    },
  ],
  "/task/route/update": [
    { parameters: ({ route_id: id, tag_id }) => ({ route: { ...ROUTE, id, tags: [tag_id] } }) },
    {
      parameters: ({ route_id: id, checkpoint_id, tag_id }) => ({
        route: { ...ROUTE, id, checkpoint_ids: [checkpoint_id] },
        checkpoints: [
          { ...taskOf(null), tags: [tag_id] },
          { ...taskOf(null), id: checkpoint_id },
        ],
      }),
    },
  ],
  "/task/route/assign": [
    {
      parameters: ({ route_id, tracker_id }) => ({ route_id, tracker_id }),
      before: async (account) => ({ route_id: (await newRoute(account)).route_id }),
    },
  ],
  "/task/route/delete": [
    {
      parameters: ({ route_id }) => ({ route_id }),
      before: async (account) => ({ route_id: (await newRoute(account)).route_id }),
    },
  ],
  "/task/route/read": [{ parameters: ({ route_id }) => ({ route_id }) }],
  "/task/route/list": [
    { parameters: () => ({}) },
    { parameters: ({ tracker_id }) => ({ ...FORTNIGHT, trackers: [tracker_id], filter: "loop" }) },
  ],
  "/task/checkpoint/create": [
    {
      parameters: ({ route_id: parent_id, tag_id }) => ({
        checkpoint: { ...taskOf(null), parent_id, order: 1, tags: [tag_id] },
      }),
      before: async (account) => {
        const { route_id: parent_id } = await newRoute(account);
        return { checkpoint: { ...taskOf(null), parent_id, order: 1 } };
      },
    },
  ],
  "/task/checkpoint/update": [
    {
      parameters: ({ checkpoint_id: id, tag_id }) => ({
        checkpoint: { ...taskOf(null), id, label: "Other", tags: [tag_id], order: 0 },
      }),
    },
  ],
  "/task/checkpoint/delete": [
    {
      parameters: ({ checkpoint_id }) => ({ checkpoint_id }),
      before: async (account) => ({ checkpoint_id: (await newRoute(account)).checkpoint_id }),
    },
  ],
  "/task/checkpoint/transmute": [
    {
      parameters: ({ checkpoint_id }) => ({ checkpoint_id }),
      before: async (account) => ({ checkpoint_id: (await newRoute(account)).checkpoint_id }),
    },
  ],
  "/task/checkpoint/read": [{ parameters: ({ checkpoint_id }) => ({ checkpoint_id }) }],
  "/task/checkpoint/list": [{ parameters: ({ checkpoint_id }) => ({ checkpoint_ids: [checkpoint_id] }) }],
  "/task/schedule/create": [
    { parameters: ({ tracker_id, tag_id }) => ({ schedule: { ...scheduleOf(tracker_id), tags: [tag_id] } }) },
    { parameters: () => ({ schedule: scheduleOf(null) }) },
  ],
  "/task/schedule/update": [
    {
      parameters: ({ schedule_id: id, tracker_id, tag_id }) => ({
        schedule: { ...scheduleOf(tracker_id), id, label: "Other", tags: [tag_id] },
      }),
    },
  ],
  "/task/schedule/delete": [
    { parameters: ({ schedule_id }) => ({ schedule_id }), before: (account) => newSchedule(account) },
  ],
  "/task/schedule/read": [{ parameters: ({ schedule_id: id }) => ({ id }) }],
  "/task/schedule/list": [
    { parameters: () => ({}) },
    { parameters: ({ tracker_id, tag_id }) => ({ trackers: [tracker_id], tag_ids: [tag_id], filter: "parcel" }) },
  ],
  "/task/history/list": [{ parameters: ({ task_id }) => ({ task_id }) }],
  "/tag/list": [{ parameters: () => ({}) }, { parameters: () => ({ filter: "cold" }) }],
  "/tag/create": [{ parameters: () => ({ tag: TAG }) }],
  "/tag/update": [{ parameters: ({ tag_id: id }) => ({ tag: { ...TAG, id } }) }],
  "/tag/delete": [
    { parameters: ({ tag_id }) => ({ tag_id }), before: async (account) => ({ tag_id: await newTag(account) }) },
    {
      parameters: ({ tag_id }) => ({ tag_ids: [tag_id] }),
      before: async (account) => ({ tag_ids: [await newTag(account), await newTag(account)] }),
    },
  ],
  "/tag/search": [
    { parameters: ({ tag_id }) => ({ tag_ids: [tag_id] }) },
    { parameters: ({ tag_id }) => ({ tag_ids: [tag_id], entity_types: ["tracker", "zone"] }) },
  ],
  "/tracker/sensor/list": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/sensor/batch_list": [{ parameters: ({ tracker_id }) => ({ trackers: [tracker_id] }) }],
  "/tracker/sensor/create": [
    { parameters: ({ tracker_id }) => ({ tracker_id, sensor: CARGO }), before: newTracker },
    {
      parameters: ({ tracker_id, sensor_id }) => ({
        tracker_id,
        sensor: { ...CARGO, input_name: "composite", group_type: "avg", parameters: { parent_ids: [sensor_id] } },
      }),
    },
  ],
  "/tracker/sensor/update": [
    {
      parameters: ({ tracker_id, sensor_id }) => ({ tracker_id, sensor: { ...CARGO, id: sensor_id, divider: 10 } }),
    },
    {
      parameters: ({ tracker_id, sensor_id }) => ({
        tracker_id,
        sensor: {
          ...CARGO,
          id: 1,
          input_name: "composite",
          group_type: "avg",
          parameters: { parent_ids: [sensor_id] },
        },
      }),
      before: newComposite,
    },
  ],
  "/tracker/sensor/delete": [
    { parameters: ({ tracker_id, sensor_id }) => ({ tracker_id, sensor_id }), before: newSensor },
  ],
  "/tracker/sensor/batch_copy": [
    {
      parameters: ({ tracker_id }) => ({ base_tracker_id: tracker_id, trackers: [tracker_id] }),
      before: async (account) => ({ trackers: [(await newTracker(account)).tracker_id] }),
    },
  ],
  "/tracker/sensor/calibration_data/read": [{ parameters: ({ tracker_id, sensor_id }) => ({ tracker_id, sensor_id }) }],
  "/tracker/sensor/calibration_data/update": [
    { parameters: ({ tracker_id, sensor_id }) => ({ tracker_id, sensor_id, data: [{ in: 0, out: 1 }] }) },
  ],
  "/tracker/sensor/input_name/list": [{ parameters: () => ({}) }],
  "/tracker/sensor/data/read": [
    { parameters: ({ tracker_id, sensor_id }) => ({ tracker_id, sensor_id, ...RANGE }) },
    { parameters: ({ tracker_id, sensor_id }) => ({ tracker_id, sensor_id, ...RANGE, raw_data: true }) },
  ],
  "/tracker/counter/read": [{ parameters: ({ tracker_id }) => ({ tracker_id, type: "odometer" }) }],
  "/tracker/counter/update": [
    { parameters: ({ tracker_id }) => ({ tracker_id, type: "engine_hours", multiplier: 1.5 }) },
    { parameters: ({ tracker_id, sensor_id }) => ({ tracker_id, type: "odometer", multiplier: 1, sensor_id }) },
  ],
  "/tracker/get_counters": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/counter/value/get": [{ parameters: ({ tracker_id }) => ({ tracker_id, type: "odometer" }) }],
  "/tracker/counter/value/list": [{ parameters: ({ tracker_id }) => ({ trackers: [tracker_id], type: "odometer" }) }],
  "/tracker/counter/value/set": [
    { parameters: ({ tracker_id }) => ({ tracker_id, type: "fuel_consumed", value: 12.5 }) },
  ],
  "/tracker/counter/data/read": [
    { parameters: ({ tracker_id }) => ({ tracker_id, type: "odometer", ...RANGE }) },
    { parameters: ({ tracker_id }) => ({ tracker_id, type: "engine_hours", ...RANGE }) },
  ],
  "/tracker/readings/list": [
    { parameters: ({ tracker_id }) => ({ tracker_id }) },
    { parameters: ({ tracker_id }) => ({ tracker_id, sensor_type: "temperature" }) },
  ],
  "/tracker/readings/batch_list": [{ parameters: ({ tracker_id }) => ({ trackers: [tracker_id] }) }],
  "/tracker/get_readings": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/get_fuel": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/get_diagnostics": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/get_inputs": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/batch_get_inputs": [{ parameters: ({ tracker_id }) => ({ trackers: [tracker_id] }) }],
  "/tracker/get_outputs": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/batch_get_outputs": [{ parameters: ({ tracker_id }) => ({ trackers: [tracker_id] }) }],
  "/tracker/output/update": [
    { parameters: ({ tracker_id }) => ({ tracker_id, tracker_output: { number: 1, title: "Siren" } }) },
  ],
  "/vehicle/create": [
    { parameters: () => ({ vehicle: { label: "Van" } }) },
    {
      parameters: ({ tracker_id, garage_id, tag_id }) => ({
        vehicle: { label: "Van", tracker_id, garage_id, tags: [tag_id] },
      }),
    },
  ],
  "/vehicle/update": [
    {
      parameters: ({ vehicle_id: id, tracker_id, garage_id, tag_id }) => ({
        vehicle: { id, label: "Van", tracker_id, garage_id, tags: [tag_id] },
      }),
    },
  ],
  "/vehicle/read": [{ parameters: ({ vehicle_id }) => ({ vehicle_id }) }],
  "/vehicle/list": [
    { parameters: () => ({}) },
    { parameters: () => ({ filter: "van", sort: ["tracker_label=desc"], limit: 1, offset: 1 }) },
  ],
  "/vehicle/delete": [
    { parameters: ({ vehicle_id }) => ({ vehicle_id }), before: newVehicle },
    { parameters: ({ vehicle_id }) => ({ vehicle_ids: [vehicle_id] }), before: newVehicles },
  ],
  "/data/spreadsheet/parse": [{ parameters: () => ({ file: new File(["Name;Phone\nAnn;49301"], "staff.csv") }) }],
  "/data/import/list": [{ parameters: () => ({}) }],
  "/data/import/read": [
    { parameters: ({ process_id }) => ({ process_id, type: "employee" }) },
    { parameters: ({ vehicle_process_id }) => ({ process_id: vehicle_process_id, type: "vehicle" }) },
  ],
  "/employee/import/start": [
    { parameters: ({ file_id }) => ({ filename: file_id, headers: FAILING.employee }), before: endImports },
  ],
  "/employee/import/read": [{ parameters: ({ process_id }) => ({ process_id }) }],
  "/employee/import/list": [{ parameters: () => ({}) }],
  "/employee/import/download_failed": [{ parameters: ({ process_id }) => ({ process_id }) }],
  "/employee/import/finish": [
    {
      parameters: ({ process_id }) => ({ process_id }),
      before: (account, accounts) => newImport("employee", account, accounts),
    },
  ],
  "/vehicle/import/start": [
    { parameters: ({ file_id }) => ({ filename: file_id, headers: FAILING.vehicle }), before: endImports },
  ],
  "/vehicle/import/read": [{ parameters: ({ vehicle_process_id }) => ({ process_id: vehicle_process_id }) }],
  "/vehicle/import/list": [{ parameters: () => ({}) }],
  "/vehicle/import/download_failed": [{ parameters: ({ vehicle_process_id }) => ({ process_id: vehicle_process_id }) }],
  "/vehicle/import/finish": [
    {
      parameters: ({ vehicle_process_id }) => ({ process_id: vehicle_process_id }),
      before: (account, accounts) => newImport("vehicle", account, accounts),
    },
  ],
  "/vehicle/batch_convert": [
    {
      parameters: ({ tracker_label }) => ({
        batch: `Van\t${tracker_label}\tNorth`,
        fields: ["label", "tracker_label", "garage"],
      }),
    },
    { parameters: ({ file_id }) => ({ file_id, fields: ["label"] }) },
  ],
  "/vehicle/service_task/create": [
    { parameters: ({ vehicle_id }) => ({ task: { ...WORK, vehicle_id } }) },
    { parameters: ({ vehicle_id }) => ({ task: { ...WORK, vehicle_id, conditions: DATED } }) },
    {
      parameters: ({ vehicle_id, service_file_id }) => ({
        task: { ...WORK, vehicle_id, file_ids: [service_file_id] },
      }),
    },
  ],
  "/vehicle/service_task/batch/create": [
    {
      parameters: ({ vehicle_id, service_file_id }) => ({
        vehicle_ids: [vehicle_id],
        task: { ...WORK, file_ids: [service_file_id] },
      }),
    },
  ],
  "/vehicle/service_task/batch_create": [
    {
      parameters: ({ vehicle_id, service_file_id }) => ({
        vehicle_ids: [vehicle_id],
        task: { ...WORK, file_ids: [service_file_id] },
      }),
    },
  ],
  "/vehicle/service_task/read": [
    { parameters: ({ service_task_id }) => ({ task_id: service_task_id }) },
    { parameters: () => ({}), before: (account) => newServiceTask(account) },
  ],
  "/vehicle/service_task/download": [
    { parameters: ({ vehicle_id }) => ({ vehicle_ids: [vehicle_id], format: "xls", group_by: "vehicle" }) },
  ],
  "/vehicle/service_task/list": [
    { parameters: ({ vehicle_id }) => ({ vehicle_ids: [vehicle_id] }) },
    {
      parameters: () => ({
        conditions: [{ type: "contains", field: "vehicle", value: "va" }],
        sort: ["predicted_date=desc"],
        filter: "oil",
        limit: 10,
      }),
    },
  ],
  "/vehicle/service_task/update": [
    {
      parameters: ({ service_task_id: id, vehicle_id, service_file_id }) => ({
        task: { ...WORK, id, vehicle_id, conditions: DATED, file_ids: [service_file_id] },
      }),
    },
    {
      parameters: () => ({}),
      before: async (account) => ({ task: { ...WORK, id: (await newServiceTask(account)).task_id } }),
    },
  ],
  "/vehicle/service_task/set_status": [
    {
      parameters: ({ service_task_id }) => ({ task_id: service_task_id, status: "done" }),
      before: (account) => newServiceTask(account),
    },
    {
      parameters: () => ({ status: "done" }),
      before: (account) => newServiceTask(account, { repeat: true }),
    },
  ],
  "/vehicle/service_task/delete": [
    {
      parameters: ({ service_task_id }) => ({ task_id: service_task_id }),
      before: (account) => newServiceTask(account),
    },
    {
      parameters: ({ service_task_id }) => ({ task_ids: [service_task_id] }),
      before: async (account) => ({ task_ids: [(await newServiceTask(account)).task_id] }),
    },
  ],
  "/vehicle/service_task/file/create": [{ parameters: () => ({ size: 1000, filename: "bill.pdf" }) }],
  "/file/stats/read": [{ parameters: () => ({}) }],
  "/garage/list": [{ parameters: () => ({}) }],
  "/garage/create": [{ parameters: () => ({ garage: GARAGE }) }],
  "/garage/update": [{ parameters: ({ garage_id }) => ({ garage: { ...GARAGE, id: garage_id } }) }],
  "/garage/delete": [{ parameters: ({ garage_id }) => ({ garage_id }), before: newGarage }],
  "/department/list": [{ parameters: () => ({}) }],
  "/department/create": [{ parameters: () => ({ department: { label: "Sales" } }) }],
  "/department/update": [{ parameters: ({ department_id: id }) => ({ department: { id, label: "Sales" } }) }],
  "/department/delete": [{ parameters: ({ department_id }) => ({ department_id }), before: newDepartment }],
  "/employee/list": [
    { parameters: () => ({}) },
    { parameters: () => ({ filter: "ann", sort: ["object_label=desc", "department_label=asc"], limit: 1 }) },
  ],
  "/employee/create": [
    { parameters: ({ department_id, tag_id }) => ({ employee: { first_name: "Ann", department_id, tags: [tag_id] } }) },
    {
      parameters: ({ tracker_id }) => ({ employee: { first_name: "Ann", tracker_id } }),
      before: async (account) => ({ employee: { first_name: "Ann", ...(await newTracker(account)) } }),
    },
  ],
  "/employee/read": [{ parameters: ({ employee_id }) => ({ employee_id }) }],
  "/employee/update": [
    {
      parameters: ({ employee_id: id, tracker_id, department_id, tag_id }) => ({
        employee: { id, first_name: "Ann", tracker_id, department_id, tags: [tag_id] },
      }),
    },
  ],
  "/employee/delete": [{ parameters: ({ employee_id }) => ({ employee_id }), before: newEmployee }],
  "/employee/batch_convert": [
    {
      parameters: ({ tracker_label }) => ({ batch: `Ann\t${tracker_label}`, fields: ["first_name", "tracker_label"] }),
    },
    { parameters: ({ file_id }) => ({ file_id, fields: ["first_name"] }) },
  ],
  "/track/list": [
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE }) },
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE, include_gsm_lbs: false }) },
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE, with_points: true, split: false }) },
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE, with_points: true, include_gsm_lbs: false }) },
  ],
  "/track/read": [
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE }) },
    { parameters: ({ tracker_id, track_id }) => ({ tracker_id, track_id, ...RANGE }) },
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE, simplify: false, filter: false }) },
  ],
  "/track/download": [
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE }) },
    { parameters: ({ tracker_id, track_id }) => ({ tracker_id, track_ids: [track_id], ...RANGE, format: "kmz" }) },
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE, split: true, simplify: false }) },
  ],
  "/tracker/stats/mileage/read": [{ parameters: ({ tracker_id }) => ({ trackers: [tracker_id], ...RANGE }) }],
  "/tracker/stats/engine_hours/read": [{ parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE }) }],
  "/retranslator/list": [{ parameters: () => ({}) }],
  "/retranslator/create": [
    {
      parameters: () => ({ retranslator: RETRANSLATOR }),
      before: async () => ({ retranslator: { ...RETRANSLATOR, login: String(randomInt(1e12)) } }),
    },
  ],
  "/retranslator/update": [
    {
      parameters: ({ retranslator_id }) => ({
        retranslator: { ...RETRANSLATOR, id: retranslator_id, password: "pass" },
      }),
    },
  ],
  "/retranslator/delete": [
    { parameters: ({ retranslator_id }) => ({ retranslator_id }), before: (account) => newRetranslator(account) },
  ],
  "/retranslator/status/list": [
    { parameters: () => ({}) },
    { parameters: ({ retranslator_id }) => ({ retranslator_ids: [retranslator_id] }) },
  ],
  "/retranslator/protocol/list": [{ parameters: () => ({}) }],
  "/retranslator/protocols/list": [{ parameters: () => ({}) }],
  "/tracker/retranslator/bind": [
    { parameters: ({ tracker_id, retranslator_id }) => ({ tracker_id, retranslator_id }) },
    {
      parameters: ({ tracker_id, retranslator_id }) => ({ tracker_id, retranslator_id, fake_device_id: "Van7" }),
    },
  ],
  "/tracker/retranslator/unbind": [
    { parameters: ({ tracker_id, retranslator_id }) => ({ tracker_id, retranslator_id }), before: newBinding },
  ],
  "/tracker/retranslator/list": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/get_state": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/get_states": [
    { parameters: ({ tracker_id }) => ({ trackers: [tracker_id] }) },
    { parameters: ({ tracker_id }) => ({ trackers: [tracker_id], list_blocked: true, allow_not_exist: true }) },
  ],
  "/tracker/get_last_gps_point": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/settings/trip_detection/read": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/settings/trip_detection/update": [
    { parameters: ({ tracker_id }) => ({ tracker_id, min_idle_duration_minutes: 5 }) },
  ],
  "/place/create": [
    { parameters: ({ tag_id }) => ({ place: { ...PLACE, tags: [tag_id] } }) },
    {
      parameters: ({ tag_id, field_id, employee_id }) => ({
        place: { ...PLACE, tags: [tag_id], fields: { [field_id]: { type: "employee", value: employee_id } } },
      }),
    },
  ],
  "/place/read": [{ parameters: ({ place_id }) => ({ place_id }) }],
  "/place/list": [
    { parameters: () => ({}) },
    {
      parameters: ({ place_id, tag_id, field_id }) => ({
        place_ids: [place_id],
        tag_ids: [tag_id],
        filter: "shop",
        conditions: [{ type: "not", condition: { type: "eq", field: String(field_id), value: 1 } }],
        order_by: String(field_id),
        limit: 10,
      }),
    },
  ],
  "/place/update": [
    {
      parameters: ({ place_id: id, tag_id, field_id, employee_id }) => ({
        place: { ...PLACE, id, tags: [tag_id], fields: { [field_id]: { type: "employee", value: employee_id } } },
      }),
    },
  ],
  "/place/delete": [{ parameters: ({ place_id }) => ({ place_id }), before: newPlace }],
  "/place/search_location": [{ parameters: () => ({ location: { lat: 40, lng: 8 } }) }],
  "/entity/list": [{ parameters: () => ({}) }],
  "/entity/read": [{ parameters: ({ entity_id: id }) => ({ id }) }, { parameters: () => ({ type: "place" }) }],
  "/entity/update": [
    {
      parameters: ({ entity_id: id, field_id }) => ({
        entity: {
          id,
          settings: {
            layout: {
              sections: [
                { label: "Main", field_order: ["label", "location", "tags", "description", String(field_id)] },
              ],
            },
          },
        },
      }),
    },
  ],
  "/entity/fields/read": [{ parameters: ({ entity_id }) => ({ entity_id }) }],
  "/entity/fields/update": [
    { parameters: ({ entity_id, field_id: id }) => ({ entity_id, fields: [{ ...VISITOR, id }] }) },
  ],
  "/zone/create": [
    { parameters: ({ tag_id }) => ({ zone: { ...CIRCLE, tags: [tag_id] } }) },
    { parameters: () => ({ zone: { type: "sausage", label: "Road", radius: 50 }, points: CORNERS }) },
  ],
  "/zone/read": [{ parameters: ({ zone_id }) => ({ zone_id, with_points: true }) }],
  "/zone/list": [
    { parameters: () => ({}) },
    { parameters: ({ tag_id }) => ({ filter: "yard", tag_ids: [tag_id], with_points: true, limit: 1 }) },
  ],
  "/zone/update": [
    { parameters: ({ zone_id: id, tag_id }) => ({ zone: { ...YARD, id, tags: [tag_id], points: CORNERS } }) },
  ],
  "/zone/delete": [
    { parameters: ({ zone_id }) => ({ zone_id }), before: newZone },
    {
      parameters: ({ zone_id }) => ({ zone_ids: [zone_id] }),
      before: async (account) => ({ zone_ids: [(await newZone(account)).zone_id, (await newZone(account)).zone_id] }),
    },
  ],
  "/zone/search_location": [{ parameters: () => ({ location: { lat: 40, lng: 8 } }) }],
  "/zone/point/list": [{ parameters: ({ zone_id }) => ({ zone_id, count: 3 }) }],
  "/zone/point/update": [{ parameters: ({ zone_id }) => ({ zone_id, points: CORNERS }) }],
  "/zone/upload": [{ parameters: () => ({ file: new File([KML], "zones.kml"), dry_run: false }) }],
  "/zone/download": [
    { parameters: () => ({}) },
    { parameters: ({ zone_id }) => ({ zone_ids: [zone_id], format: "kmz" }) },
  ],
  "/tracker/ingest_key/update": [{ parameters: ({ tracker_id }) => ({ tracker_id, key: null }) }],
};

async function newSession({ login, password }: Account, { must }: Accounts) {
  const { hash } = await must("/user/auth", { login, password });
  return { hash };
}

async function newPending(accounts: Accounts) {
  const { hash } = await newPendingLogin(accounts);
  return { hash };
}

async function newCode(_: Account, accounts: Accounts) {
  const { account, hash } = await newPendingLogin(accounts);
  return { hash, code: await mailedCode(account.login, accounts) };
}

/** Of an account of its own: a session, and what turns its authenticator's codes on. */
async function newAuthenticator(_: Account, { newAccount }: Accounts) {
  const { hash, must } = await newAccount();
  const { secret } = await must("/user/settings/second_factor/totp/create");
  return { hash, code: new TOTP({ secret }).generate() };
}

async function newTimedUser(_: Account, { newAccount }: Accounts) {
  const { login, password, must } = await newAccount();
  const { secret } = await must("/user/settings/second_factor/totp/create");
  await must("/user/settings/update", { second_factor: "totp", code: new TOTP({ secret }).generate() });
  return { login, password, secret: String(secret) };
}

async function newTimedLogin(account: Account, accounts: Accounts) {
  const { secret, ...login } = await newTimedUser(account, accounts);
  const { hash } = await accounts.must("/user/auth", login);
  // That of the half minute before is used.
  return { hash, code: new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 }) };
}

async function newActivationLink(_: Account, accounts: Accounts) {
  const { login } = await newInactiveUser(accounts);
  return { hash: await linkedHash(login, accounts) };
}

async function newLogin(_: Account, { newAccount }: Accounts) {
  const { login } = await newAccount();
  return { login };
}

async function newRestoreLink(_: Account, accounts: Accounts) {
  const { login } = await accounts.newAccount();
  await accounts.must("/user/restore_password", { login });
  return { hash: await linkedHash(login, accounts), password: "another-one" };
}

async function newOldPassword(_: Account, { newAccount }: Accounts) {
  const { hash, password } = await newAccount();
  return { hash, old_password: password, new_password: "another-one" };
}

async function newUiSetting(account: Account) {
  await account.must("/user/settings/ui/update", { key: "zoom", value: "12" });
  return {};
}

async function newBundle(_: Account, { must, operatorHash }: Accounts) {
  const imei = newImei();
  await must("/panel/tracker/bundle/import", { hash: await operatorHash(), imeis: [imei], equip_id: 1 });
  return { imei };
}

async function newActivationCode({ plan_id }: Account, { must, operatorHash }: Accounts) {
  const hash = await operatorHash();
  await must("/panel/dealer/activation_code/create", { hash, count: 1, tariff_id: plan_id });
  const { list } = await must("/panel/dealer/activation_code/list", { hash, used: false });
  return { activation_code: String(list.at(-1).code) };
}

/** A device whose plan was not changed yet, and another plan. */
async function newChoice(account: Account, { must, operatorHash }: Accounts) {
  const tariff = { name: `Plan ${randomInt(1e12)}`, features: FEATURES };
  const { id: tariff_id } = await must("/panel/tariff/create", { hash: await operatorHash(), tariff });
  return { ...(await newTracker(account)), tariff_id: Number(tariff_id) };
}

const MENU = { application: "web", account_menu: [{ name: "info" }], main_menu: [], footer_menu: [] };

function newDealer(name = `${Date.now()}-${randomInt(1e12)}`) {
  return { title: "Rent", email: `${name}@example.com`, password: "secret123" };
}

async function newSubDealer(_: Account, { must, operatorHash }: Accounts) {
  const { id } = await must("/panel/subpaas/create", { hash: await operatorHash(), ...newDealer() });
  return { dealer_id: Number(id) };
}

async function newDeliverySession(account: Account) {
  await account.must("/user/session/delivery/create");
  return {};
}

async function newOperatorSession(_: Account, { must }: Accounts) {
  const { hash } = await must("/panel/account/auth", OPERATOR);
  return { hash };
}

/** Of somebody whose sessions may end. */
async function newUserId(_: Account, { newAccount }: Accounts) {
  const { id } = await newAccount();
  return { user_id: id };
}

async function newKey(account: Account) {
  const { value } = await account.must("/api/key/create", { title: "For an end" });
  return { key: value.hash };
}

const GROUP = { label: "Dispatchers", privileges: { rights: ["vehicle_update"], store_period: "30d" } };

function newSubUserOf(name: string) {
  return { login: `${name}@example.com`, legal_type: "individual", first_name: "Bo" };
}

async function newSubUser(account: Account, more: object = {}) {
  const user = { ...newSubUserOf(`${Date.now()}-${randomInt(1e12)}`), ...more };
  const { id } = await account.must("/subuser/register", { user, password: "secret123" });
  return { subuser_id: Number(id) };
}

async function newGroup(account: Account) {
  const { id } = await account.must("/subuser/security_group/create", { group: GROUP });
  return { security_group_id: Number(id) };
}

const WORK = { description: "Oil change", conditions: { mileage: { limit: 1000, notification_interval: 100 } } };
const DATED = { date: { end: daysAgo(-100), notification_interval: 14 } };

/** Of the vehicle that has a tracker. */
async function newServiceTask(account: Account, more: object = {}) {
  const { list } = await account.must("/vehicle/list");
  const { id: vehicle_id } = list.find(({ tracker_id }: Reply) => tracker_id !== null);
  const { id } = await account.must("/vehicle/service_task/create", { task: { ...WORK, vehicle_id, ...more } });
  return { task_id: Number(id) };
}

async function newVehicle(account: Account) {
  const { id } = await account.must("/vehicle/create", { vehicle: { label: "For an end" } });
  return { vehicle_id: id };
}

async function newVehicles(account: Account) {
  const made = await Promise.all([newVehicle(account), newVehicle(account)]);
  return { vehicle_ids: made.map(({ vehicle_id }) => vehicle_id) };
}

function entryOf(tracker_id: number) {
  const [start_location, end_location] = [
    { lat: 40, lng: 8, address: "Depot" },
    { lat: 41, lng: 8, address: "Shop" },
  ];
  const dates = { start_date: daysAgo(3), end_date: daysAgo(2.9) };
  return { tracker_id, ...dates, type: "work", start_location, end_location, length: 120.5 };
}

async function newEntry(account: Account, tracker_id: number) {
  await account.must("/driver/journal/entry/create", { entries: [entryOf(tracker_id)] });
  const { list } = await account.must("/driver/journal/entry/list", { tracker_id, ...RANGE });
  return Number(list[0].id);
}

const LISTING = { label: "Drivers", employee_controlled: true, supervisor_controlled: true };
const STATUS = { label: "Busy", color: "E57373" };

async function newListing(account: Account) {
  const { id: listing_id } = await account.must("/status/listing/create", { listing: LISTING });
  const { id: status_id } = await account.must("/status/create", { listing_id, status: STATUS });
  return { listing_id: Number(listing_id), status_id: Number(status_id) };
}

const TAG = { name: "Cold chain", color: "27A9E3" };

async function newTag(account: Account) {
  const { id } = await account.must("/tag/create", { tag: TAG });
  return Number(id);
}

/** A new name is an event; it gets the old one back. */
async function newEvent(account: Account, tracker_id: number) {
  const { settings } = await account.must("/tracker/settings/read", { tracker_id });
  await account.must("/tracker/settings/update", { tracker_id, ...settings, label: "Renamed" });
  await account.must("/tracker/settings/update", { tracker_id, ...settings });
  const { list } = await account.must("/history/tracker/list", { trackers: [tracker_id], ...RANGE });
  return Number(list.at(-1).id);
}

async function newTrackerGroup(account: Account) {
  const { id } = await account.must("/tracker/group/create", { title: "North", color: "27A9E3" });
  return Number(id);
}

const FORTNIGHT = { from: daysAgo(7), to: daysAgo(-7) };
const STREET = { lat: 52.5, lng: 13.4, address: "Long Street 1", radius: 100 };

function taskOf(tracker_id: number | null) {
  const period = { from: daysAgo(0), to: daysAgo(-1) };
  return { tracker_id, location: STREET, label: "Parcel", description: "At the back door", ...period };
}

function scheduleOf(tracker_id: number | null) {
  const parameters = { type: "weekdays", weekdays: [1, 5] };
  const time = { from_time: "08:30:00", duration: 60, parameters };
  return { tracker_id, location: STREET, label: "Parcels", description: "At the back door", ...time };
}

async function newSchedule(account: Account, more: object = {}) {
  const { id } = await account.must("/task/schedule/create", { schedule: { ...scheduleOf(null), ...more } });
  return { schedule_id: Number(id) };
}

const ROUTE = { label: "North loop", description: "" };

async function newRoute(account: Account, more: object = {}) {
  const given = { route: { ...ROUTE, ...more }, checkpoints: [taskOf(null), taskOf(null)] };
  const { result } = await account.must("/task/route/create", given);
  return { route_id: Number(result.id), checkpoint_id: Number(result.checkpoint_ids[0]) };
}

async function newTask(account: Account, more: object = {}) {
  const { id } = await account.must("/task/create", { task: { ...taskOf(null), ...more } });
  return { task_id: Number(id) };
}

const GARAGE = { organization_name: "North", mechanic_name: "R. Diaz", dispatcher_name: "" };

async function newGarage(account: Account) {
  const { id } = await account.must("/garage/create", { garage: GARAGE });
  return { garage_id: Number(id) };
}

async function newDepartment(account: Account) {
  const { id } = await account.must("/department/create", { department: { label: "Sales" } });
  return { department_id: Number(id) };
}

async function newEmployee(account: Account, more: object = {}) {
  const { id } = await account.must("/employee/create", { employee: { first_name: "Ann", ...more } });
  return { employee_id: Number(id) };
}

/** The employee is on the tracker. */
async function newStaff(account: Account, tracker_id: number) {
  const department = await newDepartment(account);
  return {
    ...(await newGarage(account)),
    ...department,
    ...(await newEmployee(account, { tracker_id, ...department })),
  };
}

const CIRCLE = { type: "circle", label: "Depot", center: { lat: 40, lng: 8 }, radius: 200 };
const CORNERS = [
  { lat: 40, lng: 8, node: true },
  { lat: 40, lng: 9 },
  { lat: 41, lng: 9 },
  { lat: 41, lng: 8 },
];
const KML = `<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>Gate</name>
  <Point><coordinates>8,40</coordinates></Point></Placemark></kml>`;
const YARD = { type: "polygon", label: "Yard" };

async function newZone(account: Account) {
  const { id } = await account.must("/zone/create", { zone: YARD, points: CORNERS });
  return { zone_id: Number(id) };
}

const PLACE = { label: "Shop", location: { lat: 40, lng: 8, address: "Main St 1", radius: 200 } };

async function newPlace(account: Account) {
  const { id } = await account.must("/place/create", { place: PLACE });
  return { place_id: Number(id) };
}

const VISITOR = { label: "Visitor", type: "employee", params: { responsible: true } };

async function newField(account: Account) {
  const { list: entities } = await account.must("/entity/list");
  const entity_id = Number(entities[0].id);
  const { list } = await account.must("/entity/fields/update", { entity_id, fields: [VISITOR] });
  return { entity_id, field_id: Number(list[0].id) };
}

/** It is off: nothing ever leaves for it. */
const RETRANSLATOR = { name: "Partner", protocol_id: 1, address: "gps.example.com", port: 5039, enabled: false };

async function newRetranslator(account: Account) {
  const given = { ...RETRANSLATOR, login: String(randomInt(1e12)) };
  const { id } = await account.must("/retranslator/create", { retranslator: given });
  return { retranslator_id: Number(id) };
}

async function newBinding(account: Account) {
  const binding = { ...(await newTracker(account)), ...(await newRetranslator(account)) };
  await account.must("/tracker/retranslator/bind", binding);
  return binding;
}

async function newTracker(account: Account) {
  const { id } = await account.newTracker();
  return { tracker_id: id };
}

const CARGO = { type: "metering", sensor_type: "temperature", name: "Cargo", input_name: "ext_temp_sensor_1" };

async function newSensor(account: Account) {
  const { tracker_id } = await newTracker(account);
  const { id } = await account.must("/tracker/sensor/create", { tracker_id, sensor: CARGO });
  return { tracker_id, sensor_id: Number(id) };
}

async function newComposite(account: Account) {
  const { tracker_id, sensor_id } = await newSensor(account);
  const sensor = { ...CARGO, input_name: "composite", group_type: "avg", parameters: { parent_ids: [sensor_id] } };
  const { id } = await account.must("/tracker/sensor/create", { tracker_id, sensor });
  return { tracker_id, sensor: { ...sensor, id } };
}

/** In an account of its own. */
async function newClone(account: Account, { newAccount, must, operatorHash }: Accounts) {
  const original = await account.newTracker();
  const viewer = await newAccount();
  const given = { tracker_id: original.id, user_id: viewer.id, label: "Clone" };
  const { id } = await must("/panel/tracker/clone", { hash: await operatorHash(), ...given });
  return { hash: viewer.hash, tracker_id: Number(id) };
}

async function newUserToRemove(_: Account, { newAccount }: Accounts) {
  const account = await newAccount();
  await account.newTracker();
  return { user_id: account.id, login: account.login };
}

function newUser(user: { activated: boolean }, default_tariff_id: number) {
  const login = `${Date.now()}-${randomInt(1e12)}@example.com`;
  const settings = { password: "secret123", time_zone: ZONE, locale: "en_US", default_tariff_id };
  return { user: { login, legal_type: "individual", ...user }, ...settings };
}
