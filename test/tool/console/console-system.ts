import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { inject } from "vitest";
import { accountsOn } from "../call/account.ts";
import { controls } from "../system/controls.ts";
import { newContext, openTab, type Session } from "./console-page.ts";
import type { LentConsole } from "./lending.ts";

/** The system with the console and the browser that all tests of the console share; a file has a browser context of its own. */
export async function startConsoleSystem() {
  const answer = await fetch(inject("consoleLender"));
  if (!answer.ok) throw new Error(`No console was started: ${await answer.text()}`);
  const { browser: endpoint, ...addresses } = (await answer.json()) as LentConsole; // from lending.ts
  const browser: Browser = await chromium.connect(endpoint);
  const shared: BrowserContext = await newContext(browser);
  const { origin } = addresses;
  return {
    ...accountsOn(addresses),
    system: { ...addresses, ...controls(addresses) },
    /** Opens a page for the account's session, or for nobody; what the console has loaded before stays in the cache. */
    open: (path = "/", session?: Session) => openTab(shared, origin, path, session),
    /** Opens a page in a browser context of its own, for a test that changes what the browser stores. */
    async openApart(path = "/", session?: Session) {
      const context = await newContext(browser);
      return { ...(await openTab(context, origin, path, session)), context, close: () => context.close() };
    },
    /** The contexts of this file end; the system and the browser go on. */
    stop: () => browser.close(),
  };
}

export type ConsoleSystem = Awaited<ReturnType<typeof startConsoleSystem>>;
export type ConsolePage = Awaited<ReturnType<ConsoleSystem["open"]>>;
