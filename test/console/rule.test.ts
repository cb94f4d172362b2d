import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dayOf } from "../../console/src/format/calendar.ts";
import { newDraft, parametersOf, toNewRule } from "../../console/src/rule/draft.ts";
import type { Parameter } from "../../console/src/rule/parameters.ts";
import type { RuleType } from "../../console/src/rule/rule.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS, MINUTE_MS } from "../../shared/time/duration.ts";
import { type Account, newImei, type Reply } from "../tool/call/account.ts";
import { hasBrowser } from "../tool/console/browser.ts";
import { inspectPage } from "../tool/console/console-page.ts";
import { type ConsolePage, type ConsoleSystem, startConsoleSystem } from "../tool/console/console-system.ts";
import { IS_CAMPAIGN } from "../tool/effort.ts";
import { waitUntil } from "../tool/wait.ts";

const VIOLET = "AA00FF";

describe.skipIf(!hasBrowser)("the console's pages about rules", () => {
  let fleet: ConsoleSystem;
  beforeAll(async () => {
    fleet = await startConsoleSystem();
  });
  afterAll(() => fleet?.stop());

  test("a rule is tried on the last month before it is saved, and a refusal loses nothing of its form", async () => {
    const account = await fleet.newAccount();
    const { zone_id, tracker_id } = await newDrive(account);
    const { page, problems, close } = await fleet.open("/rules", account);
    await page.getByRole("link", { name: "New rule" }).click();
    await page.getByLabel("Name", { exact: false }).first().fill("Gate");
    await pick(page, "Zones", "Depot");
    await pick(page, "Trackers of the rule", "Van 10");
    await page.getByRole("button", { name: "Try the rule" }).click();
    await page.getByText("Events: 3", { exact: true }).waitFor();
    await page.getByRole("button", { name: /: 3$/ }).click();
    expect(await page.getByRole("list", { name: "Events of the trial" }).getByRole("button").count()).toBe(3);
    await page.getByText("At certain hours").click();
    await page.getByRole("button", { name: "Working hours" }).click();
    await page.getByRole("button", { name: "Monday 8:00", exact: true }).focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Space");
    await page.getByRole("list", { name: "Zones on the map" }).getByText("Depot").waitFor();
    await page.locator("[data-ready] canvas").waitFor();
    await waitUntil(
      "the zone is drawn",
      () => countVioletPixels(page),
      (count) => count > 50,
    );
    await inspectPage(page, "rule");
    await page.getByRole("combobox", { name: "E-mail addresses" }).fill("nobody");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Save" }).click();
    await page
      .getByText(/Invalid email/i)
      .first()
      .waitFor();
    await page.getByRole("combobox", { name: "E-mail addresses" }).focus();
    await page.keyboard.press("Backspace");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "Gate" }).waitFor();
    const { list } = await account.must("/tracker/rule/list");
    const weekly = (weekday: number, from: string) => ({
      ...{ type: "weekly", from: { weekday, time: from }, to: { weekday, time: "17:59:59" } },
      interval_id: weekday,
    });
    expect(list).toMatchObject([
      { name: "Gate", type: "inoutzone", zone_ids: [zone_id], trackers: [tracker_id], suspended: false },
    ]);
    expect(list[0].schedule).toEqual([
      weekly(1, "07:00:00"),
      ...[2, 3, 4, 5].map((weekday) => weekly(weekday, "08:00:00")),
    ]);
    expect(problems).toEqual([]);
    await close();
  });

  test.runIf(IS_CAMPAIGN)("a trial without events shows the zones of its rule", async () => {
    const account = await fleet.newAccount();
    await account.newTracker({ label: "Van 11" });
    const zone = { type: "circle", label: "Yard", center: { lat: 50, lng: 8 }, radius: 2000, color: VIOLET };
    await account.must("/zone/create", { zone });
    const { page, problems, close } = await fleet.open("/rules/new", account);
    await pick(page, "Zones", "Yard");
    await pick(page, "Trackers of the rule", "Van 11");
    await page.getByRole("button", { name: "Try the rule" }).click();
    await page.getByText("The rule would have reported nothing.").waitFor();
    await page.getByRole("list", { name: "Zones on the map" }).getByText("Yard").waitFor();
    await waitUntil(
      "the zone is drawn",
      () => countVioletPixels(page),
      (count) => count > 50,
    );
    expect(problems).toEqual([]);
    await close();
  });

  test("rules are switched in their rows, changed, and deleted after a question", async () => {
    const account = await fleet.newAccount();
    const base = { type: "speedup", param: 90, primary_text: "Too fast" };
    for (const name of ["Speed in town", "Speed on roads"])
      await account.must("/tracker/rule/create", { rule: { ...base, name } });
    const rules = async () => (await account.must("/tracker/rule/list")).list;
    const { page, problems, close } = await fleet.open("/rules", account);
    await page.getByRole("switch", { name: /Speed in town/ }).focus();
    await page.keyboard.press("Space");
    await waitUntil("the rule is off", rules, ([town]) => town.suspended === true);
    await inspectPage(page, "rules", account);
    await page.getByRole("link", { name: "Speed in town" }).click();
    const limit = page.getByRole("textbox", { name: /Speed limit/ });
    await limit.fill("5000");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("From 1 to 1000.").first().waitFor();
    await limit.fill("50");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "Speed on roads" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    // The page of a rule has no link to any: the list comes back once the rule is deleted.
    await page.getByRole("link", { name: "Speed in town" }).waitFor();
    await page.getByRole("link", { name: "Speed on roads" }).waitFor({ state: "detached" });
    expect(await rules()).toMatchObject([{ name: "Speed in town", param: 50, suspended: true }]);
    expect(problems).toEqual([]);
    await close();
  });

  test("the form of every kind makes a rule that the API accepts", async () => {
    const account = await fleet.newAccount();
    const { zone_id, tracker_id } = await newDrive(account);
    const { list: types }: { list: RuleType[] } = await account.must("/tracker/rule/type/list");
    const line = [48, 48.1, 48.2].map((lat) => ({ lat, lng: 11.5, node: true }));
    const zone = { type: "sausage", label: "Road", radius: 50 };
    const { id: road } = await account.must("/zone/create", { zone, points: line });
    const { id: other } = await account.newTracker();
    expect(types.length).toBeGreaterThan(50);
    for (const type of types) {
      const draft = {
        ...newDraft(),
        type: type.type,
        name: type.type,
        zoneIds: [type.type === "route" ? road : zone_id],
      };
      const parameters = parametersOf(type, draft);
      const values = Object.fromEntries(parameters.map((one) => [one.name, sampleOf(one, other)]));
      const rows = parameters.flatMap((one) => (one.kind === "perTracker" ? one.members : []));
      const row = Object.fromEntries(rows.map((one) => [one.name, sampleOf(one, other)]));
      const filled = { ...draft, values, perTracker: { [tracker_id]: row }, trackers: [tracker_id] };
      const rule = toNewRule({ ...filled, param: type.param?.max ?? "" }, type);
      expect(await account.call("/tracker/rule/create", { rule }), type.type).toMatchObject({ success: true });
    }
  });

  /** A tracker that was in the zone twice yesterday, and still is. */
  async function newDrive(account: Account) {
    const device_id = newImei();
    const { id: tracker_id } = await account.newTracker({ label: "Van 10", device_id });
    const zone = { type: "circle", label: "Depot", center: { lat: 50, lng: 8 }, radius: 2000, color: VIOLET };
    const { id: zone_id } = await account.must("/zone/create", { zone });
    const start = Date.parse(`${dayOf(systemNow() - DAY_MS, "Europe/Berlin")}T10:00:00Z`);
    const lngs = [7.9, 8, 8.1, 8.2, 8];
    await fleet.feed(
      device_id,
      lngs.map((lng, index) => ({ time: start + index * 10 * MINUTE_MS, lat: 50, lng })),
    );
    return { zone_id, tracker_id };
  }
});

