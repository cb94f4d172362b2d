import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { type Account, newImei, type Reply } from "../tool/call/account.ts";
import { hasBrowser } from "../tool/console/browser.ts";
import { inspectPage, takeScreenshot } from "../tool/console/console-page.ts";
import { type ConsolePage, type ConsoleSystem, startConsoleSystem } from "../tool/console/console-system.ts";
import { effort } from "../tool/effort.ts";
import { waitUntil } from "../tool/wait.ts";

type Page = ConsolePage["page"];

/** The size of a file that is imported; 16 MB are the most. */
const LARGE_BYTES = effort({ few: 1, many: 16 }) * 1024 * 1024;
const KML = `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>
<Placemark><name>Fiji</name><Polygon><outerBoundaryIs><LinearRing><coordinates>179,-17 -179,-17 -179,-16 179,-16 179,-17
</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>
<Placemark><name>Gate</name><Point><coordinates>178.5,-17.5</coordinates></Point></Placemark>
<Placemark><name>Stub</name><LineString><coordinates>178,-17</coordinates></LineString></Placemark>
</Document></kml>`;

describe.skipIf(!hasBrowser)("the console's pages about zones", () => {
  let fleet: ConsoleSystem;
  beforeAll(async () => {
    fleet = await startConsoleSystem();
  });
  afterAll(() => fleet?.stop());

  test("a polygon is drawn, undone and bent on the map, shows who was inside, gets a hole and a tag, and is stored", async () => {
    const account = await newFleet();
    const { page, problems, close } = await fleet.open("/zones", account);
    await page.getByRole("link", { name: "Draw the first zone" }).click();
    await page.locator("[data-ready] canvas").waitFor();
    const corners = page.getByRole("table", { name: "Corners: Outline" }).getByRole("textbox", { name: /^Latitude/ });
    await press(page, [
      [150, 100],
      [500, 110],
      [480, 480],
      [480, 200],
    ]);
    await waitUntil(
      "four corners",
      () => corners.count(),
      (count) => count === 4,
    );
    await page.keyboard.press("Control+z");
    await waitUntil(
      "three corners",
      () => corners.count(),
      (count) => count === 3,
    );
    await press(page, [[160, 470]]);
    await page.keyboard.press("Enter");
    await page.getByText("Drag corners.").waitFor();
    const before = await corners.nth(1).inputValue();
    await drag(page, [500, 110], [560, 80]);
    await waitUntil(
      "the corner has moved",
      () => corners.nth(1).inputValue(),
      (value) => value !== before,
    );
    await page.getByRole("button", { name: "Undo" }).click();
    await waitUntil(
      "the corner is back",
      () => corners.nth(1).inputValue(),
      (value) => value === before,
    );
    await page.getByRole("button", { name: "Cut a hole" }).click();
    await press(page, [
      [230, 200],
      [260, 200],
      [245, 230],
      [230, 200],
    ]);
    await page.getByRole("table", { name: "Corners: Hole 1" }).waitFor();
    await page.getByRole("button", { name: "Look up the last 30 days" }).click();
    await page.getByRole("cell", { name: "Van 10" }).waitFor();
    await page.getByRole("textbox", { name: "Name" }).fill("North yard");
    await page.getByRole("combobox", { name: "Tags" }).fill("Depot");
    await page.keyboard.press("Enter");
    await page.locator("[data-idle]").waitFor();
    await inspectPage(page, "zone-drawn");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "North yard" }).waitFor();
    const { list } = await account.must("/zone/list", { with_points: true });
    expect(list).toMatchObject([
      { type: "polygon", label: "North yard", points: { length: 4 }, holes: [{ length: 3 }] },
    ]);
    expect(list[0].tags).toHaveLength(1);
    expect(problems).toEqual([]);
    await close();
  });

  test("corners are changed in the table with the keyboard, also across the date line; leaving asks first", async () => {
    const account = await fleet.newAccount();
    const points = [
      [179, -17],
      [-179, -17],
      [-179, -16],
    ].map(([lng, lat]) => ({ lng, lat }));
    const zone = { type: "polygon", label: "Fiji", color: "C2255C", points };
    const { id } = await account.must("/zone/create", { zone });
    await account.must("/zone/create", {
      zone: { type: "circle", label: "Gate", radius: 500, center: { lat: -17.5, lng: 178 } },
    });
    const { page, problems, close } = await fleet.open("/zones", account);
    await page.locator("[data-ready] canvas").waitFor();
    await page.getByRole("link", { name: "Gate" }).waitFor();
    await page.locator("[data-idle]").waitFor();
    await inspectPage(page, "zones", account);
    await page.getByRole("link", { name: "Fiji" }).click();
    await page.getByRole("textbox", { name: "Longitude of 2" }).click();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("-178,5");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Add a corner" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Latitude of 4" }).waitFor();
    await page.getByRole("link", { name: "All zones" }).click();
    await page.getByRole("button", { name: "Stay" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Zones", level: 1 }).waitFor();
    const { value } = await account.must("/zone/read", { zone_id: id, with_points: true });
    expect(value.points.map(({ lng }: Reply) => lng)).toEqual([179, -179, -178.5, expect.any(Number)]);
    expect(Math.abs(value.points[3].lng)).toBeGreaterThan(178);
    expect(problems).toEqual([]);
    await close();
  });

  test("a file is shown with its zones and what is skipped before they are stored; one that is too large is refused", async () => {
    const account = await fleet.newAccount();
    const { page, problems, close } = await fleet.open("/zones/import", account);
    const choose = (name: string, content: string | Uint8Array) =>
      page.getByLabel("File", { exact: true }).setInputFiles({ name, mimeType: "", buffer: Buffer.from(content) });
    await choose("huge.kml", KML.padEnd(16 * 1024 * 1024 + 1));
    await page.getByText("The file is larger than 16 MB.").waitFor();
    const [gate = ""] = /<Placemark><name>Gate.*/.exec(KML) ?? [];
    await choose("gates.kml", KML.replace(gate, gate.repeat(5000)));
    await page.getByText(/at most 5,000 zones/).waitFor();
    const outline = {
      type: "Polygon",
      coordinates: [[178, 179, 179, 178].map((lng, turn) => [lng, turn < 2 ? -17 : -16])],
    };
    for (const [name, content, count] of [
      ["reef.geojson", JSON.stringify(outline), 1],
      ["fiji.kmz", zipSync({ "doc.kml": Buffer.from(KML) }), 2],
    ] as const) {
      await choose(name, content);
      await page.getByText(`${name}: Zones in the file: ${count}`).waitFor();
      await page.getByRole("button", { name: "Another file" }).click();
    }
    await choose("large.kml", KML.padEnd(LARGE_BYTES));
    await page.getByText("large.kml: Zones in the file: 2").waitFor();
    await page.getByRole("cell", { name: "Stub" }).waitFor();
    await page.getByRole("cell", { name: "has too few points" }).waitFor();
    await page.locator("[data-idle]").waitFor();
    await inspectPage(page, "zone-import");
    expect((await account.must("/zone/list")).count).toBe(0);
    await page.getByRole("button", { name: "Import 2" }).click();
    await page.getByRole("link", { name: "Fiji" }).waitFor();
    await page.locator("[data-idle]").waitFor();
    await takeScreenshot(page, "zones-imported-light-en");
    expect((await account.must("/zone/list")).count).toBe(2);
    expect(problems).toEqual([]);
    await close();
  });

  /** An account whose van drives in Africa, where the map begins. */
  async function newFleet(): Promise<Account> {
    const account = await fleet.newAccount();
    const device_id = newImei();
    await account.newTracker({ label: "Van 10", device_id });
    const now = systemNow();
    const points = Array.from({ length: 10 }, (_, age) => {
      const time = now - (age + 1) * 60_000;
      return { time, lat: 25 + age / 100, lng: 10, speed: 40, heading: 0, satellites: 9 };
    });
    await fleet.feed(device_id, points.toReversed());
    return account;
  }
});

/** Presses on the map, at pixels from its corner. */
async function press(page: Page, positions: [x: number, y: number][]) {
  for (const [x, y] of positions) await page.locator("[data-ready] canvas").click({ position: { x, y } });
}

async function drag(page: Page, [fromX, fromY]: [number, number], [toX, toY]: [number, number]) {
  const box = await page.locator("[data-ready] canvas").boundingBox();
  const [left, top] = [box?.x ?? 0, box?.y ?? 0];
  await page.mouse.move(left + fromX, top + fromY);
  await page.mouse.down();
  await page.mouse.move(left + toX, top + toY, { steps: 4 });
  await page.mouse.up();
}
