import { accountsOn } from "../call/account.ts";
import { startSystem } from "../system/system.ts";
import { launchBrowser } from "./browser.ts";
import { openConsole, type Screen } from "./console-page.ts";

/** The demo account that the system offers; a test creates it. */
export const DEMO = { login: "demo@example.com", password: "Demo-1234-demo" };

/** Lends a system that serves the console, with a browser. All files use the same settings, one after the other. */
export async function startConsoleSystem() {
  const [system, browser] = await Promise.all([
    startSystem({ WITH_CONSOLE: "1", DEMO_LOGIN: JSON.stringify(DEMO) }),
    launchBrowser(),
  ]);
  return {
    ...accountsOn(system),
    system,
    open: (path = "/", screen: Screen = {}) => openConsole(browser, system.origin, path, screen),
    async stop() {
      await browser.close();
      await system.stop();
    },
  };
}

export type ConsoleSystem = Awaited<ReturnType<typeof startConsoleSystem>>;
