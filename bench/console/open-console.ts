import type { Browser } from "playwright-core";
import type { Account } from "../tool/account.ts";

/** Opens a browser context with a desktop's screen in which the account is signed in. */
export async function signedInContext(browser: Browser, { hash }: Account) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-US" });
  context.setDefaultTimeout(120_000);
  const session = JSON.stringify(JSON.stringify({ hash, login: "bench@example.com" }));
  await context.addInitScript(`sessionStorage.setItem("fleet-session", ${session})`);
  return context;
}
