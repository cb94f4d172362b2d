import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { newImei } from "../tool/call/account.ts";
import { hasBrowser } from "../tool/console/browser.ts";
import { inspectPage } from "../tool/console/console-page.ts";
import { type ConsoleSystem, startConsoleSystem } from "../tool/console/console-system.ts";
import { waitUntil } from "../tool/wait.ts";

/** An address on which nothing listens. */
const CLOSED = { address: "127.0.0.1", port: 1 };

describe.skipIf(!hasBrowser)("the console's pages about retranslators", () => {
  let fleet: ConsoleSystem;
  beforeAll(async () => {
    fleet = await startConsoleSystem();
  });
  afterAll(() => fleet?.stop());

  test("a retranslator is made, gets its trackers, shows that it fails, and is switched off and deleted after questions", async () => {
    const account = await fleet.newAccount();
    const device_id = newImei();
    const { id: van } = await account.newTracker({ label: "Van", device_id });
    const { id: bus } = await account.newTracker({ label: "Bus" });
    const { id: truck } = await account.newTracker({ label: "Truck" });
    const { id: tram } = await account.newTracker({ label: "Tram" });
    const { id: cab } = await account.newTracker({ label: "Cab" });
    const { page, problems, close } = await fleet.open("/retranslators", account);
    await page.getByRole("link", { name: "New retranslator" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Partner");
    await page.getByRole("combobox", { name: "Protocol" }).click();
    await page.getByRole("option", { name: "JSON" }).click();
    await page.getByRole("textbox", { name: "Host or address" }).fill("two words");
    await page.getByRole("textbox", { name: "Port" }).fill(`${CLOSED.port}`);
    await page.getByRole("textbox", { name: "Login" }).fill("ann");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("This is needed.").waitFor();
    await page.getByRole("textbox", { name: "Password" }).fill("secret");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("must be the name or address of a host").waitFor();
    await page.getByRole("textbox", { name: "Host or address" }).fill(CLOSED.address);
    await page.getByRole("button", { name: "Save" }).click();

    await page.getByRole("switch", { name: "Forward Van" }).focus();
    await page.keyboard.press("Space");
    await page.getByRole("textbox", { name: "Device ID of Van that is sent" }).fill("Van 7");
    await page.keyboard.press("Enter");
    const status = async () => (await account.must("/retranslator/status/list")).list[0];
    const bindings = async () => {
      const search = { retranslator_ids: [(await status()).retranslator_id], with_bindings: true };
      return (await account.must("/retranslator/status/list", search)).list[0].bindings;
    };
    const sent = { tracker_id: van, fake_device_id: "Van 7" };
    await waitUntil("the id is stored", async () => (await bindings())[0]?.fake_device_id === sent.fake_device_id);
    await page.getByRole("searchbox", { name: "Search in this list" }).fill("tr");
    await page.getByRole("button", { name: "Forward those found: 2" }).click();
    await page.getByRole("textbox", { name: "Device ID of Truck that is sent" }).waitFor();
    expect(await bindings()).toEqual([sent, { tracker_id: truck }, { tracker_id: tram }]);
    await page.getByRole("searchbox", { name: "Search in this list" }).fill("");
    await page.getByRole("button", { name: "Forward all" }).click();
    await page.getByRole("textbox", { name: "Device ID of Cab that is sent" }).waitFor();
    await page.getByRole("switch", { name: "Forward Bus" }).focus();
    await page.keyboard.press("Space");
    await page.getByRole("textbox", { name: "Device ID of Bus that is sent" }).waitFor({ state: "detached" });
    expect(await bindings()).toEqual([sent, { tracker_id: truck }, { tracker_id: tram }, { tracker_id: cab }]);
    expect((await account.must("/tracker/retranslator/list", { tracker_id: bus })).list).toEqual([]);

    await fleet.feed(device_id, [{ time: systemNow(), lat: 48.1, lng: 11.5 }]);
    await waitUntil("the point waits", status, ({ backlog, last_error }) => backlog === 1 && last_error !== null);
    await page.reload();
    await page.getByText("Failing").waitFor();
    await inspectPage(page, "retranslator", account);
    await page.getByRole("switch", { name: "The retranslator is on" }).focus();
    await page.keyboard.press("Space");
    await page.getByRole("dialog").getByText("Points that wait for it are deleted: 1.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Switch off" }).click();
    await page.getByText("Off", { exact: true }).waitFor();
    await page.getByRole("textbox", { name: "Name" }).fill("Customer");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Customer", level: 1 }).waitFor();
    const { list } = await account.must("/retranslator/list");
    expect(list).toMatchObject([{ name: "Customer", ...CLOSED, login: "ann", password: "secret", enabled: false }]);

    await page.getByRole("link", { name: "All retranslators" }).click();
    await page.getByRole("link", { name: "Customer" }).waitFor();
    await inspectPage(page, "retranslators", account);
    await page.getByRole("link", { name: "Customer" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No retranslators yet").waitFor();
    expect((await account.must("/retranslator/list")).list).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });
});
