import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Account, accountsOn, type Reply } from "../tool/call/account.ts";
import { newTicket, untilInProgress, upload, uploadInTwo } from "../tool/call/uploads.ts";
import { newPicture, turnedPhoto } from "../tool/document/pictures.ts";
import { PNG } from "../tool/document/png.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

// Answers of its database are lost here: it is this file's own.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let account: Account;
let vehicle_id: number;

beforeAll(async () => {
  system = await startWatchedSystem();
  account = await accountsOn(system).newAccount();
  const { id: tracker_id } = await account.newTracker();
  ({ id: vehicle_id } = await account.must("/vehicle/create", { vehicle: { label: "Van", tracker_id } }));
});

afterEach(() => system.bringUp("files"));

afterAll(() => system?.stop());

const codeOf = ({ success, status }: Reply) => (success ? undefined : status.code);
const photo = (orientation: number) => newPicture(new Uint8Array(turnedPhoto(orientation)), "van.jpg");
const storedFor = ({ file_id }: Reply) => system.objects(`upload/${file_id}/preview-`);

/** A ticket for the file, whose content has come in. */
async function uploadPicture(file: File, more: object = {}): Promise<Reply> {
  const ticket = await newTicket(account, { size: file.size, ...more });
  expect(await upload(ticket, file)).toMatchObject({ success: true });
  return ticket;
}

/** A service task that names the file. */
async function nameIn({ file_id }: Reply): Promise<number> {
  const conditions = { date: { end: "2030-01-01 00:00:00" } };
  const task = { vehicle_id, description: "Dent", conditions, file_ids: [file_id] };
  return (await account.must("/vehicle/service_task/create", { task })).id;
}

const shownIn = async (task_id: number): Promise<Reply> =>
  (await account.must("/vehicle/service_task/read", { task_id })).value.files[0];

/** The file as a service task shows it once its previews are not waited for any more. */
async function readPreviews(ticket: Reply): Promise<Reply> {
  const task_id = await nameIn(ticket);
  const isOver = ({ preview_state }: Reply) => preview_state !== "waiting";
  return waitUntil("the previews are made or refused", () => shownIn(task_id), isOver);
}

test("a photograph has its orientation and two previews, at addresses that open nothing else", async () => {
  const file = await readPreviews(
    await uploadPicture(photo(6), { type: "image", metadata: { orientation: 1, note: "left" } }),
  );
  expect(file).toMatchObject({ preview_state: "made", metadata: { orientation: 6, note: "left" } });
  const previews = await Promise.all(
    file.previews.map(async ({ download_url }: Reply) => {
      const answer = await fetch(download_url);
      const { length } = Buffer.from(await answer.arrayBuffer());
      return { type: answer.headers.get("Content-Type"), length, ETag: answer.headers.get("ETag") };
    }),
  );
  expect(previews).toMatchObject([{ type: "image/jpeg" }, { type: "image/jpeg" }]);
  expect(previews[0].length).toBeLessThan(previews[1].length);
  const url: string = file.previews[1].download_url;
  expect((await fetch(url, { headers: { "If-None-Match": previews[1].ETag } })).status).toBe(304);
  expect((await fetch(url, { headers: { Range: "bytes=0-1" } })).status).toBe(206);
  const token = url.split("/").at(-2) ?? "";
  const [own] = file.download_url.split("/").slice(-2, -1);
  const wrong = [
    url.replace("/preview/800/", "/preview/400/"),
    url.replace(`/${file.id}/`, `/${file.id + 1}/`),
    url.replace(token, own),
    file.download_url.replace(own, token),
  ];
  for (const address of wrong) expect((await fetch(address)).status).toBe(404);
});

test("files that are no images have no previews, and images that cannot be decoded say why they have none", async () => {
  const heic = new Uint8Array(Buffer.from("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "latin1"));
  const file = await readPreviews(await uploadPicture(newPicture(heic, "van.heic"), { type: "image" }));
  expect(file).toMatchObject({ mime_type: "image/heic", previews: null, preview_state: "unsupported" });
  const broken = await readPreviews(await uploadPicture(newPicture(new Uint8Array(PNG.subarray(0, 40)))));
  expect(broken).toMatchObject({ mime_type: "image/png", previews: null, preview_state: "unreadable" });
  const text = await shownIn(await nameIn(await uploadPicture(new File(["bill"], "bill.txt"))));
  expect(text).toMatchObject({ previews: null });
  expect(text).not.toHaveProperty("preview_state");
});

test("the sweep makes the previews of an upload whose end was lost, once", async () => {
  const file = photo(8);
  const ticket = await newTicket(account, { size: file.size });
  // The end of the upload is stored, but its answer is lost.
  const content = Buffer.from(await file.arrayBuffer());
  const parts: [Buffer, Buffer] = [content.subarray(0, 1000), content.subarray(1000)];
  const isLost = uploadInTwo(ticket, parts, async () => {
    await untilInProgress(system, account, ticket);
    await system.loseAnswers("files");
  });
  expect(codeOf(await isLost)).toBe(14);
  await system.bringUp("files");
  expect(await storedFor(ticket)).toEqual([]);
  await system.fireCron("files");
  expect(await storedFor(ticket)).toHaveLength(2);
  expect(await readPreviews(ticket)).toMatchObject({ preview_state: "made", metadata: { orientation: 8 } });
  await system.fireCron("files");
  const rows = await system.rowsOf("files", "file");
  expect(rows.find(({ id }) => id === ticket.file_id)).toMatchObject({ preview_tries: 1, previews_due: null });
});

test.each([
  ["png", PNG],
  ["gif", Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")],
  ["webp", Buffer.from("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=", "base64")],
])("previews of a %s are JPEGs", async (kind, content) => {
  const file = await readPreviews(await uploadPicture(newPicture(new Uint8Array(content))));
  expect(file).toMatchObject({ mime_type: `image/${kind}`, preview_state: "made" });
  const bytes = Buffer.from(await (await fetch(file.previews[0].download_url)).arrayBuffer());
  expect(bytes.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
});

test("previews go with their file", async () => {
  const ticket = await uploadPicture(photo(1));
  const task_id = await nameIn(ticket);
  await waitUntil(
    "both previews are stored",
    () => storedFor(ticket),
    ({ length }) => length === 2,
  );
  await waitUntil(
    "the previews are made",
    () => shownIn(task_id),
    ({ preview_state }) => preview_state === "made",
  );
  await account.must("/vehicle/service_task/delete", { task_id });
  await system.fireCron("fleet");
  await system.fireCron("files");
  expect(await storedFor(ticket)).toEqual([]);
});

test("many photographs at once have all their previews in the end, and each its orientation", async () => {
  const orientations = [1, 2, 3, 4, 5, 6, 7, 8];
  const tickets = await Promise.all(orientations.map((orientation) => uploadPicture(photo(orientation))));
  const sweptCounts = async () => {
    await system.fireCron("files");
    return (await Promise.all(tickets.map(storedFor))).map(({ length }) => length);
  };
  await waitUntil("all previews are stored", sweptCounts, (counts) => counts.every((count) => count === 2));
  const files = await Promise.all(tickets.map(readPreviews));
  expect(files.map(({ metadata }) => metadata)).toEqual(orientations.map((orientation) => ({ orientation })));
});
