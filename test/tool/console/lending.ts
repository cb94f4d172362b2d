import { createServer } from "node:http";
import type { TestProject } from "vitest/node";
import { listenOnLoopback } from "../listen.ts";
import type { Addresses } from "../system/controls.ts";
import { startRunningSystem } from "../system/running-system.ts";
import { LESS_WORK_FLAGS, launchBrowser } from "./browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL that answers the system and the browser that all tests of the console share, and with /browser the browser alone. */
    consoleLender: string;
  }
}

/** Where the shared browser listens. */
export type LentBrowser = { browser: string };
/** A system that serves the console, and the browser. */
export type LentConsole = Addresses & LentBrowser;

/** The demo account that the system offers; a test creates it. */
export const DEMO = { login: "demo@example.com", password: "Demo-1234-demo" };

/**
 * Vitest's global setup for tests of the console: one system and one browser for all of them, which start with the first
 * test that asks.
 */
export default async function setup(project: TestProject) {
  let system: ReturnType<typeof startConsole> | undefined;
  let browser: ReturnType<typeof launchBrowser> | undefined;
  const server = createServer(async ({ url }, response) => {
    try {
      browser ??= launchBrowser(LESS_WORK_FLAGS);
      if (url !== "/browser") system ??= startConsole();
      const [console, launched] = await Promise.all([system, browser]);
      response.end(JSON.stringify({ ...console?.addresses, browser: launched.wsEndpoint() }));
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.stack : String(error));
    }
  });
  const port = await listenOnLoopback(server);
  project.provide("consoleLender", `http://127.0.0.1:${port}`);
  return async () => {
    server.close();
    server.closeAllConnections();
    await (await browser)?.close();
    await (await system)?.stop();
  };
}

function startConsole() {
  return startRunningSystem(
    { WITH_CONSOLE: "1", DEMO_LOGIN: JSON.stringify(DEMO), AUDIT_DELAY_SECONDS: "3600" },
    false,
  );
}
