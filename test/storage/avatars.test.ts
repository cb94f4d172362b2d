import { imageSize } from "image-size";
import { expect, test } from "vitest";
import { type Account, bodyOf, newAccount, operator, type Reply, UNKNOWN_ID } from "../tool/call/account.ts";
import { newSubUser } from "../tool/call/mailbox.ts";
import { newPicture, turnedPhoto } from "../tool/document/pictures.ts";
import { PNG } from "../tool/document/png.ts";
import { stack } from "../tool/system/stack.ts";
import { waitUntil } from "../tool/wait.ts";

const codeOf = ({ success, status }: Reply) => (success ? undefined : status.code);
const shownAt = (owner: string, name: string) => `${stack.baseUrl}/static/${owner}/avatars/${name}`;
const statusOf = async (url: string) => (await fetch(url)).status;
const content = (begin: string) => new Uint8Array(Buffer.from(`${begin} and so on, whatever it is`, "latin1"));

type Thing = {
  owner: "vehicle" | "employee" | "tag" | "tracker" | "place";
  create(account: Account): Promise<number>;
  read(account: Account, id: number): Promise<Reply>;
  list(account: Account): Promise<Reply[]>;
  remove(account: Account, id: number): Promise<unknown>;
};

const LOCATION = { lat: 40, lng: 8, address: "Main St 1", radius: 200 };
const inList = async (account: Account, path: string, id: number) =>
  (await account.must(path)).list.find((item: Reply) => item.id === id);
const THINGS: Thing[] = [
  {
    owner: "vehicle",
    create: async (account) => (await account.must("/vehicle/create", { vehicle: { label: "Van" } })).id,
    read: async (account, vehicle_id) => (await account.must("/vehicle/read", { vehicle_id })).value,
    list: async (account) => (await account.must("/vehicle/list")).list,
    remove: (account, vehicle_id) => account.must("/vehicle/delete", { vehicle_id }),
  },
  {
    owner: "employee",
    create: async (account) => (await account.must("/employee/create", { employee: { first_name: "Ann" } })).id,
    read: async (account, employee_id) => (await account.must("/employee/read", { employee_id })).value,
    list: async (account) => (await account.must("/employee/list")).list,
    remove: (account, employee_id) => account.must("/employee/delete", { employee_id }),
  },
  {
    owner: "tag",
    create: async (account) => (await account.must("/tag/create", { tag: { name: "Cold", color: "27A9E3" } })).id,
    read: (account, id) => inList(account, "/tag/list", id),
    list: async (account) => (await account.must("/tag/list")).list,
    remove: (account, tag_id) => account.must("/tag/delete", { tag_id }),
  },
  {
    owner: "tracker",
    create: async (account) => (await account.newTracker()).id,
    read: async (account, tracker_id) => (await account.must("/tracker/read", { tracker_id })).value,
    list: async (account) => (await account.must("/tracker/list")).list,
    remove: async (_, tracker_id) => operator.must("/panel/tracker/corrupt", { tracker_id }),
  },
  {
    owner: "place",
    create: async (account) =>
      (await account.must("/place/create", { place: { label: "Shop", location: LOCATION } })).id,
    read: async (account, place_id) => (await account.must("/place/read", { place_id })).value,
    list: async (account) => (await account.must("/place/list")).list,
    remove: (account, place_id) => account.must("/place/delete", { place_id }),
  },
];
const WITH_ICONS = THINGS.filter(({ owner }) => owner !== "tracker");

async function upload(account: Account, owner: string, id: number, more: object = {}): Promise<Reply> {
  return account.call(`/${owner}/avatar/upload`, { [`${owner}_id`]: id, file: newPicture(), ...more });
}

async function sweep() {
  await Promise.all([stack.fireCron("fleet"), stack.fireCron("geo")]);
}

test.each(THINGS)(
  "an avatar ($owner) is in reads and lists, and anybody is shown it who has its name",
  async (thing) => {
    const { owner, create, read, list } = thing;
    const account = await newAccount();
    const id = await create(account);
    const { value: name } = await upload(account, owner, id);
    expect(name).toMatch(/^[0-9a-f]{32}\.png$/);
    expect(await read(account, id)).toMatchObject({ avatar_file_name: name });
    expect(await list(account)).toMatchObject([{ avatar_file_name: name }]);

    const shown = await fetch(shownAt(owner, name));
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(PNG);
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "access-control-allow-origin": "*",
    });
    const ETag = shown.headers.get("ETag") ?? "";
    const again = await fetch(shownAt(owner, name), { headers: { "If-None-Match": ETag } });
    expect([again.status, await again.text(), again.headers.get("ETag")]).toEqual([304, "", ETag]);
    const head = await fetch(shownAt(owner, name), { method: "HEAD" });
    expect([head.status, await head.text(), head.headers.get("ETag")]).toEqual([200, "", ETag]);
    const other = owner === "tag" ? "place" : "tag";
    for (const url of [
      shownAt(other, name),
      shownAt("sheet", name),
      shownAt(owner, "..%2Fx"),
      shownAt(owner, "x.png"),
    ]) {
      expect(await statusOf(url)).toBe(404);
    }
  },
);

