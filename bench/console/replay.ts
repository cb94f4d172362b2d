import { type Browser, chromium, type Page } from "playwright-core";
import { writeUtc } from "../../test/tool/call/utc-time.ts";
import { launchBrowser } from "../../test/tool/console/browser.ts";
import type { Month } from "../point/month.ts";
import type { Account } from "../tool/account.ts";
import { compareRounds, type Figure, type Goal } from "../tool/figure.ts";
import type { Stack } from "../tool/stack.ts";
import { signedInContext } from "./open-console.ts";
import { longestOf, type Task, traceTasks } from "./page-tasks.ts";

const ROUNDS = 3;
const GOAL: Goal = { mostValue: 100 };
/** Sets a mark when the map begins to draw: what comes before is opening the page. */
const MARK_MAP = `new MutationObserver((_, observer) => {
  if (!document.querySelector("[data-ready]")) return;
  observer.disconnect();
  performance.mark("map ready");
}).observe(document, { subtree: true, childList: true, attributes: true });`;

type Trip = { start_date: string; end_date: string };

/**
 * The longest task of the page of journeys: from a map that is ready until a month of points is drawn, before that while the
 * page opens, and in a replay at ×300 of all trips of the busiest day.
 */
export async function replayFigures({ origin }: Stack, account: Account, month: Month): Promise<Figure[]> {
  const day = await busiestDay(account, month);
  const [from, to] = [month.from, month.to].map((time) => new Date(time).toISOString().slice(0, 10));
  const path = `trackers=${month.tracker_id}&from=${from}&to=${to}&rate=300&at=${new Date(day.from).toISOString()}`;
  const server = await launchBrowser();
  const browser = await chromium.connect(server.wsEndpoint());
  const longest: Record<"opening" | "loading" | "replay", Task[]> = { opening: [], loading: [], replay: [] };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const context = await signedInContext(browser, account);
      await context.addInitScript(MARK_MAP);
      const page = await context.newPage();
      const loading = await traceTasks(browser, page, "map ready", () => openMonth(page, `${origin}/journeys?${path}`));
      longest.opening.push(longestOf(loading.before));
      longest.loading.push(longestOf(loading.after));
      longest.replay.push(longestOf(await replay(browser, page, day.to)));
      await context.close();
    }
  } finally {
    await browser.close();
    await server.close();
  }
  return [
    longestTask(
      "console, longest task from a ready map until a month of 62,000 points is drawn",
      longest.loading,
      GOAL,
    ),
    longestTask("console, longest task while that page opens", longest.opening),
    longestTask("console, longest task of a replay of the month's busiest day at ×300", longest.replay, GOAL),
  ];
}

/** The time from the first trip to the end of the last one, on the day with most trips. */
async function busiestDay({ call }: Account, { tracker_id, from, to }: Month) {
  const { list } = await call("/track/list", { tracker_id, from: writeUtc(from), to: writeUtc(to) });
  const trips = list as Trip[]; // the contract's tracks, all of which have both
  const days = Map.groupBy(trips, ({ start_date }) => start_date.slice(0, 10));
  const [busiest = []] = [...days.values()].toSorted((one, other) => other.length - one.length);
  return { from: Date.parse(busiest[0]?.start_date ?? ""), to: Date.parse(busiest.at(-1)?.end_date ?? "") };
}

async function openMonth(page: Page, address: string) {
  await page.goto(address);
  await page.getByText(/^Trips: \d/).waitFor();
  await page.getByRole("status").getByText(/%/).waitFor({ state: "detached" });
  await page.locator("[data-idle] canvas").waitFor();
  // The last points are drawn after they were read.
  await page.waitForTimeout(1000);
}

async function replay(browser: Browser, page: Page, until: number): Promise<Task[]> {
  const { after } = await traceTasks(browser, page, "replay", async () => {
    await page.evaluate(`performance.mark("replay")`);
    await page.getByRole("button", { name: "Play" }).click();
    const moment = page.getByRole("slider", { name: "Moment that is shown" });
    while (Number(await moment.inputValue()) < until) await page.waitForTimeout(1000);
  });
  return after;
}

function longestTask(name: string, tasks: Task[], goal?: Goal): Figure {
  return compareRounds(
    { name, unit: "ms", ...(goal ? { goal } : {}), baseline: { name: "the most work in one", unit: "ms" } },
    tasks.map(({ ms }) => ms),
    tasks.map(({ processorMs }) => processorMs),
  );
}
