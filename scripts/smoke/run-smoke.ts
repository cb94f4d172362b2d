import type { Login } from "../system/operator.ts";
import { ApiCaller } from "./api-caller.ts";
import { SmokeAccount } from "./smoke-account.ts";
import { SmokeSteps } from "./steps.ts";

type Print = (line: string) => void;

/**
 * Tries an installation at `origin` as its users do, in an account that the operator makes and removes again, also when
 * a step fails or `end` is aborted. Answers one sentence for each failure; none: the installation works.
 */
export async function runSmoke(origin: string, operator: Login, print: Print, end: AbortSignal): Promise<string[]> {
  // Nothing cuts off its calls: an interrupted smoke test removes the account, too.
  const account = new SmokeAccount(new ApiCaller(origin));
  const failures: string[] = [];
  const steps = new SmokeSteps(new ApiCaller(origin, end), account);
  end.addEventListener("abort", () => steps.close());
  await attempt([
    ["sign in the operator", () => account.signInOperator(operator)],
    ["create an account", () => account.create()],
    ...steps.list(),
  ]);
  steps.close();
  if (account.mayExist)
    await attempt([["remove everything", () => account.remove()]], `, so the account ${account.login} may still exist`);
  return failures;

  /** Runs the steps up to the first that fails. */
  async function attempt(list: [name: string, run: () => Promise<void>][], consequence = "") {
    for (const [name, run] of list) {
      const start = performance.now();
      try {
        await run();
      } catch (thrown) {
        const reason = thrown instanceof Error ? thrown.message : String(thrown);
        failures.push(`The smoke test failed to ${name}: ${reason}${consequence}.`);
        return;
      } finally {
        print(`${name.padEnd(NAME_WIDTH)} ${(performance.now() - start).toFixed(0).padStart(NUMBER_WIDTH)} ms`);
      }
    }
  }
}

const NAME_WIDTH = 22;
const NUMBER_WIDTH = 7;
