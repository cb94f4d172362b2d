import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settingsOf, WAYS } from "../../console/src/registration/ways.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { newImei } from "../tool/call/account.ts";
import { hasBrowser } from "../tool/console/browser.ts";
import { inspectPage } from "../tool/console/console-page.ts";
import { type ConsoleSystem, startConsoleSystem } from "../tool/console/console-system.ts";

describe.skipIf(!hasBrowser)("the console's registration of a tracker", () => {
  let fleet: ConsoleSystem;
  beforeAll(async () => {
    fleet = await startConsoleSystem();
  });
  afterAll(() => fleet?.stop());

  test("a phone is registered, sends to the address that the page shows, and its first point appears by itself", async () => {
    const account = await fleet.newAccount();
    const { page, problems, close } = await fleet.open("/trackers", account);
    await page.getByRole("link", { name: "Register a tracker" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Ann's phone");
    await page.getByRole("button", { name: "Register", exact: true }).click();
    await page.getByText("Waiting for the first point").waitFor();
    await page.getByRole("img", { name: "The code has the address." }).waitFor();
    await inspectPage(page, "register-connect");
    const [address = "", id = ""] = await page.locator("pre").allTextContents();
    expect(address).toMatch(/\/api-v2\/ingest\/osmand\?key=[0-9a-f]{32}$/);
    const point = { id, lat: "48.1", lon: "11.5", timestamp: `${Math.floor(systemNow() / 1000)}` };
    const withoutKey = await fetch(`${address.split("?")[0]}?${new URLSearchParams(point)}`);
    expect(withoutKey.status).toBe(404);
    expect((await fetch(`${address}&${new URLSearchParams(point)}`)).status).toBe(200);
    await page.getByText("The first point has arrived.").waitFor();
    await page.getByRole("link", { name: "Open the tracker" }).click();
    await page.getByRole("heading", { name: "Ann's phone", level: 1 }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("an id that is in use is told at its field, and nothing of the form is lost", async () => {
    const account = await fleet.newAccount();
    const device_id = newImei();
    await account.newTracker({ device_id });
    const { page, problems, close } = await fleet.open("/trackers/new", account);
    await page.getByRole("radio", { name: /GPS tracker/ }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Van 3");
    await page.getByRole("textbox", { name: "IMEI" }).fill("12");
    await page.getByRole("button", { name: "Register", exact: true }).click();
    await page.locator("[id$=error]").waitFor();
    await page.getByRole("textbox", { name: "IMEI" }).fill(device_id);
    await page.getByRole("button", { name: "Register", exact: true }).click();
    await page.getByText("This id is registered already.").waitFor();
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Van 3");
    await inspectPage(page, "register", account);
    expect(problems).toEqual([]);
    await close();
  });
});

test("settingsOf gives each way an address with the key, or a header for it", () => {
  const key = "0123456789abcdef";
  const all = WAYS.map((way) => settingsOf(way, "https://fleet.example.com", "3000000001", key));
  expect(all.map(({ address }) => address)).toEqual([
    `https://fleet.example.com/api-v2/ingest/osmand?key=${key}`,
    `https://fleet.example.com/api-v2/ingest/owntracks?id=3000000001&key=${key}`,
    `https://fleet.example.com/api-v2/ingest/overland?id=3000000001&key=${key}`,
    `https://fleet.example.com/api-v2/ingest/osmand?key=${key}`,
    "https://fleet.example.com/api-v2/ingest/points",
  ]);
  expect(all.at(-1)?.example).toContain(`X-Ingest-Key: ${key}`);
  const inline = new URL(all[1]?.code ?? "").searchParams.get("inline") ?? "";
  expect(JSON.parse(atob(inline))).toMatchObject({ _type: "configuration", mode: 3, url: all[1]?.address });
});
