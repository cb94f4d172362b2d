import { readFileSync } from "node:fs";
import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import {
  type Account,
  bodyOf,
  must,
  newAccount,
  operatorHash,
  type Reply,
  sharedAccount,
} from "../../../../../test/tool/call/account.ts";
import { validateKml } from "../../../../../test/tool/document/kml-schema.ts";
import { stack } from "../../../../../test/tool/system/stack.ts";

const fixture = (path: string) => new File([readFileSync(`test/fixtures/${path}`)], path);
const codeOf = ({ status }: Reply) => status?.code;
const document = (coordinates: string) =>
  new File(
    [`<kml><Placemark><LineString><coordinates>${coordinates}</coordinates></LineString></Placemark></kml>`],
    "line.kml",
  );

async function download(account: Account, more: object = {}) {
  const answer = await fetch(`${stack.baseUrl}/zone/download`, {
    method: "POST",
    ...bodyOf({ hash: account.hash, ...more }),
    redirect: "manual",
  });
  expect(answer.headers.get("Content-Disposition")).toContain("zones.");
  return new Uint8Array(await answer.arrayBuffer());
}

test("zone/download gives GeoJSON as zone/upload took it: holes, colors, radii and names", async () => {
  const account = await newAccount();
  const square = [
    [8, 50],
    [8.4, 50],
    [8.4, 50.4],
    [8, 50.4],
    [8, 50],
  ];
  const hole = [
    [8.1, 50.1],
    [8.1, 50.2],
    [8.2, 50.2],
    [8.2, 50.1],
    [8.1, 50.1],
  ];
  const features = [
    { geometry: { type: "Polygon", coordinates: [square, hole] }, properties: { name: "Yard", color: "#00ff00" } },
    { geometry: { type: "Point", coordinates: [9, 50] }, properties: { name: "Depot", radius: 300 } },
    { geometry: { type: "Point", coordinates: ["9", 50] }, properties: { name: "Wrong" } },
  ].map((one) => ({ type: "Feature", ...one }));
  const file = new File([JSON.stringify({ type: "FeatureCollection", features })], "zones.json");
  const { list, skipped } = await account.must("/zone/upload", { file, dry_run: false });
  expect(skipped).toEqual([{ index: 2, name: "Wrong", reason: "has a coordinate that is none" }]);
  const { value } = await account.must("/zone/read", { zone_id: list[0], with_points: true });
  expect(value).toMatchObject({
    label: "Yard",
    color: "00ff00",
    holes: [hole.slice(0, -1).map(([lng, lat]) => ({ lat, lng }))],
  });
  const around = async (lng: number) =>
    (await account.must("/zone/search_location", { location: { lat: 50.15, lng } })).list;
  expect(await around(8.15)).toEqual([]);
  expect(await around(8.05)).toEqual([{ id: list[0], label: "Yard" }]);

  const text = new TextDecoder().decode(await download(account, { format: "geojson" }));
  const other = await newAccount();
  await other.must("/zone/upload", { file: new File([text], "zones.geojson"), dry_run: false });
  const zonesOf = async (one: Account) =>
    (await one.must("/zone/list", { with_points: true })).list.map(({ id, ...zone }: Reply) => zone);
  expect(await zonesOf(other)).toEqual(await zonesOf(account));
});

test("zone/upload shows a file's zones and stores them on request, and zone/download gives them back", async () => {
  const account = await newAccount();
  const file = fixture("kml/folders-and-multigeometry.kml");
  const shown = await account.must("/zone/upload", { file, default_radius: 77 });
  expect(shown.list).toHaveLength(11);
  expect(shown.list[0]).toMatchObject({ type: "circle", radius: 77, tags: [], color: "27A9E3" });
  expect((await account.must("/zone/list")).count).toBe(0);

  const { list: ids } = await account.must("/zone/upload", { file, default_radius: 77, dry_run: false });
  const zones = (await account.must("/zone/list", { with_points: true })).list;
  expect(zones.map(({ id }: Reply) => id)).toEqual(ids);
  expect(zones.map(({ id, ...zone }: Reply) => zone)).toEqual(shown.list);

  const text = new TextDecoder().decode(await download(account));
  validateKml(text);
  const other = await newAccount();
  await other.must("/zone/upload", { file: new File([text], "zones.kml"), dry_run: false });
  const again = (await other.must("/zone/list", { with_points: true })).list;
  // Labels are prefixed with the document's name; positions are exact to a centimeter.
  expect(again.map(({ label }: Reply) => label)).toEqual(
    zones.map(({ label }: Reply) => `zones / ${label}`.slice(-255)),
  );
  for (const [index, zone] of again.entries()) {
    expect([zone.type, zone.radius, zone.points?.length]).toEqual([
      zones[index].type,
      zones[index].radius,
      zones[index].points?.length,
    ]);
    expect(zone.bounds.nw.lat).toBeCloseTo(zones[index].bounds.nw.lat, 6);
  }
  const { "doc.kml": packed } = unzipSync(await download(account, { format: "kmz", zone_ids: [ids[0], 999_999_999] }));
  expect(new TextDecoder().decode(packed).match(/<Placemark>/g)).toHaveLength(1);
});

