import { type Account, accountsOf, BASE } from "./tool/account.ts";
import { compareRounds, type Figure } from "./tool/figure.ts";
import { bytesOf, load } from "./tool/load.ts";
import { type Stack, startStack } from "./tool/stack.ts";

/** One way to a database of another town and back. */
const DELAY_MS = 30;
const AT_ONCE = 64;
/** A queue that goes wrong may take its time to. */
const SECONDS = 120;

/** The longest waits among many concurrent writers, for a near and a remote database. */
export async function writerFigures(near: Stack, account: Account): Promise<Figure[]> {
  const far = await startStack({ databasesAway: DELAY_MS });
  try {
    const farAccount = await (await accountsOf(far))("far-writers@example.com");
    return [
      await writerFigure(near, account, "databases beside the Workers"),
      await writerFigure(far, farAccount, `databases ${DELAY_MS} ms away`),
    ];
  } finally {
    await far.stop();
  }
}

async function writerFigure({ origin }: Stack, { hash }: Account, where: string): Promise<Figure> {
  let number = 0;
  const next = () => {
    const body = JSON.stringify({ hash, vehicle: { label: `Written ${number++}` } });
    return bytesOf({ path: `${BASE}/vehicle/create`, body });
  };
  const { p50Ms, p99Ms } = await load(origin, next, { connections: AT_ONCE, seconds: SECONDS });
  const name = `/vehicle/create, ${AT_ONCE} at a time for ${SECONDS} s, ${where}, p99`;
  const baseline = { name: "their p50", unit: "ms" };
  return compareRounds({ name, unit: "ms", goal: { most: 10 }, baseline }, [p99Ms], [p50Ms]);
}
