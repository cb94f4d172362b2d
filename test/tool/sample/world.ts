import { randomBytes, randomInt } from "node:crypto";
import { type Account, type Accounts, UNKNOWN_ID } from "../call/account.ts";
import { newFile } from "../call/uploads.ts";
import { pointsOfADrive } from "./drive.ts";
import { newFieldWork } from "./field.ts";
import { newSheet } from "./files.ts";
import { newEntry } from "./fleet/driver-journal.ts";
import { newRetranslator } from "./fleet/forwarding.ts";
import { newEvent } from "./fleet/history.ts";
import { newImport } from "./fleet/import.ts";
import { newDepartment, newEmployee } from "./fleet/people.ts";
import { DATED, newServiceTask } from "./fleet/service-task.ts";
import { newTag } from "./fleet/tag.ts";
import { CARGO } from "./fleet/telemetry.ts";
import { newTrackerGroup } from "./fleet/tracker.ts";
import { newGarage } from "./fleet/vehicle.ts";
import { newListing } from "./fleet/work-status.ts";
import { GROUP, newSubUser } from "./gateway/sub-user.ts";
import { SILENT_WEBHOOK } from "./gateway/webhook.ts";
import { newField, newPlace } from "./geo/place.ts";
import { newRule } from "./geo/rule.ts";
import { newZone } from "./geo/zone.ts";
import { RANGE, ZONE } from "./range.ts";
import { newReports } from "./reports.ts";
import type { World } from "./sample.ts";
import { newRound, newRoute, newSchedule } from "./tasks.ts";

/** Makes a drive of some hours, and a thing of every kind that an account can have. The vehicle has the tracker. */
export async function newWorld(accounts: Accounts, drive = pointsOfADrive(100)) {
  const { newAccount, feed } = accounts;
  const account = await newAccount({ plan: {}, time_zone: ZONE });
  const tracker_label = `Van ${randomInt(1e12)}`;
  const { id: tracker_id, source } = await account.newTracker({ label: tracker_label });
  const staff = await newStaff(account, tracker_id);
  const { id: vehicle_id } = await account.must("/vehicle/create", { vehicle: { label: "Van", tracker_id } });
  const own = await newOwnThings(account);
  for (let start = 0; start < drive.length; start += 1000) {
    await feed(source.device_id, drive.slice(start, start + 1000));
  }
  const { list } = await account.must("/track/list", { tracker_id, ...RANGE });
  const { id: security_group_id } = await account.must("/subuser/security_group/create", { group: GROUP });
  const { subuser_id } = await newSubUser(account, { security_group_id });
  const [tag_id, group_id] = [await newTag(account), await newTrackerGroup(account)];
  const { task_id: service_task_id } = await newServiceTask(account, { conditions: DATED });
  await account.must("/vehicle/service_task/set_status", { task_id: service_task_id, status: "done" });
  const service_file_id = await newFile(account);
  const event_id = await newEvent(account, tracker_id);
  const work = await newFieldWork(account, { tracker_id, tags: [tag_id] });
  const { schedule_id } = await newSchedule(account, { tracker_id, tags: [tag_id] });
  const entry_id = await newEntry(account, tracker_id, { employee_id: staff.employee_id });
  const retranslator = await newRetranslator(account);
  const listing = await newListing(account);
  await account.must("/status/listing/tracker/assign", { tracker_id, listing_id: listing.listing_id });
  const { id: sensor_id } = await account.must("/tracker/sensor/create", { tracker_id, sensor: CARGO });
  const [{ zone_id }, { place_id }] = [await newZone(account), await newPlace(account)];
  const field = await newField(account);
  const made = {
    ...retranslator,
    zone_id,
    ...(await newRule(account)),
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
    ...work,
    schedule_id,
    ...(await newRoute(account, { tracker_id, tags: [tag_id] })),
    ...(await newRound(account, { tracker_id, tags: [tag_id] })),
    track_id: list[0].id,
    ...staff,
    ...(await newReports(account)),
  };
  const world: World = { ...things, ...own, security_group_id, subuser_id };
  return { account, world, device_id: String(source.device_id) };
}

/** An API key, the session of the master, and a webhook. */
async function newOwnThings({ must }: Account) {
  const { value } = await must("/api/key/create", { title: "Key" });
  const { list: sessions } = await must("/user/session/list");
  const { id: webhook_id } = await must("/webhook/create", { webhook: SILENT_WEBHOOK });
  return { api_key: value.hash, session_id: sessions[0].id, webhook_id };
}

/** Ids and names that no thing of any account has, all different. */
export function unknownWorld(): World {
  return {
    tracker_id: UNKNOWN_ID,
    report_id: UNKNOWN_ID - 60,
    report_schedule_id: UNKNOWN_ID - 61,
    tracker_label: "No such van",
    vehicle_id: UNKNOWN_ID - 1,
    track_id: UNKNOWN_ID - 2,
    api_key: randomBytes(16).toString("hex"),
    session_id: UNKNOWN_ID - 50,
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
    webhook_id: UNKNOWN_ID - 15,
    service_task_id: UNKNOWN_ID - 30,
    zone_id: UNKNOWN_ID - 40,
    rule_id: UNKNOWN_ID - 70,
    place_id: UNKNOWN_ID - 41,
    entity_id: UNKNOWN_ID - 42,
    field_id: UNKNOWN_ID - 43,
    task_id: UNKNOWN_ID - 50,
    schedule_id: UNKNOWN_ID - 51,
    route_id: UNKNOWN_ID - 52,
    checkpoint_id: UNKNOWN_ID - 53,
    round_id: UNKNOWN_ID - 58,
    stop_id: UNKNOWN_ID - 59,
    form_template_id: UNKNOWN_ID - 54,
    form_id: UNKNOWN_ID - 55,
    checkin_form_id: UNKNOWN_ID - 56,
    checkin_id: UNKNOWN_ID - 57,
    photo_id: UNKNOWN_ID - 58,
    service_file_id: UNKNOWN_ID - 31,
    file_id: randomBytes(16).toString("hex"),
    process_id: UNKNOWN_ID - 60,
    vehicle_process_id: UNKNOWN_ID - 61,
  };
}

/** Makes an employee who has the tracker. */
async function newStaff(account: Account, tracker_id: number) {
  const department = await newDepartment(account);
  return {
    ...(await newGarage(account)),
    ...department,
    ...(await newEmployee(account, { tracker_id, ...department })),
  };
}
