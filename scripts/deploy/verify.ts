import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { endAtExit } from "../system/processes.ts";
import { ROOT } from "../workers.ts";
import { withoutSecrets } from "./wrangler.ts";

/**
 * Tries the deployed installation as its users do (scripts/smoke.ts), if the environment names an operator for that. False
 * if something did not work; its output says what.
 */
export async function runSmokeTest(
  env: Record<string, string | undefined>,
  report: (line: string) => void,
): Promise<boolean> {
  if (!env.SMOKE_LOGIN || !env.SMOKE_PASSWORD) {
    report("no smoke test: SMOKE_LOGIN and SMOKE_PASSWORD are not set");
    return true;
  }
  const args = [join(ROOT, "scripts", "run.mjs"), "smoke", String(env.PUBLIC_URL)];
  const child = spawn(process.execPath, args, { env: withoutSecrets(env), stdio: ["ignore", "inherit", "inherit"] });
  endAtExit(child);
  const [code] = await once(child, "exit");
  return code === 0;
}