async function pick(page: ConsolePage["page"], label: string, option: string) {
  await page.getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option }).click();
  await page.keyboard.press("Escape");
}

/** The violet pixels of the map: the line around the zone, as nothing else is violet. */
async function countVioletPixels(page: ConsolePage["page"]): Promise<number> {
  const picture = (await page.locator("[data-ready]").screenshot()).toString("base64");
  return page.evaluate<number>(`(async () => {
    const bytes = Uint8Array.from(atob("${picture}"), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4)
      if (data[at] - data[at + 1] > 50 && data[at + 2] - data[at + 1] > 80) count++;
    return count;
  })()`);
}

/** A value that the declaration of the parameter allows. */
function sampleOf(parameter: Parameter, other_tracker: number): Reply {
  if (parameter.kind === "flag") return true;
  if (parameter.kind === "number") return parameter.max ?? parameter.min ?? 7;
  if (parameter.kind === "choice") return parameter.options[0];
  if (parameter.kind === "choices") return parameter.options;
  if (parameter.kind === "reference") return 1;
  if (parameter.kind === "references") return [parameter.to === "tracker" ? other_tracker : 1];
  if (parameter.kind === "group")
    return Object.fromEntries(parameter.members.map((one) => [one.name, sampleOf(one, other_tracker)]));
  return parameter.kind === "text" ? "on" : undefined;
}
