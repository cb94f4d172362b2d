import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "playwright-core";
import { launchBrowser } from "../../test/tool/console/browser.ts";
import type { Account } from "../tool/account.ts";
import { compareRounds, type Figure, median, rounds } from "../tool/figure.ts";
import type { Stack } from "../tool/stack.ts";
import { signedInContext } from "./open-console.ts";
import { playFleet } from "./played-fleet.ts";

type Fleet = Awaited<ReturnType<typeof playFleet>>;

const TRACKERS = 10_000;
const ROUND_SECONDS = 10;
const MEMORY_MINUTES = 5;
const KIBIBYTE = 1024;
/** Files of the map, and those that are loaded when the browser is idle. */
const LATER_FILES = /map|worker|world|places|overlays|\/all-/i;

/** The console in a browser without a screen, with 10,000 trackers that move once a second. */
export async function consoleFigures(stack: Stack, account: Account): Promise<Figure[]> {
  const fleet = await playFleet(stack.origin, TRACKERS);
  const server = await launchBrowser();
  const browser = await chromium.connect(server.wsEndpoint());
  try {
    const load = await loadFigures(browser, fleet, account);
    const { page } = await openMap(browser, fleet, account);
    await page.locator("[data-ready] canvas").waitFor();
    return [...load, await threadFigure(page, fleet), await searchFigure(page), await memoryFigure(page)];
  } finally {
    await browser.close();
    await server.close();
    fleet.stop();
  }
}

/** Measures the time until the list shows its first row, and the bytes loaded until then, without the map. */
async function loadFigures(browser: Browser, fleet: Fleet, account: Account): Promise<Figure[]> {
  const sizes: number[] = [];
  const values = await rounds({
    list: async () => {
      const { milliseconds, kibibytes, context } = await openMap(browser, fleet, account);
      sizes.push(kibibytes);
      await context.close();
      return milliseconds;
    },
    reading: async () => {
      const page = await browser.newPage();
      await page.goto(`${fleet.origin}/health`);
      const script = `(async () => {
        const began = performance.now();
        await (await fetch("/api-v2/tracker/list", { method: "POST", body: "{}" })).json();
        return performance.now() - began;
      })()`;
      const milliseconds = await page.evaluate<number>(script);
      await page.close();
      return milliseconds;
    },
  });
  const baseline = { name: "reading the same list in an empty page", unit: "ms" };
  const usable = { name: "console, until the list of 10,000 is usable", unit: "ms", goal: { mostValue: 1500 } };
  const loaded = { name: "console, first load without the map, gzip", unit: "KiB", goal: { mostValue: 250 } };
  return [
    compareRounds({ ...usable, baseline }, values.list, values.reading),
    compareRounds(
      { ...loaded, baseline: { name: "its goal", unit: "KiB" } },
      sizes,
      sizes.map(() => 250),
    ),
  ];
}

/** Opens the live map for a session in a context of its own. */
async function openMap(browser: Browser, { origin }: Fleet, account: Account) {
  const context = await signedInContext(browser, account);
  const page = await context.newPage();
  const files: Promise<number>[] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    const isFirst = /\.(?:js|css)$/.test(pathname) && !LATER_FILES.test(pathname);
    if (isFirst) files.push(response.body().then((body) => gzipSync(body).byteLength));
  });
  const began = performance.now();
  await page.goto(origin);
  await page.getByText("Truck 1", { exact: true }).waitFor();
  const milliseconds = performance.now() - began;
  const kibibytes = (await Promise.all(files)).reduce((sum, bytes) => sum + bytes, 0) / KIBIBYTE;
  return { context, page, milliseconds, kibibytes };
}

/** Processor time of the page's main thread in a second, against parsing the second's message there. */
async function threadFigure(page: Page, { message }: Fleet): Promise<Figure> {
  const metrics = await metricsOf(page);
  const text = JSON.stringify(message);
  const values = await rounds({
    thread: async () => {
      const before = await metrics();
      await page.waitForTimeout(ROUND_SECONDS * 1000);
      const after = await metrics();
      return ((after.task - before.task) / (after.time - before.time)) * 1000;
    },
    parsing: () =>
      page.evaluate<number>(`((text) => {
        const began = performance.now();
        JSON.parse(text);
        return performance.now() - began;
      })(${text})`),
  });
  return compareRounds(
    {
      name: "console, main thread in a second, 10,000 trackers that move",
      unit: "ms",
      goal: { mostValue: 250 },
      baseline: { name: "parsing the second's message", unit: "ms" },
    },
    values.thread,
    values.parsing,
  );
}

/** Measures the time from a keystroke in the search to the frame that shows its results. */
async function searchFigure(page: Page): Promise<Figure> {
  const field = page.getByRole("searchbox", { name: "Search" });
  const keystroke = `new Promise((resolve) => {
    const began = performance.now();
    addEventListener("input", () => requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began))), { once: true });
  })`;
  const times: number[] = [];
  for (const key of "truck 99") {
    const shown = page.evaluate<number>(keystroke);
    await field.press(key === " " ? "Space" : key);
    times.push(await shown);
    await page.waitForTimeout(300);
  }
  await field.fill("");
  return compareRounds(
    {
      name: "console, a keystroke of the search among 10,000",
      unit: "ms",
      goal: { mostValue: 50 },
      baseline: { name: "a frame", unit: "ms" },
    },
    [median(times)],
    [1000 / 60],
  );
}

/** Memory after minutes of moving trackers, without garbage. */
async function memoryFigure(page: Page): Promise<Figure> {
  const tools = await page.context().newCDPSession(page);
  const used = async () => {
    await tools.send("HeapProfiler.collectGarbage");
    return (await tools.send("Runtime.getHeapUsage")).usedSize / KIBIBYTE ** 2;
  };
  const before = await used();
  await page.waitForTimeout(MEMORY_MINUTES * 60_000);
  return compareRounds(
    {
      name: `console, memory after ${MEMORY_MINUTES} minutes, 10,000 trackers that move`,
      unit: "MiB",
      goal: { most: 1.1 },
      baseline: { name: "before", unit: "MiB" },
    },
    [await used()],
    [before],
  );
}

async function metricsOf(page: Page) {
  const tools = await page.context().newCDPSession(page);
  await tools.send("Performance.enable");
  return async () => {
    const { metrics } = await tools.send("Performance.getMetrics");
    const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
    return { task: of("TaskDuration"), time: of("Timestamp") };
  };
}