test("an avatar made of a photograph is upright and holds no Exif data", async () => {
  const account = await newAccount();
  const { id } = await account.must("/tag/create", { tag: { name: "Cold", color: "27A9E3" } });
  const photo = newPicture(new Uint8Array(turnedPhoto(6)));
  const { value: name } = await upload(account, "tag", id, { file: photo });
  expect(name).toMatch(/\.jpg$/);
  const shown = await fetch(shownAt("tag", name));
  expect(shown.headers.get("Content-Type")).toBe("image/jpeg");
  const stored = Buffer.from(await shown.arrayBuffer());
  expect(stored.includes("Exif")).toBe(false);
  expect(imageSize(stored)).toEqual({ width: 533, height: 800, type: "jpg" });
});

test.each(THINGS)("an avatar ($owner) goes when another replaces it, and with the thing", async (thing) => {
  const { owner, create, read, remove } = thing;
  const account = await newAccount();
  const id = await create(account);
  const first = (await upload(account, owner, id)).value;
  await sweep();
  expect(await statusOf(shownAt(owner, first))).toBe(200);
  const jpeg = newPicture(content("\xff\xd8\xff"));
  const second = (await upload(account, owner, id, { file: jpeg })).value;
  expect(second).toMatch(/\.jpg$/);
  expect(await read(account, id)).toMatchObject({ avatar_file_name: second });
  await sweep();
  expect([await statusOf(shownAt(owner, first)), await statusOf(shownAt(owner, second))]).toEqual([404, 200]);
  await remove(account, id);
  await sweep();
  expect(await stack.objects(`avatar/${owner}/${second}`)).toEqual([]);
});

test.each(THINGS)(
  "an avatar for another account's thing ($owner) is 201 as for an unknown one, and nothing is stored",
  async ({ owner, create }) => {
    const [acme, rival] = [await newAccount(), await newAccount()];
    const id = await create(acme);
    for (const unknown of [UNKNOWN_ID, id]) {
      expect(codeOf(await upload(rival, owner, unknown))).toBe(201);
      if (owner === "tracker") continue;
      expect(codeOf(await rival.call(`/${owner}/avatar/assign`, { [`${owner}_id`]: unknown, icon_id: 3 }))).toBe(201);
    }
    const ofRival = { account_id: rival.id };
    const kept = await Promise.all([stack.rowsOf("fleet", "avatar", ofRival), stack.rowsOf("geo", "avatar", ofRival)]);
    expect(kept.flat()).toEqual([]);
  },
);

test.each(THINGS)(
  "an avatar upload ($owner) without a file is 233, with content that is no image 234",
  async (thing) => {
    const { owner, create, read } = thing;
    const account = await newAccount();
    const id = await create(account);
    const codeWith = async (file?: File) => codeOf(await upload(account, owner, id, { file }));
    expect(codeOf(await account.call(`/${owner}/avatar/upload`, { [`${owner}_id`]: id }))).toBe(233);
    for (const begin of ["", "<svg xmlns='http://www.w3.org/2000/svg'/>", "\x89PNX", "....ftypheic"]) {
      expect(await codeWith(newPicture(content(begin)))).toBe(234);
    }
    expect((await read(account, id)).avatar_file_name ?? null).toBe(null);
    for (const [begin, extension] of [
      ["GIF89a", "gif"],
      ["RIFF....WEBPVP8 ", "webp"],
    ] as const) {
      expect((await upload(account, owner, id, { file: newPicture(content(begin)) })).value).toMatch(
        new RegExp(`\\.${extension}$`),
      );
    }
  },
);

test("an avatar of more than 16 MB is 9, and one beyond the account's limit for files is 254", async () => {
  const account = await newAccount();
  const id = await account.must("/tag/create", { tag: { name: "Cold", color: "27A9E3" } }).then((made) => made.id);
  const large = new Uint8Array(16 * 1024 * 1024);
  large.set(PNG);
  expect((await upload(account, "tag", id, { file: newPicture(large) })).success).toBe(true);
  expect(codeOf(await upload(account, "tag", id, { file: newPicture(Buffer.concat([Buffer.from(PNG), large])) }))).toBe(
    9,
  );
  await operator.must("/panel/user/update", {
    user_id: account.id,
    limits: { file_bytes: large.length + PNG.length },
  });
  const replies = await Promise.all([upload(account, "tag", id), upload(account, "tag", id)]);
  expect(replies.map(codeOf).toSorted()).toEqual([254, undefined]);
});

test.each(WITH_ICONS)(
  "an icon ($owner) is assigned, an upload takes it away, and null shows the picture again",
  async (thing) => {
    const { owner, create, read } = thing;
    const account = await newAccount();
    const id = await create(account);
    const assign = (more: object) => account.must(`/${owner}/avatar/assign`, { [`${owner}_id`]: id, ...more });
    const iconOf = async () => (await read(account, id)).icon_id ?? null;
    const { value: name } = await upload(account, owner, id);
    await assign({ icon_id: 17 });
    expect(await read(account, id)).toMatchObject({ icon_id: 17, avatar_file_name: name });
    await assign({ icon_id: null });
    expect(await iconOf()).toBe(null);
    expect(await read(account, id)).toMatchObject({ avatar_file_name: name });
    await assign({ icon_id: 18 });
    await upload(account, owner, id);
    expect(await iconOf()).toBe(null);
    const missing = await account.call(`/${owner}/avatar/assign`, { [`${owner}_id`]: id });
    expect([codeOf(missing), missing.errors[0].parameter]).toEqual([7, "icon_id"]);
  },
);

