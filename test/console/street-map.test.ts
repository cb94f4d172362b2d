import { createServer } from "node:http";
import { GeoJSONVT } from "@maplibre/geojson-vt";
import { fromGeojsonVt } from "@maplibre/vt-pbf";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Account, accountsOn } from "../tool/call/account.ts";
import { hasBrowser } from "../tool/console/browser.ts";
import { newContext, openTab } from "../tool/console/console-page.ts";
import { connectBrowser } from "../tool/console/lent-browser.ts";
import { listenOnLoopback } from "../tool/listen.ts";
import { startSystem } from "../tool/system/system.ts";

const EQUATOR = {
  type: "Feature" as const,
  properties: {},
  geometry: {
    type: "LineString" as const,
    coordinates: [
      [-180, 0],
      [180, 0],
    ],
  },
};

/** A host of a map style, with one street around the Earth. */
async function startStyleHost() {
  const index = new GeoJSONVT(EQUATOR, {});
  const tiles: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    response.setHeader("Access-Control-Allow-Origin", "*");
    if (url === "/style.json") return response.end(JSON.stringify(style));
    const [z = 0, x = 0, y = 0] = url.split(/[/.]/).slice(1).map(Number);
    const tile = index.getTile(z, x, y);
    tiles.push(url);
    return tile ? response.end(fromGeojsonVt({ streets: tile })) : response.writeHead(204).end();
  });
  const origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const style = {
    version: 8,
    sources: { streets: { type: "vector", tiles: [`${origin}/{z}/{x}/{y}.pbf`], maxzoom: 3 } },
    layers: [
      { id: "land", type: "background", paint: { "background-color": "#fff" } },
      { id: "streets", type: "line", source: "streets", "source-layer": "streets", paint: { "line-width": 9 } },
    ],
  };
  return {
    origin,
    tiles,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe.skipIf(!hasBrowser)("a map style of another host", () => {
  let host: Awaited<ReturnType<typeof startStyleHost>>;
  let system: Awaited<ReturnType<typeof startSystem>>;
  let browser: Browser;
  let context: BrowserContext;
  let account: Account;
  beforeAll(async () => {
    host = await startStyleHost();
    const styles = [{ name: "Streets", url: `${host.origin}/style.json` }];
    [system, browser] = await Promise.all([
      startSystem({ WITH_CONSOLE: "1", MAP_STYLES: JSON.stringify(styles) }),
      connectBrowser(),
    ]);
    context = await newContext(browser);
    account = await accountsOn(system).newAccount();
    await account.newTracker();
  });
  afterAll(async () => {
    await browser?.close();
    host?.stop();
    await system?.stop();
  });

  test("the console shows a map style of another host, whose tiles its worker loads", async () => {
    const { page, problems, close } = await openTab(context, system.origin, "/", account);
    await page.locator("[data-idle] canvas").waitFor();
    expect(host.tiles.length).toBeGreaterThan(0);
    expect([...new Set(problems)]).toEqual([`foreign host: ${host.origin}`]);
    await close();
  });

  test("the console shows its own map and says so if the other host does not answer", async () => {
    const { page, close } = await openTab(context, system.origin, "/trackers", account);
    await page.route(`${host.origin}/**`, (route) => route.abort());
    await page.goto(system.origin);
    await page.getByText("The chosen map did not answer. This is the built-in one.").waitFor();
    await page.locator("[data-idle] canvas").waitFor();
    await close();
  });
});