test("zone/search_location finds a zone that was stored from a file", async () => {
  const account = await newAccount();
  const { list } = await account.must("/zone/upload", { file: document("8,50 9,50 9,51"), dry_run: "false" });
  const found = await account.must("/zone/search_location", { location: { lat: 50.001, lng: 8.5 } });
  expect(found.list).toEqual([{ id: list[0], label: "#1" }]);
});

test.each([
  ["two points", document("8,50 9,50"), 234],
  ["1025 points", document("8,50 9,51 ".repeat(513).trim()), 202],
  ["no XML", new File(["x"], "a.kml"), 234],
  ["an empty file", new File([""], "a.kml"), 234],
])("zone/upload of a file with %s stores nothing", async (_, file, code) => {
  const account = await sharedAccount();
  for (const dry_run of [true, false]) expect(codeOf(await account.call("/zone/upload", { file, dry_run }))).toBe(code);
  expect((await account.must("/zone/list")).count).toBe(0);
});

test("zone/upload names the parts of a file that cannot be zones, and stores the others", async () => {
  const account = await newAccount();
  const placemark = (name: string, place: string) =>
    `<Placemark><name>${name}</name><Point><coordinates>${place}</coordinates></Point></Placemark>`;
  const places = [placemark("A", "8,50"), placemark("B", "8,91"), placemark("C", "9,50")];
  const file = new File([`<kml><Document>${places.join("")}</Document></kml>`], "places.kml");
  const skipped = [{ index: 1, name: "B", reason: "has a coordinate that is none" }];
  for (const dry_run of [true, false]) {
    const reply = await account.must("/zone/upload", { file, dry_run });
    expect([reply.list.length, reply.skipped]).toEqual([2, skipped]);
  }
  expect((await account.must("/zone/list")).list.map(({ label }: Reply) => label)).toEqual(["A", "C"]);
});

test("zone/upload takes a file of 16 MB, and not one byte more", async () => {
  const account = await sharedAccount();
  const content = "<kml><Placemark><Point><coordinates>8,50</coordinates></Point></Placemark></kml>";
  const sized = (size: number) => new File([content.padEnd(size)], "large.kml");
  const { list } = await account.must("/zone/upload", { file: sized(16_777_216) });
  expect(list).toHaveLength(1);
  expect(codeOf(await account.call("/zone/upload", { file: sized(16_777_217) }))).toBe(271);
});

test("zone/upload answers 233 without a file, and 7 to a radius that is too small", async () => {
  const account = await sharedAccount();
  expect(codeOf(await account.call("/zone/upload"))).toBe(233);
  const refused = await account.call("/zone/upload", { file: document("8,50"), default_radius: 19 });
  expect(refused).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "default_radius" }] });
});

test("zone/upload stores nothing of a file with more zones than the account may have", async () => {
  const account = await newAccount();
  await must("/panel/user/update", { hash: await operatorHash(), user_id: account.id, limits: { zones: 2 } });
  const upload = (path: string) => account.call("/zone/upload", { file: fixture(path), dry_run: false });
  expect(codeOf(await upload("kml/folders-and-multigeometry.kml"))).toBe(268);
  expect((await account.must("/zone/list")).count).toBe(0);
  expect((await upload("kml/byte-order-mark.kml")).list).toHaveLength(2);
  expect(codeOf(await upload("kml/cdata.kml"))).toBe(268);
});

test("zone/upload answers callers with a valid hash by a redirect where a target is given, with every refusal too", async () => {
  const { hash } = await sharedAccount();
  const redirected = async (more: object) => {
    const redirect_target = "https://example.com/done?a=1";
    const { headers, body } = bodyOf({ redirect_target, ...more });
    const answer = await fetch(`${stack.baseUrl}/zone/upload`, { method: "POST", headers, body, redirect: "manual" });
    const target = new URL(answer.headers.get("Location") ?? "");
    expect([answer.status, target.host, target.searchParams.get("a")]).toEqual([302, "example.com", "1"]);
    return JSON.parse(target.searchParams.get("response") ?? "");
  };
  const file = fixture("kml/cdata.kml");
  expect(await redirected({ hash, file })).toMatchObject({ success: true, list: [{ label: "#1" }] });
  const refusals: [object, number][] = [
    [{ hash }, 233],
    [{ hash, file: new File(["x"], "a.kml") }, 234],
    [{ hash, file, default_radius: 19 }, 7],
  ];
  for (const [wrong, code] of refusals) {
    expect(await redirected(wrong)).toMatchObject({ success: false, status: { code } });
  }
  for (const stranger of [{}, { hash: "0".repeat(32) }]) {
    const { headers, body } = bodyOf({ redirect_target: "https://example.com/done", file, ...stranger });
    const answer = await fetch(`${stack.baseUrl}/zone/upload`, { method: "POST", headers, body, redirect: "manual" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([400, null]);
  }
  const wrong = await (await sharedAccount()).call("/zone/upload", { redirect_target: "javascript:alert(1)" });
  expect(wrong).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "redirect_target" }] });
});