test("an icon of a vehicle comes with a color where one is given, one of a place is from 1 to 255", async () => {
  const account = await newAccount();
  const [vehicle, place] = ["vehicle", "place"].map((owner) => THINGS.find((thing) => thing.owner === owner));
  const vehicle_id = (await vehicle?.create(account)) ?? 0;
  await account.must("/vehicle/avatar/assign", { vehicle_id, icon_id: 1, icon_color: "00FF00" });
  await account.must("/vehicle/avatar/assign", { vehicle_id, icon_id: 2 });
  expect(await vehicle?.read(account, vehicle_id)).toMatchObject({ icon_id: 2, icon_color: "00FF00" });
  const place_id = (await place?.create(account)) ?? 0;
  for (const [icon_id, code] of [
    [0, 7],
    [256, 7],
    [1, undefined],
    [255, undefined],
  ]) {
    expect(codeOf(await account.call("/place/avatar/assign", { place_id, icon_id }))).toBe(code);
  }
});

test("an avatar upload by a sub-user is 201 for hidden things and 13 without the right; one for a blocked tracker is 208", async () => {
  const account = await newAccount();
  const [seen, hidden] = [await account.newTracker(), await account.newTracker()];
  const { id: vehicle_id } = await account.must("/vehicle/create", {
    vehicle: { label: "Van", tracker_id: hidden.id },
  });
  const group = { label: "Drivers", privileges: { rights: ["tracker_update", "vehicle_update"] } };
  const { id: security_group_id } = await account.must("/subuser/security_group/create", { group });
  const { id: subuser_id, hash } = await newSubUser(account);
  await account.must("/subuser/security_group/assign", { group_id: security_group_id, subuser_ids: [subuser_id] });
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [seen.id] });
  const codeAs = async (owner: string, id: number) => codeOf(await upload(account, owner, id, { hash }));
  expect(await codeAs("tracker", seen.id)).toBe(undefined);
  expect(await codeAs("tracker", hidden.id)).toBe(201);
  expect(await codeAs("vehicle", vehicle_id)).toBe(201);
  for (const owner of ["employee", "tag", "place"]) expect(await codeAs(owner, 1)).toBe(13);
  await account.block(seen.id);
  expect(codeOf(await upload(account, "tracker", seen.id))).toBe(208);
});

test("an avatar upload with a redirect target sends its name, or its refusal, along with the redirect", async () => {
  const account = await newAccount();
  const { id: vehicle_id } = await account.must("/vehicle/create", { vehicle: { label: "Van" } });
  const redirected = async (file: File) => {
    const redirect_target = "https://example.com/done?a=1";
    const { headers, body } = bodyOf({ hash: account.hash, vehicle_id, redirect_target, file });
    const url = `${stack.baseUrl}/vehicle/avatar/upload`;
    const answer = await fetch(url, { method: "POST", headers, body, redirect: "manual" });
    const target = new URL(answer.headers.get("Location") ?? "");
    expect([answer.status, target.origin, target.searchParams.get("a")]).toEqual([302, "https://example.com", "1"]);
    return JSON.parse(target.searchParams.get("response") ?? "") as Reply;
  };
  expect((await redirected(newPicture())).value).toMatch(/\.png$/);
  expect(codeOf(await redirected(newPicture(content("text"))))).toBe(234);
});

test("avatar uploads at the same time leave one that is shown; the sweep removes the others", async () => {
  const account = await newAccount();
  const { id: vehicle_id } = await account.must("/vehicle/create", { vehicle: { label: "Van" } });
  const replies = await Promise.all(Array.from({ length: 5 }, () => upload(account, "vehicle", vehicle_id)));
  const names: string[] = replies.map(({ value }) => value);
  const { value } = await account.must("/vehicle/read", { vehicle_id });
  await sweep();
  const statuses = await Promise.all(names.map((name) => statusOf(shownAt("vehicle", name))));
  expect(names.filter((_, index) => statuses[index] === 200)).toEqual([value.avatar_file_name]);
});

test("avatars of a removed account go with it", async () => {
  const account = await newAccount();
  const names = await Promise.all(
    THINGS.map(async ({ owner, create }) => ({
      owner,
      name: (await upload(account, owner, await create(account))).value,
    })),
  );
  await operator.must("/panel/user/corrupt", { user_id: account.id, login: account.login });
  const sweptStatuses = async () => {
    await stack.fireCron("gateway");
    await sweep();
    return Promise.all(names.map(({ owner, name }) => statusOf(shownAt(owner, name))));
  };
  await waitUntil("all avatars are gone", sweptStatuses, (statuses) => statuses.every((status) => status === 404));
});
