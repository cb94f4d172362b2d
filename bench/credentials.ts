import { BASE, callerOf } from "./tool/account.ts";
import { compareRounds, type Figure, rounds } from "./tool/figure.ts";
import { bytesOf, load } from "./tool/load.ts";
import { OPERATOR, type Stack } from "./tool/stack.ts";

/** Calls of many callers, each with a guard of its own, against those of one. */
export async function credentialsFigure({ origin }: Stack, login: string): Promise<Figure> {
  const requests = (await sessionsOf(origin, login)).map((hash) =>
    bytesOf({ path: `${BASE}/base/nothing`, body: JSON.stringify({ hash }) }),
  );
  const [one] = requests;
  let sent = 0;
  const next = () => requests[sent++ % requests.length];
  const perSecond = await rounds({
    one: async () => (await load(origin, () => one)).perSecond,
    many: async () => (await load(origin, next)).perSecond,
  });
  const unit = "requests/s";
  return compareRounds(
    { name: "/base/nothing, 1,000 credentials", unit, baseline: { name: "one credential", unit } },
    perSecond.many,
    perSecond.one,
  );
}

/** Sessions of a user, made by its operator: logging in with a password would take long. Each has made a call. */
async function sessionsOf(origin: string, login: string): Promise<string[]> {
  const call = callerOf(origin);
  const { hash } = await call("/panel/account/auth", OPERATOR);
  const { list } = await call("/panel/user/list", { hash, filter: login });
  const [user] = list as { id: number }[]; // as the operation declares
  const newSession = async () => {
    const session = await call("/panel/user/session/create", { hash, user_id: user?.id });
    await call("/base/nothing", { hash: session.hash });
    return String(session.hash);
  };
  const hashes: string[] = [];
  while (hashes.length < CREDENTIALS) {
    hashes.push(...(await Promise.all(Array.from({ length: AT_ONCE }, newSession))));
  }
  return hashes;
}

const CREDENTIALS = 1000;
const AT_ONCE = 20;
