import { text } from "node:stream/consumers";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { type Account, newImei, type Reply } from "../tool/call/account.ts";
import { upload } from "../tool/call/uploads.ts";
import { hasBrowser } from "../tool/console/browser.ts";
import { inspectPage, takeScreenshot } from "../tool/console/console-page.ts";
import { type ConsolePage, type ConsoleSystem, startConsoleSystem } from "../tool/console/console-system.ts";
import { turnedPhoto } from "../tool/document/pictures.ts";
import { IS_CAMPAIGN } from "../tool/effort.ts";
import { waitUntil } from "../tool/wait.ts";

const HOUR_MS = 3_600_000;
const HEADER_PX = 56;
/** The trips begin two days ago, so that they are over whatever the time of day is. */
const START = Math.floor(systemNow() / 60_000) * 60_000 - 48 * HOUR_MS;

describe.skipIf(!hasBrowser)("the console's page of journeys", () => {
  let fleet: ConsoleSystem;
  let account: Account;
  let [van, truck]: number[] = [];
  beforeAll(async () => {
    fleet = await startConsoleSystem();
    account = await newFleet();
  });
  afterAll(() => fleet?.stop());

  test("a vehicle's trips and stays are listed, and a press shows the moment that timeline, slider and vehicle share", async () => {
    const { page, problems, close } = await fleet.open("/journeys", account);
    await page.getByRole("heading", { name: "Choose a vehicle" }).waitFor();
    await page.getByRole("combobox", { name: "Vehicles" }).fill("van");
    await page.getByRole("option", { name: "Van 10" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Period: Today" }).click();
    await page.getByRole("menuitem", { name: "Last 7 days" }).click();
    await page.getByText(/^Trips: 2 · /).waitFor();
    await page.locator("[data-ready] canvas").waitFor();
    await page.getByRole("img", { name: /^Speed over time/ }).waitFor();
    const timeline = timelineOf(page);
    await timeline.getByRole("button", { name: /Check-in: Parcel delivered/ }).waitFor();
    await timeline.getByRole("button", { name: /^Stay/ }).first().focus();
    // Over the heading of the day to the first trip, and from there to the stay after it.
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await timeline.getByRole("button", { name: /^Stay/ }).and(page.locator("[aria-current]")).waitFor();
    await page.getByRole("listitem").getByText("Parked", { exact: true }).waitFor();
    await timeline.getByRole("button", { name: /^Trip/ }).nth(1).click();
    await slider(page).press("ArrowRight");
    await page
      .getByRole("listitem")
      .getByText(/^\d+ km\/h$/)
      .waitFor();
    await inspectPage(page, "journeys", account);
    const { search } = new URL(page.url());
    expect(search).toMatch(/\?trackers=\d+&from=.*&to=.*&at=/);
    const shown = await slider(page).inputValue();
    await page.goto(`${fleet.system.origin}/journeys${search}`);
    await waitUntil(
      "the link shows the same moment",
      () => slider(page).inputValue(),
      (value) => value === shown,
    );
    expect(problems).toEqual([]);
    await close();
  });

  test("a browser that calls its language en-US@posix shows the graph of speeds", async () => {
    const { page, problems, close } = await fleet.open("/favicon.svg", account);
    await page.addInitScript(
      'Object.defineProperty(navigator, "language", { value: "en-US@posix", configurable: true })',
    );
    await page.goto(`${fleet.system.origin}/journeys?trackers=${van}&${days()}`);
    await page.getByRole("img", { name: /^Speed over time/ }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("a check-in chosen in the timeline opens a card with driver and photos, and Escape goes back step by step", async () => {
    const { page, problems, close } = await fleet.open(`/journeys?trackers=${van}&${days()}`, account);
    await page.locator("[data-ready] canvas").waitFor();
    const entry = timelineOf(page).getByRole("button", { name: /^Check-in/ });
    await entry.press("Enter");
    const card = page.getByRole("dialog", { name: "Check-in" });
    for (const text of ["Parcel delivered", "Ann Roe", "Van 10"]) await card.getByText(text, { exact: true }).waitFor();
    await untilFocused(card);
    await inspectPage(page, "journeys-checkin", account);
    // To choose it once more centres the map on it, and shows the card whole again.
    await entry.press("Enter");
    await untilFocused(card);
    await untilStill(page, card);
    const [whole, map] = [await boxOf(card), await boxOf(page.locator("[data-ready]"))];
    expect(whole.y + whole.height).toBeLessThanOrEqual(map.y + map.height);
    await card.getByRole("button", { name: "Photo door.jpg" }).click();
    const photo = page.getByRole("dialog", { name: "door.jpg" }).getByRole("img", { name: "Photo door.jpg" });
    await waitUntil("the large picture is shown", () =>
      photo.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth === 800),
    );
    await takeScreenshot(page, "journeys-photo");
    await page.keyboard.press("Escape");
    await photo.waitFor({ state: "hidden" });
    await untilFocused(card.getByRole("button", { name: "Photo door.jpg" }));
    await page.keyboard.press("Escape");
    await card.waitFor({ state: "hidden" });
    await untilFocused(entry);
    expect(problems).toEqual([]);
    await close();
  });

  test.runIf(IS_CAMPAIGN)(
    "a mark that is pressed on the map opens its card, and a press beside the card closes it",
    async () => {
      const { page, problems, close } = await fleet.open(`/journeys?trackers=${van}&${days()}`, account);
      const map = page.locator("[data-ready] canvas");
      await map.waitFor();
      const card = page.getByRole("dialog");
      await timelineOf(page)
        .getByRole("button", { name: /^Van 10: Parcel delivered/ })
        .click();
      await card.getByText("Van 10: Parcel delivered", { exact: true }).waitFor();
      await card.getByRole("button", { name: "Close" }).click();
      await timelineOf(page).getByRole("button", { name: /^Stay/ }).last().click();
      await card.getByRole("heading", { name: "Stay" }).waitFor();
      const stay = await untilStill(page, card);
      await card.press("Escape");
      await card.waitFor({ state: "hidden" });
      await page.mouse.click(stay.x, stay.y);
      for (const name of ["Duration", "From", "To", "Tracker", "Place"])
        await card.getByRole("term").getByText(name, { exact: true }).waitFor();
      await untilFocused(card);
      await page.mouse.click(stay.x, stay.y - 60);
      await card.waitFor({ state: "hidden" });
      await page.mouse.click(stay.x, stay.y);
      await card.waitFor();
      await page.getByRole("button", { name: /^Stays/ }).click();
      await card.waitFor({ state: "hidden" });
      await page.setViewportSize({ width: 360, height: 720 });
      await timelineOf(page)
        .getByRole("button", { name: /^Check-in/ })
        .click();
      await waitUntil("the whole card is on the screen of a phone", async () => {
        const box = await card.boundingBox();
        return box && box.x >= 0 && box.y >= HEADER_PX && box.x + box.width <= 360 && box.y + box.height <= 720;
      });
      await takeScreenshot(page, "journeys-card-phone");
      await page.setViewportSize({ width: 1280, height: 800 });
      expect(problems).toEqual([]);
      await close();
    },
  );

  test("a replay of two vehicles runs to its end at the chosen pace, follows one, and is downloaded", async () => {
    const lastMinutes = new Date(START + 4.35 * HOUR_MS).toISOString();
    const path = `/journeys?trackers=${van},${truck}&${days()}&rate=300&at=${lastMinutes}`;
    const { page, problems, close } = await fleet.open(path, account);
    await page.getByRole("button", { name: "Follow Truck 4" }).click();
    await page.getByText("by vehicle", { exact: true }).click();
    await page.getByRole("button", { name: "Play" }).click();
    const end = Number(await slider(page).getAttribute("max"));
    await waitUntil("the replay is over", async () => Number(await slider(page).inputValue()) > end - 20_000);
    await page.getByRole("button", { name: "Play" }).waitFor();
    await waitUntil(
      "the address has everything",
      () => new URL(page.url()).search,
      (search) => [`follow=${truck}`, "color=vehicle", "rate=300", "at="].every((part) => search.includes(part)),
    );
    const save = async (format: string) => {
      await page.getByRole("button", { name: "Download the track of Truck 4" }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name: format, exact: true }).click(),
      ]);
      return { name: download.suggestedFilename(), content: await text(await download.createReadStream()) };
    };
    const { content, name } = await save("GeoJSON");
    expect(name).toMatch(/^Truck 4 .*\.geojson$/);
    expect(JSON.parse(content).features).toMatchObject([{ geometry: { type: "MultiLineString" } }]);
    expect((await save("KML")).content).toContain("<kml");
    expect((await save("KMZ")).content).toMatch(/^PK/);
    expect(problems).toEqual([]);
    await close();
  });

  test("the whole fleet is shown at a past moment, and from there the journeys of an object on that day", async () => {
    const time = new Date(START + 20 * 60_000).toISOString();
    const { page, problems, close } = await fleet.open(`/journeys?view=fleet&time=${time}`, account);
    await page.getByRole("button", { name: /^Moving 1/ }).waitFor();
    await page.getByRole("button", { name: /^Parked 1/ }).waitFor();
    await page.getByRole("treeitem", { name: /Van 10/ }).click();
    const details = page.getByRole("complementary", { name: "Van 10" });
    await details.getByText(/^\d+ km\/h$/).waitFor();
    await inspectPage(page, "journeys-fleet", account);
    await page.getByRole("button", { name: "Later by 1 hr" }).click();
    await page.getByRole("button", { name: /^Parked 2/ }).waitFor();
    await details.getByRole("link", { name: "Journeys of this day" }).click();
    await page.getByText(/^Trips: \d · /).waitFor();
    await page.goto(`${fleet.system.origin}/trackers/${van}?${days()}`);
    await page.getByRole("link", { name: "On the map" }).click();
    await page.getByText(/^Trips: 2 · /).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  /** A van with two trips, a stay between them and a check-in of its driver with a photo, and a truck with one later trip. */
  async function newFleet() {
    const made = await fleet.newAccount();
    const devices = [newImei(), newImei()];
    const [one, two] = await Promise.all([
      made.newTracker({ label: "Van 10", device_id: devices[0] ?? "" }),
      made.newTracker({ label: "Truck 4", device_id: devices[1] ?? "" }),
    ]);
    [van, truck] = [one.id, two.id];
    await fleet.feed(devices[0] ?? "", [...drive(0, 48.1), ...drive(2, 48.3)]);
    await fleet.feed(devices[1] ?? "", [point(-1, 48.2, 0), ...drive(4, 48.2)]);
    await made.must("/employee/create", { employee: { first_name: "Ann", last_name: "Roe", tracker_id: van } });
    await made.must("/checkin/create", {
      file_ids: [await uploadPhoto(made)],
      tracker_id: van,
      location: { lat: 48.3, lng: 11.5 },
      comment: "Parcel delivered",
    });
    await waitUntil("the trips are there", async () => {
      const { list } = await made.must("/track/list", { tracker_id: van, from: local(-2), to: local(8) });
      return list.length === 2;
    });
    await fleet.fireCron("tasks");
    await waitUntil("the photo has previews", async () => {
      const { list } = await made.must("/checkin/list");
      return list[0].files.every(({ preview_state }: Reply) => preview_state === "made");
    });
    return made;
  }
});

/** Half an hour of driving to the north that begins at an hour after the start, and then a stay. */
function drive(hour: number, lat: number) {
  const moving = Array.from({ length: 61 }, (_, step) => point(hour + step / 120, lat + step / 300, 48));
  return [...moving, point(hour + 0.6, lat + 0.2, 0), point(hour + 1.5, lat + 0.2, 0)];
}

function point(hour: number, lat: number, speed: number) {
  return { time: START + hour * HOUR_MS, lat, lng: 11.5, speed, heading: 0, satellites: 9 };
}

async function uploadPhoto(account: Account): Promise<number> {
  const photo = turnedPhoto(1);
  const { value } = await account.must("/checkin/image/create", { size: photo.length, filename: "door.jpg" });
  await upload(value, new File([new Uint8Array(photo)], "door.jpg", { type: "image/jpeg" }));
  return value.file_id;
}

function untilFocused(element: Locator) {
  return element.and(element.page().locator(":focus")).waitFor();
}

/**
 * Waits until a card and the map below it stand still, as a press is lost on what moves on before the button is let go.
 * Returns the place that the card points to, in pixels of the page.
 */
async function untilStill(page: ConsolePage["page"], card: Locator) {
  return waitUntil("the map with the card stands still", async () => {
    await page.locator("[data-idle]").waitFor();
    const before = await placeOf(card);
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
    const after = await placeOf(card);
    if (before.x !== after.x || before.y !== after.y) throw new Error("The card moves.");
    return after;
  });
}

/** The place that a card above or below it points to, in pixels of the page. */
async function placeOf(card: Locator) {
  const popup = card.locator("xpath=ancestor::*[contains(@class, 'maplibregl-popup')][last()]");
  const isBelow = (await popup.getAttribute("class"))?.includes("anchor-top");
  const box = await boxOf(popup.locator("xpath=*[1]"));
  return { x: box.x + box.width / 2, y: isBelow ? box.y - 14 : box.y + box.height + 14 };
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error("The element is not on the page.");
  return box;
}

function timelineOf(page: ConsolePage["page"]) {
  return page.getByRole("list", { name: "Timeline" });
}

function slider(page: ConsolePage["page"]) {
  return page.getByRole("slider", { name: "Moment that is shown" });
}

/** A period of the address that has all trips, and this moment, in Berlin. */
function days() {
  const day = (hour: number) => local(hour).slice(0, 10);
  return `from=${day(-24)}&to=${day(50)}`;
}

function local(hour: number) {
  return new Date(START + hour * HOUR_MS).toISOString().slice(0, 19).replace("T", " ");
}
