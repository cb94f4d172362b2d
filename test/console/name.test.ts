import { randomUUID } from "node:crypto";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { hasBrowser } from "../tool/console/browser.ts";
import { untilAsWide } from "../tool/console/console-page.ts";
import { type ConsoleSystem, startConsoleSystem } from "../tool/console/console-system.ts";
import { IS_CAMPAIGN } from "../tool/effort.ts";
import { waitUntil } from "../tool/wait.ts";

const PHONE = { width: 360, height: 720 };
const DESKTOP = { width: 1280, height: 800 };
/** 255 characters without a place to break them. */
const UNBROKEN_NAME = "W".repeat(255);
const ARABIC = "مستودع الشحن 12";
const NAMES = [ARABIC, "上海第三仓库", "מחסן צפון 7", UNBROKEN_NAME];
/** The text of the page and of its fields. */
const TEXTS = `[document.body.innerText, ...[...document.querySelectorAll("input")].map(({ value }) => value)]`;

describe.skipIf(!hasBrowser)("names on the pages of the console", () => {
  let fleet: ConsoleSystem;
  beforeAll(async () => {
    fleet = await startConsoleSystem();
  });
  afterAll(() => fleet?.stop());

  test.runIf(IS_CAMPAIGN)(
    "Arabic, Chinese, Hebrew names and unbroken ones as long as they may be leave each page as wide as a phone or desktop",
    async () => {
      const account = await fleet.newAccount();
      const opened: string[] = [];
      for (const [index, label] of NAMES.entries()) {
        const { id: tracker_id } = await account.newTracker({ label: label.slice(0, 60) });
        const { id: department_id } = await account.must("/department/create", { department: { label } });
        const employee = { first_name: label.slice(0, 100), last_name: label.slice(0, 100), tracker_id, department_id };
        await account.must("/employee/create", { employee });
        const location = { lat: 50, lng: 8, radius: 100 };
        const { id: place_id } = await account.must("/place/create", { place: { label, location } });
        const zone = { type: "circle", label, center: { lat: 50, lng: 8 }, radius: 2000 };
        const { id: zone_id } = await account.must("/zone/create", { zone });
        await account.must("/tag/create", { tag: { name: label.slice(0, 60), color: "2E7D32" } });
        const rule = { type: "speedup", param: 90, primary_text: "Too fast", name: label };
        const { id: rule_id } = await account.must("/tracker/rule/create", { rule });
        const receiver = { protocol_id: 1, address: "points.example.com", port: 5000 + index, enabled: false };
        const retranslator = { name: label.slice(0, 64), ...receiver };
        const { id: retranslator_id } = await account.must("/retranslator/create", { retranslator });
        const event = { event: "sos" as const, message: label, address: label, location: { lat: 50, lng: 8 } };
        await fleet.system.storeEvents([
          { ...event, event_id: randomUUID(), account_id: account.id, tracker_id, time: systemNow() },
        ]);
        // The lists show all names; the longest one is opened, too, and one that is written from right to left.
        if (label !== UNBROKEN_NAME && label !== ARABIC) continue;
        opened.push(
          ...[`/trackers/${tracker_id}`, `/?object=${tracker_id}`, `/journeys?trackers=${tracker_id}`],
          `/retranslators/${retranslator_id}`,
          ...[`/zones/${zone_id}`, `/places/${place_id}`, `/rules/${rule_id}`],
        );
      }
      const { page, problems, close } = await fleet.open("/trackers", account);
      const lists = [
        "/trackers",
        "/zones",
        "/places",
        "/rules",
        "/retranslators",
        "/events",
        "/events?view=table",
        "/",
        "/?by=department",
      ];
      for (const path of [...lists, ...opened]) {
        await page.setViewportSize(PHONE);
        // By way of a page without names, so that those of the page before are not taken for its own.
        await follow(page, "/settings");
        await waitUntil("no name is on /settings", async () => !(await hasNames(page)));
        await follow(page, path);
        await waitUntil(`a name is on ${path}`, () => hasNames(page));
        await untilAsWide(page);
        await page.setViewportSize(DESKTOP);
        await untilAsWide(page);
      }
      expect(problems).toEqual([]);
      await close();
    },
  );

  test("a field with an Arabic name is written from right to left", async () => {
    const account = await fleet.newAccount();
    const place = { label: ARABIC, location: { lat: 50, lng: 8, radius: 100 } };
    const { id } = await account.must("/place/create", { place });
    const { page, close } = await fleet.open(`/places/${id}`, account);
    const field = page.getByRole("textbox", { name: "Name" });
    await field.fill(ARABIC);
    const { x, y, width, height } = await whereIs(field);
    // The text begins at the right: a press at the left end of the field puts the cursor behind its last character.
    await page.mouse.click(x + width * 0.2, y + height / 2);
    await page.keyboard.type("!");
    expect(await field.inputValue()).toBe(`${ARABIC}!`);
    await close();
  });
});

/** Goes on to a path as a link of the console does, without loading the console anew. */
async function follow(page: Page, path: string) {
  await page.evaluate(`history.pushState({}, "", ${JSON.stringify(path)})`);
}

async function hasNames(page: Page) {
  const texts = await page.evaluate<string[]>(TEXTS);
  return NAMES.some((name) => texts.some((text) => text.includes(name.slice(0, 60))));
}

async function whereIs(field: Locator) {
  const box = await field.boundingBox();
  if (!box) throw new Error("The field is not on the page.");
  return box;
}
