import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { systemNow, writeLocal } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Account, newAccount, type Reply, UNKNOWN_ID } from "../tool/call/account.ts";
import { DECLARED } from "../tool/call/declared.ts";
import { newSubUser } from "../tool/call/mailbox.ts";
import { upload } from "../tool/call/uploads.ts";
import { PNG } from "../tool/document/png.ts";
import { stack } from "../tool/system/stack.ts";

const inDays = (days: number) => writeLocal(systemNow() + days * DAY_MS, "UTC");
const dock = { lat: 52.5, lng: 13.4, address: "Dock 4" };
const field = { id: "photos", type: "photo", label: "Photos", description: "Of it", required: false, max_files: 2 };
const template = { label: "Note", description: "", submit_in_zone: false, default: false, fields: [field] };
const RIGHTS = ["checkin_update", "employee_update", "task_update", "vehicle_update"];

type User = { name: string; hash: string };
/** A thing for which a ticket is requested, and calls that name the uploaded file. */
type Use = {
  ticket: object;
  calls: (file_id: number) => { path: string; parameters: object }[];
  /** Reads the ids of the files of the thing that the user sees. */
  read?: (user: User) => Promise<number[]>;
};

let account: Account;
let users: User[];
let tracker_id: number;
let template_id: number;
let vehicle_id: number;

beforeAll(async () => {
  account = await newAccount({ time_zone: "UTC" });
  tracker_id = (await account.newTracker()).id;
  template_id = (await account.must("/form/template/create", { template })).id;
  vehicle_id = (await account.must("/vehicle/create", { vehicle: { label: "Van", tracker_id } })).id;
  users = [{ name: "master", hash: account.hash }, await newClerk("first clerk"), await newClerk("second clerk")];
});

/** A sub-user with all rights that files need, on the tracker. */
async function newClerk(name: string): Promise<User> {
  const { id, hash } = await newSubUser(account);
  const group = { label: name, privileges: { rights: RIGHTS } };
  const { id: group_id } = await account.must("/subuser/security_group/create", { group });
  await account.must("/subuser/security_group/assign", { group_id, subuser_ids: [id] });
  await account.must("/subuser/tracker/bind", { subuser_id: id, trackers: [tracker_id] });
  return { name, hash };
}

const valuesOf = (file_id: number) => ({ photos: { type: "photo", file_ids: [file_id] } });

/** Functions that make a new thing to upload for, by the operation that issues its tickets. */
const USES: Record<string, () => Promise<Use>> = {
  "/checkin/image/create": async () => ({
    ticket: {},
    calls: (id) => [{ path: "/checkin/create", parameters: { tracker_id, location: dock, file_ids: [id] } }],
  }),
  "/checkin/form/file/create": async () => {
    const { id: form_id } = await account.must("/checkin/form/create", { tracker_id, template_id });
    const checkinOf = (id: number) => ({
      ...{ tracker_id, location: dock },
      form_submission: { form_id, values: valuesOf(id) },
    });
    return {
      ticket: { form_id, field_id: "photos" },
      calls: (id) => [{ path: "/checkin/create", parameters: checkinOf(id) }],
    };
  },
  "/task/form/file/create": async () => {
    const task = { tracker_id, label: "Parcel", description: "", location: { ...dock, radius: 100 } };
    const period = { from: inDays(0), to: inDays(1), form_template_id: template_id };
    const given = { task: { ...task, ...period }, create_form: true };
    const { id: task_id } = await account.must("/task/create", given);
    return {
      ticket: { task_id, field_id: "photos" },
      calls: (id) => [{ path: "/task/form/values/update", parameters: { task_id, values: valuesOf(id) } }],
      read: async ({ hash }) => {
        const { files } = await account.must("/task/form/read", { task_id, hash });
        return files.map(({ id }: Reply) => id);
      },
    };
  },
  "/vehicle/service_task/file/create": async () => {
    const dated = { description: "Oil", conditions: { date: { end: "2030-01-01 00:00:00" } }, vehicle_id };
    const { id } = await account.must("/vehicle/service_task/create", { task: dated });
    return {
      ticket: {},
      calls: (file_id) => [
        { path: "/vehicle/service_task/create", parameters: { task: { ...dated, file_ids: [file_id] } } },
        { path: "/vehicle/service_task/update", parameters: { task: { ...dated, id, file_ids: [file_id] } } },
      ],
    };
  },
};
const SYNCED = ["/checkin/create", "/task/form/values/update"];

const issuing = [...DECLARED].flatMap(([path, { output }]) =>
  "value" in output.shape && "shape" in output.shape.value && "file_field_name" in output.shape.value.shape
    ? [path]
    : [],
);

test("USES names each operation that issues tickets, and no other", () => {
  expect(Object.keys(USES).toSorted()).toEqual(issuing.toSorted());
});

test.each(issuing)(
  "a file by a ticket of %s is used and read by its uploader alone, until a thing names it",
  async (path) => {
    for (const uploader of users) {
      const { ticket, calls, read } = (await USES[path]?.()) ?? { ticket: {}, calls: () => [] };
      const { value } = await account.must(path, { ...ticket, size: 1000, hash: uploader.hash });
      const open = await account.must(path, { ...ticket, size: 1000, hash: uploader.hash });
      await upload(value, new File([PNG], "a.png"));
      const [file_id, open_id] = [Number(value.file_id), Number(open.value.file_id)];
      for (const user of users.filter(({ name }) => name !== uploader.name)) {
        const situation = `${user.name}, file of ${uploader.name}`;
        expect(await downloads(user, file_id), situation).toBe(false);
        if (read) expect(await read(user), situation).toEqual([]);
        for (const id of [file_id, open_id]) {
          for (const [index, call] of calls(id).entries()) {
            const unknown = calls(UNKNOWN_ID)[index];
            if (!unknown) throw new Error("A call depends on its file.");
            expect(await answersOf(user, call), situation).toEqual(await answersOf(user, unknown));
          }
        }
      }
      expect(await downloads(uploader, file_id)).toBe(true);
      if (read) expect(await read(uploader)).toEqual([file_id, open_id]);
      for (const { path, parameters } of calls(file_id).slice(0, 1)) {
        await account.must(path, { ...parameters, hash: uploader.hash });
      }
      for (const user of users) expect(await downloads(user, file_id), user.name).toBe(true);
    }
  },
);

/** The refusals of a call, by itself and, if phones may send it later, as an item of sync/push. */
async function answersOf({ hash }: User, { path, parameters }: { path: string; parameters: object }) {
  const refusalOf = ({ success, status, errors }: Reply) => {
    expect(success, path).toBe(false);
    return [status.code, errors?.map(({ parameter, field_id, code }: Reply) => [parameter, field_id, code])];
  };
  const direct = refusalOf(await account.call(path, { ...parameters, hash }));
  if (!SYNCED.includes(path)) return [direct];
  const item = { uuid: randomUUID(), time: inDays(0), operation: path.slice(1), params: parameters };
  const { results } = await account.must("/sync/push", { items: [item], hash });
  return [direct, refusalOf(results[0].answer)];
}

async function downloads({ hash }: User, file_id: number): Promise<boolean> {
  const headers = { Authorization: `FMS ${hash}` };
  const answer = await fetch(`${stack.baseUrl}/file/download/${file_id}`, { headers });
  await answer.body?.cancel();
  return answer.ok;
}
