import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BrowserServer, chromium } from "playwright-core";
import { ROOT } from "../../../scripts/workers.ts";

/** Paths at which systems install Chrome or Chromium. */
const USUAL_PATHS = [
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
const FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
/** Flags that compose pages without WebGL, which a processor draws here: pages take less work, and maps more time. */
export const LESS_WORK_FLAGS = ["--disable-gpu-compositing", "--disable-gpu-rasterization"];

/** The installed browser; CHROME_PATH names another one. */
const installed = [process.env.CHROME_PATH ?? "", ...USUAL_PATHS].find((path) => path !== "" && existsSync(path));
const hasPackage = process.platform === "linux" && process.arch === "x64" && isInstalled();

/** Whether the tests of the console can run on this machine. */
export const hasBrowser = installed !== undefined || hasPackage;
if (!hasBrowser) console.log("No browser: tests of the console are skipped. CHROME_PATH names a Chrome or Chromium.");

/** Starts the installed browser, or the one of the package; several processes may connect to it. */
export async function launchBrowser(flags: string[] = []): Promise<BrowserServer> {
  const args = [...FLAGS, ...flags];
  if (installed) return chromium.launchServer({ executablePath: installed, args });
  const folder = await unpackBrowser();
  const executablePath = join(folder, "chromium");
  const fonts = existsSync("/etc/fonts") ? {} : { FONTCONFIG_PATH: join(folder, "fonts") };
  const environment = { ...process.env, ...fonts };
  const libraries = join(folder, "al2023", "lib");
  // Libraries of the system first; those of the package belong to another one.
  return chromium
    .launchServer({ executablePath, args, env: environment })
    .catch(() => chromium.launchServer({ executablePath, args, env: { ...environment, LD_LIBRARY_PATH: libraries } }));
}

/** Unpacks the browser once for each version of the package; several processes may do so at the same time. */
async function unpackBrowser(): Promise<string> {
  const { version }: { version: string } = createRequire(import.meta.url)(packagePath());
  const folder = join(ROOT, ".build", `browser-${version}`);
  if (existsSync(folder)) return folder;
  const fresh = `${folder}.${process.pid}`;
  await mkdir(fresh, { recursive: true });
  const program = join(import.meta.dirname, "unpack-browser.ts");
  await promisify(execFile)(process.execPath, [program], { env: { ...process.env, TMPDIR: fresh } });
  await rename(fresh, folder).catch(async (error) => {
    // Another process was faster.
    if (!existsSync(folder)) throw error;
    await rm(fresh, { recursive: true });
  });
  return folder;
}

function packagePath() {
  return join(ROOT, "node_modules", "@sparticuz", "chromium", "package.json");
}

function isInstalled() {
  return existsSync(packagePath());
}
