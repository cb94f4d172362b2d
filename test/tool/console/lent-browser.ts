import { type Browser, chromium } from "playwright-core";
import { inject } from "vitest";
import type { LentBrowser } from "./lending.ts";

/** A connection to the browser that all tests share; closing it leaves the browser running. */
export async function connectBrowser(): Promise<Browser> {
  const answer = await fetch(`${inject("consoleLender")}/browser`);
  if (!answer.ok) throw new Error(`No browser was started: ${await answer.text()}`);
  const { browser } = (await answer.json()) as LentBrowser; // from lending.ts
  return chromium.connect(browser);
}
