import { chromium, type Page } from "playwright-core";
import { launchBrowser } from "../../test/tool/console/browser.ts";
import type { Month } from "../point/month.ts";
import type { Account } from "../tool/account.ts";
import { compareRounds, type Figure } from "../tool/figure.ts";
import type { Stack } from "../tool/stack.ts";
import { signedInContext } from "./open-console.ts";

const ROUNDS = 3;
const PLAYED_MS = 10_000;
/** The browser reports no shorter task. */
const MIN_TASK_MS = 50;
const GOAL_MS = 100;
/** Keeps the longest task in `longestTask`, which `takeLongest` reads and sets to 0. */
const OBSERVE = `
  globalThis.longestTask = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTask = Math.max(longestTask, duration);
  }).observe({ type: "longtask", buffered: true });`;

/**
 * The longest task of the page of journeys: from its opening until a month of points is drawn, and in the first ten seconds of
 * a replay at ×300, which are fifty minutes of driving.
 */
export async function replayFigures({ origin }: Stack, account: Account, month: Month): Promise<Figure[]> {
  const [from, to] = [month.from, month.to].map((time) => new Date(time).toISOString().slice(0, 10));
  const address = `${origin}/journeys?trackers=${month.tracker_id}&from=${from}&to=${to}&rate=300`;
  const server = await launchBrowser();
  const browser = await chromium.connect(server.wsEndpoint());
  const [loading, playing]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const context = await signedInContext(browser, account);
      await context.addInitScript(OBSERVE);
      const page = await context.newPage();
      await page.goto(address);
      await page.getByText(/^Trips: \d/).waitFor();
      await page.locator("[data-ready] canvas").waitFor();
      await page.getByRole("status").getByText(/%/).waitFor({ state: "detached" });
      // The last points are drawn after they were read.
      await page.waitForTimeout(1000);
      loading.push(await takeLongest(page));
      await page.getByRole("button", { name: "Play" }).click();
      await page.waitForTimeout(PLAYED_MS);
      playing.push(await takeLongest(page));
      await context.close();
    }
  } finally {
    await browser.close();
    await server.close();
  }
  return [
    longestTask("console, longest task until a month of 62,000 points is drawn", loading),
    longestTask("console, longest task of a replay of it at ×300", playing),
  ];
}

async function takeLongest(page: Page): Promise<number> {
  const longest = await page.evaluate<number>(`(() => {
    const longest = longestTask;
    longestTask = 0;
    return longest;
  })()`);
  return Math.max(longest, MIN_TASK_MS);
}

function longestTask(name: string, values: number[]): Figure {
  const described = { name, unit: "ms", goal: { mostValue: GOAL_MS }, baseline: { name: "its goal", unit: "ms" } };
  return compareRounds(
    described,
    values,
    values.map(() => GOAL_MS),
  );
}
