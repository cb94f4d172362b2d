import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { ROOT } from "../../../scripts/workers.ts";
import type { Account } from "../call/account.ts";
import { IS_CAMPAIGN } from "../effort.ts";
import { waitUntil } from "../wait.ts";

/** The session that a page begins with, as the console stores it. */
export type Session = { hash: string; login: string };

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 720 };
/** Generous, because a busy machine is no fault. */
const TIMEOUT_MS = 120_000;
const SCREENSHOTS = join(ROOT, ".build", "screenshots");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

export async function newContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: DESKTOP,
    colorScheme: "light",
    locale: "en-US",
    reducedMotion: "reduce",
    // A quarter of the dots: a processor draws all maps, and only people look closely.
    deviceScaleFactor: IS_CAMPAIGN ? 1 : 0.5,
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  return context;
}

/** Opens the console at a path in a tab of its own, and collects everything that must not happen. */
export async function openTab(context: BrowserContext, origin: string, path = "/", session?: Session) {
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    // A refused call is the console's subject, and the browser logs each of them.
    const isRefusal = /Failed to load resource/.test(message.text());
    if (message.type() === "error" && !isRefusal) problems.push(`console: ${message.text()}`);
  });
  // The policy of the page does not hold for the map's worker.
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (/^http/.test(url.protocol) && url.origin !== origin) problems.push(`foreign host: ${url.origin}`);
  });
  if (session) await beginWith(page, session);
  await page.goto(origin + path);
  return { page, problems, close: () => page.close() };
}

/** Stores the session of the tab once: what the page does with it later stays. */
async function beginWith(page: Page, { hash, login }: Session) {
  const stored = JSON.stringify(JSON.stringify({ hash, login }));
  await page.addInitScript(`if (location.protocol !== "about:" && !sessionStorage.getItem("begun")) {
    sessionStorage.setItem("begun", "1");
    sessionStorage.setItem("fleet-session", ${stored});
  }`);
}

/** Fills in the form and waits until the console shows its navigation. */
export async function signIn(page: Page, { login, password }: { login: string; password: string }) {
  await fillSignIn(page, { login, password });
  await page.locator("#content").waitFor();
}

/** Sends the form of a sign-in, whatever follows. Names of fields do not depend on the language. */
export async function fillSignIn(page: Page, { login, password }: { login: string; password: string }) {
  await page.locator('input[name="login"]').fill(login);
  await page.locator('input[name="password"]').fill(password);
  await page.locator('button[type="submit"]').click();
}

/**
 * Expects that the page is accessible on a desktop in the light theme and on a phone in the dark one. A campaign takes
 * screenshots of all themes, screens and, for a given account, languages.
 */
export async function inspectPage(page: Page, name: string, account?: Account) {
  await expectAccessible(page);
  await takeScreenshot(page, `${name}-light-en`);
  await page.emulateMedia({ colorScheme: "dark" });
  if (IS_CAMPAIGN) {
    await untilAsWide(page);
    await takeScreenshot(page, `${name}-dark-en`);
  }
  await page.setViewportSize(PHONE);
  await expectAccessible(page);
  if (IS_CAMPAIGN) await takeFurtherScreenshots(page, name, account);
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(DESKTOP);
}

async function takeFurtherScreenshots(page: Page, name: string, account?: Account) {
  await takeScreenshot(page, `${name}-dark-en-phone`);
  if (account) {
    await account.must("/user/settings/update", { locale: "de_DE" });
    await page.reload();
    await page.locator('html[lang="de"]').waitFor();
    await expectAccessible(page);
  }
  const language = account ? "de" : "en";
  await page.emulateMedia({ colorScheme: "light" });
  await untilAsWide(page);
  await takeScreenshot(page, `${name}-light-${language}-phone`);
  await page.setViewportSize(DESKTOP);
  await untilAsWide(page);
  await takeScreenshot(page, `${name}-light-${language}`);
  if (!account) return;
  await account.must("/user/settings/update", { locale: "en_US" });
  await page.reload();
  await page.locator('html[lang="en"]').waitFor();
}

/** Expects that the page follows WCAG 2.2 AA as far as axe can tell, and is not wider than the screen. */
export async function expectAccessible(page: Page) {
  await untilAsWide(page);
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE);
  await waitUntil(
    "the page is accessible",
    () => violationsOn(page),
    (violations) => violations.length === 0,
  );
}

/** Waits until the whole page is loaded and as wide as the screen, so that nothing has to be scrolled to from the side. */
export async function untilAsWide(page: Page) {
  await waitUntil(
    "nothing is loading",
    () => page.locator(".mantine-Loader-root").count(),
    (count) => count === 0,
  );
  // A change of theme or size takes effect with the next frames; in the middle of its transition colors are those of neither.
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
  await waitUntil("no transition is running", () =>
    page.evaluate("document.getAnimations().every(({ playState }) => playState !== 'running')"),
  );
  await waitUntil(
    "the page is as wide as the screen",
    () => page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth"),
    (difference) => difference === 0,
  );
}

/** Violations that axe finds on the page as it is. */
async function violationsOn(page: Page): Promise<string[]> {
  return page.evaluate(async (rules) => {
    // biome-ignore lint/suspicious/noExplicitAny: the script of the caller defines it
    const { violations } = await (globalThis as any).axe.run({ runOnly: rules });
    return violations.flatMap((violation: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
      violation.nodes.map(({ html, failureSummary }) => `${violation.id}: ${html} ${failureSummary}`),
    );
  }, RULES);
}

/** In a campaign writes `.build/screenshots/<name>.png`, for people: the browser draws the whole page anew for it. */
export async function takeScreenshot(page: Page, name: string) {
  if (!IS_CAMPAIGN) return;
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
}
