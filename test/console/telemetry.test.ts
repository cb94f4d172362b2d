import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { newImei } from "../tool/call/account.ts";
import { hasBrowser } from "../tool/console/browser.ts";
import { inspectPage } from "../tool/console/console-page.ts";
import { type ConsoleSystem, startConsoleSystem } from "../tool/console/console-system.ts";
import { waitUntil } from "../tool/wait.ts";

describe.skipIf(!hasBrowser)("the console's cards about the data of a device", () => {
  let fleet: ConsoleSystem;
  beforeAll(async () => {
    fleet = await startConsoleSystem();
  });
  afterAll(() => fleet?.stop());

  test("messages arrive live, and a sensor shows what it makes of them before it is saved", async () => {
    const account = await fleet.newAccount();
    const device_id = newImei();
    const { id: tracker_id } = await account.newTracker({ label: "Van 10", device_id });
    const send = (fuel: number) =>
      fleet.feed(device_id, [{ time: systemNow(), lat: 48.1, lng: 11.5, attributes: { lls_level_1: fuel } }]);
    await send(400);
    const { page, problems, close } = await fleet.open(`/trackers/${tracker_id}`, account);
    await page.getByRole("cell", { name: "400", exact: true }).waitFor();
    await page.getByRole("button", { name: "New sensor" }).click();
    const card = page.getByRole("region", { name: "Sensors and inputs" });
    await card.getByRole("textbox", { name: "Name" }).fill("Tank");
    await card.getByRole("combobox", { name: "Attribute of the device" }).fill("lls_level_1");
    await card.getByRole("textbox", { name: "Divider" }).fill("0");
    await card.getByRole("textbox", { name: "Unit" }).fill("l");
    await card.getByRole("button", { name: "Save" }).click();
    await card.getByText("must not be 0").waitFor();
    await card.getByRole("textbox", { name: "Divider" }).fill("10");
    await card.getByText("400 ÷ 10 = 40 l").waitFor();
    await send(500);
    await card.getByText("500 ÷ 10 = 50 l").waitFor();
    await inspectPage(page, "telemetry");
    await card.getByRole("button", { name: "Save" }).click();
    await card.getByText("lls_level_1 ÷ 10 · l").waitFor();
    expect((await account.must("/tracker/sensor/list", { tracker_id })).list).toMatchObject([
      { name: "Tank", type: "metering", input_name: "lls_level_1", divider: 10, units: "l" },
    ]);
    await card.getByRole("button", { name: "Delete Tank" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await card.getByText(/No sensors yet/).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("points are forwarded to a server once its switch is on", async () => {
    const account = await fleet.newAccount();
    const { id: tracker_id } = await account.newTracker({ label: "Van 12" });
    const retranslator = { name: "Partner", protocol_id: 1, address: "points.example.com", port: 5000, enabled: false };
    await account.must("/retranslator/create", { retranslator });
    const { page, problems, close } = await fleet.open(`/trackers/${tracker_id}`, account);
    const card = page.getByRole("region", { name: "Forwarding to other servers" });
    await card.getByRole("switch", { name: "Forward to Partner" }).focus();
    await page.keyboard.press("Space");
    await waitUntil("the tracker is bound", async () => {
      const { list } = await account.must("/tracker/retranslator/list", { tracker_id });
      return list.length === 1;
    });
    expect(problems).toEqual([]);
    await close();
  });

  test("a counter is set, and a new ingest key is shown once and demanded from then on", async () => {
    const account = await fleet.newAccount();
    const device_id = newImei();
    const { id: tracker_id } = await account.newTracker({ label: "Van 11", device_id });
    const { page, problems, close } = await fleet.open(`/trackers/${tracker_id}`, account);
    await page.getByRole("textbox", { name: "New value (km)" }).fill("1234");
    await page.getByRole("button", { name: "Set", exact: true }).click();
    await page.getByText("1,234 km").waitFor();
    await page.getByRole("button", { name: "Make a new key" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Make a new key" }).click();
    const key = await page.getByText(/^[0-9a-f]{32}$/).textContent();
    const point = [{ time: systemNow(), lat: 48.1, lng: 11.5 }];
    await waitUntil("points without the key are refused", async () => {
      const { success } = await fleet.call("/ingest/points", { device_id, points: point });
      return success === false;
    });
    const headers = { "X-Ingest-Key": key ?? "" };
    expect(await fleet.call("/ingest/points", { device_id, points: point }, headers)).toMatchObject({ success: true });
    expect(problems).toEqual([]);
    await close();
  });
});
