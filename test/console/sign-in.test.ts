import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linkedHash, mailedCode, mailTo, newInactiveUser } from "../tool/call/mailbox.ts";
import { hasBrowser } from "../tool/console/browser.ts";
import { expectAccessible, fillSignIn, inspectPage, openTab, signIn } from "../tool/console/console-page.ts";
import { type ConsoleSystem, startConsoleSystem } from "../tool/console/console-system.ts";
import { DEMO } from "../tool/console/lending.ts";
import { waitUntil } from "../tool/wait.ts";

describe.skipIf(!hasBrowser)("the console's sign-in", () => {
  let fleet: ConsoleSystem;
  beforeAll(async () => {
    fleet = await startConsoleSystem();
  });
  afterAll(() => fleet?.stop());

  test("a user signs in at any address and is where the address leads; a wrong password is told as such", async () => {
    const account = await fleet.newAccount();
    const { page, problems, close } = await fleet.open("/settings");
    await page.getByRole("button", { name: /demo/i }).waitFor();
    await inspectPage(page, "sign-in");
    await fillSignIn(page, { ...account, password: "wrong" });
    await page.getByText("Login or password are wrong.").waitFor();
    await expectAccessible(page);
    await signIn(page, account);
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("a mailed code completes the sign-in of a user with a second step", async () => {
    const account = await fleet.newAccount();
    await account.must("/user/settings/update", { second_factor: "email" });
    const { page, problems, close } = await fleet.open("/settings");
    await fillSignIn(page, account);
    await page.getByLabel("Code").fill("000000");
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByText("The code is wrong.").waitFor();
    await expectAccessible(page);
    await page.getByLabel("Code").fill(await mailedCode(account.login, fleet));
    await page.getByRole("button", { name: "Go on" }).click();
    await page.locator("#content").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("a user who forgot the password gets a link, chooses another one and signs in with it", async () => {
    const account = await fleet.newAccount();
    const { page, problems, close } = await fleet.open("/settings");
    await page.getByRole("button", { name: "Forgot the password?" }).click();
    await page.locator('input[name="login"]').fill(account.login);
    await page.getByRole("button", { name: "Send the link" }).click();
    await page.getByText("the e-mail is on its way").waitFor();
    await expectAccessible(page);
    await waitUntil("the mail with the link is there", () => mailTo(account.login, fleet));
    const hash = await linkedHash(account.login, fleet);
    const letter = await fleet.open(`/api-v2/activate?hash=${hash}`);
    await letter.page.locator('input[name="password"]').fill("another-456");
    await letter.page.getByRole("button", { name: "Save" }).click();
    await letter.page.getByRole("link", { name: "Open the console" }).click();
    await signIn(letter.page, { login: account.login, password: "another-456" });
    expect([...problems, ...letter.problems]).toEqual([]);
    await letter.close();
    await close();
  });

  test("a user who is not activated can ask for a new link, and signs in once it was used", async () => {
    const user = await newInactiveUser(fleet);
    const { page, problems, close } = await fleet.open("/settings");
    await fillSignIn(page, user);
    await page.getByRole("button", { name: "Send a new activation link" }).click();
    await page.getByText(/The e-mail is on its way|Wait five minutes/).waitFor();
    await expectAccessible(page);
    const hash = await linkedHash(user.login, fleet);
    const letter = await fleet.open(`/api-v2/activate?hash=${hash}`);
    await letter.page.getByRole("button", { name: "Activate" }).click();
    await letter.page.getByText("Your account is active").waitFor();
    await signIn(page, user);
    expect(problems).toEqual([]);
    await letter.close();
    await close();
  });

  test("a session stays for the browser if the user wants it, else for its tab; signing out ends it", async () => {
    const account = await fleet.newAccount();
    const { page, context, close } = await fleet.openApart("/settings", account);
    await page.locator("#content").waitFor();
    const other = await openTab(context, fleet.system.origin, "/settings");
    await other.page.locator('input[name="password"]').waitFor();
    await other.page.getByLabel("Stay signed in on this device").check();
    await signIn(other.page, account);
    const third = await openTab(context, fleet.system.origin, "/settings");
    await third.page.locator("#content").waitFor();
    const hash = await third.page.evaluate(`JSON.parse(localStorage.getItem("fleet-session")).hash`);
    await third.page.getByRole("button", { name: /^Account of/ }).click();
    await third.page.getByRole("menuitem", { name: "Sign out" }).click();
    await third.page.locator('input[name="password"]').waitFor();
    expect((await fleet.call("/user/get_info", { hash: String(hash) })).status.code).toBe(4);
    // The tab that used the same session notices it at once, another session goes on.
    await other.page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    await page.locator("#content").waitFor();
    await close();
  });

  test("one press signs in to the demo account", async () => {
    const user = { login: DEMO.login, activated: true, legal_type: "individual", first_name: "Demo" };
    const created = { user, password: DEMO.password, time_zone: "Europe/Berlin", locale: "en_US" };
    await fleet.operator.call("/panel/user/create", created);
    const { page, problems, close } = await fleet.open("/settings");
    await page.getByRole("button", { name: "Look around in the demo" }).click();
    await page.getByRole("button", { name: "Account of Demo" }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });
});
