import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemNow, writeLocal } from "../../shared/time/clock.ts";
import { DAY_MS, HOUR_MS } from "../../shared/time/duration.ts";
import { type Account, newAccount, type Reply } from "../tool/call/account.ts";
import { badNetwork } from "../tool/call/bad-network.ts";
import { PNG } from "../tool/document/png.ts";
import { stack } from "../tool/system/stack.ts";

let network: Awaited<ReturnType<typeof badNetwork>>;
beforeAll(async () => {
  network = await badNetwork(stack.origin);
});
afterAll(() => network?.close());

const at = (ms: number) => writeLocal(systemNow() + ms, "Europe/Berlin");
const dock = { lat: 52.5, lng: 13.4, address: "Dock 4" };
const described = { description: "What it is", required: true };
const fields = [
  { ...described, id: "name", label: "Name", type: "text", min_length: 1, max_length: 20 },
  { ...described, id: "photo", label: "Photo", type: "photo", max_files: 2 },
];
const template = { label: "Note", description: "", submit_in_zone: false, default: false, fields };
const TUS = { "Tus-Resumable": "1.0.0" };
const CHECKINS = 3;

test("a phone whose every third connection is cut does all of a day's work, each thing exactly once", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  const { id: template_id } = await account.must("/form/template/create", { template });
  const label = { label: "Parcel", description: "" };
  const task = { ...label, location: { ...dock, radius: 100 }, from: at(-DAY_MS), to: at(DAY_MS), tracker_id };
  const { id: task_id } = await account.must("/task/create", { task });
  const { id: place_id } = await account.must("/place/create", { place: { label: "Shop", location: dock } });

  const phone = await loggedIn(account);
  const morning = await phone.pull(null);
  expect([morning.tasks.map(idOf), morning.form_templates.map(idOf), morning.places.map(idOf)]).toEqual([
    [task_id],
    [template_id],
    [place_id],
  ]);

  const photos: number[][] = [];
  const kept: Item[] = [];
  for (let number = 0; number < CHECKINS; number++) {
    const issued = itemOf("checkin/form/create", { tracker_id, template_id });
    const [{ id: form_id }] = await phone.push([issued]);
    const size = 200_000 + number;
    const whole = await phone.newFile("checkin/image/create", {}, size);
    const resumed = await phone.newFile("checkin/image/create", {}, size, true);
    const signed = await phone.newFile("checkin/form/file/create", { form_id, field_id: "photo" }, size);
    const values = {
      name: { type: "text", value: `Ann ${number}` },
      photo: { type: "photo", file_ids: [signed] },
    };
    const form_submission = { form_id, values };
    photos.push([whole, resumed, signed]);
    kept.push(
      itemOf("checkin/create", {
        tracker_id,
        location: dock,
        comment: `${number}`,
        file_ids: [whole, resumed],
        form_submission,
      }),
      itemOf("driver/journal/entry/create", { entries: [entryOf(tracker_id, number)] }),
    );
  }
  const first = kept.slice(0, 3);
  // Sent in parts, and all of it again, as after a day without a network.
  const early = await phone.push(first);
  const answers = await phone.push(kept);
  expect(answers.slice(0, 3)).toEqual(early);
  await account.must("/task/update", { task: { ...task, id: task_id, label: "Other" } });
  await account.must("/place/delete", { place_id });
  const evening = await phone.pull(morning.cursor);
  expect(evening.tasks.map(({ id, label }: Reply) => [id, label])).toEqual([[task_id, "Other"]]);
  expect([evening.removed.places, evening.reset]).toEqual([[place_id], false]);

  const { list } = await account.must("/checkin/list", { trackers: [tracker_id], sort: ["marker_time=asc"] });
  const byComment = (list as Reply[]).toSorted((one, other) => Number(one.comment) - Number(other.comment));
  expect(byComment.map(({ comment }) => comment)).toEqual(Array.from({ length: CHECKINS }, (_, number) => `${number}`));
  const made = answers.filter((_, index) => index % 2 === 0).map(idOf);
  expect(byComment.map(idOf)).toEqual(made);
  expect(byComment.map(({ files }) => files.map(idOf))).toEqual(photos.map((ids) => ids.slice(0, 2)));
  expect(new Set(byComment.map(({ form_id }) => form_id)).size).toBe(CHECKINS);
  for (const id of photos.flat()) {
    const objects = await stack.objects(`upload/${id}/`);
    expect(objects.filter((name) => !name.includes("preview"))).toHaveLength(1);
  }
  const range = { tracker_id, from: at(-5 * DAY_MS), to: at(DAY_MS) };
  expect((await account.must("/driver/journal/entry/list", range)).list).toHaveLength(CHECKINS);
  await stack.fireCron("tasks");
  const { list: events } = await account.must("/history/tracker/list", { ...range, trackers: [tracker_id] });
  const checkinIds = events.flatMap(({ extra }: Reply) => extra.checkin_id ?? []);
  expect(checkinIds.toSorted()).toEqual(made.toSorted());
  expect(Math.min(...Object.values(network.cuts))).toBeGreaterThan(0);
});

type Item = ReturnType<typeof itemOf>;
const itemOf = (operation: string, params: object) => ({ uuid: randomUUID(), time: at(-HOUR_MS), operation, params });
const idOf = ({ id }: Reply) => Number(id);

function entryOf(tracker_id: number, number: number) {
  const [start_date, end_date] = [at(-(2 * number + 3) * HOUR_MS), at(-(2 * number + 2) * HOUR_MS)];
  return { tracker_id, type: "work", start_location: dock, end_location: dock, start_date, end_date, length: 1 };
}

/** A phone on a bad network repeats every request without an answer. */
async function loggedIn({ login, password }: Account) {
  const { hash } = await must("user/auth", { login, password });

  async function pull(cursor: string | null) {
    const page = await must("sync/pull", { hash, cursor });
    expect(page.more).toBe(false);
    return page;
  }

  async function push(items: Item[]): Promise<Reply[]> {
    const { results } = await must("sync/push", { hash, items });
    for (const { answer } of results) expect(answer).toMatchObject({ success: true });
    return results.map(({ answer }: Reply) => answer);
  }

  /** Creates a file of this size; a ticket whose answer got lost is abandoned. */
  async function newFile(path: string, params: object, size: number, resumable = false): Promise<number> {
    const { value } = await must(path, { hash, ...params, size, filename: "a.png" });
    const content = Buffer.concat([PNG, randomBytes(size - PNG.length)]);
    const ticket = { ...value, url: value.url.replace(stack.origin, network.origin) };
    await insisting(() => (resumable ? resume(ticket, content) : sendWhole(ticket, content)));
    return Number(value.file_id);
  }

  return { pull, push, newFile };
}

async function must(path: string, parameters: object): Promise<Reply> {
  return insisting(async () => {
    const answer = await send(`${network.origin}/api-v2/${path}`, {
      ...{ method: "POST", headers: { "Content-Type": "application/json" } },
      body: JSON.stringify(parameters),
    });
    const reply: Reply = await answer.json();
    expect(reply, path).toMatchObject({ success: true });
    return reply;
  });
}

/** Sends each request on a connection of its own, as a phone does whose network comes and goes. */
function send(url: string, request: RequestInit) {
  return fetch(url, { ...request, headers: { ...request.headers, Connection: "close" } });
}

/** Repeats an attempt until it has an answer; undefined asks for another attempt. */
async function insisting<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 50; tries++) {
    try {
      const found = await attempt();
      if (found !== undefined) return found;
    } catch (thrown) {
      // `fetch` says so where a connection broke; what the phone does not expect is thrown as it is.
      if (!(thrown instanceof TypeError || thrown instanceof SyntaxError)) throw thrown;
    }
  }
  throw new Error("nothing got through");
}

async function sendWhole({ url, file_field_name, fields }: Reply, content: Buffer<ArrayBuffer>): Promise<Reply> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, String(value));
  body.set(file_field_name, new File([content], "a.png", { type: "image/png" }));
  const reply: Reply = await (await send(url, { method: "POST", body })).json();
  expect(reply).toMatchObject({ success: true });
  return reply;
}

/** Goes on behind what has come in; undefined while something is left. */
async function resume({ url, fields }: Reply, content: Buffer<ArrayBuffer>): Promise<number | undefined> {
  const address = `${url}?token=${fields.token}`;
  const head = await send(address, { method: "HEAD", headers: TUS });
  const offset = Number(head.headers.get("Upload-Offset"));
  if (offset === content.length) return offset;
  const headers = { ...TUS, "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset) };
  const part = content.subarray(offset, offset + 80_000);
  await send(address, { method: "PATCH", headers, body: new Uint8Array(part) });
  return undefined;
}
