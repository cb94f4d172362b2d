import { scryptSync } from "node:crypto";
import { hashPassword } from "../gateway/src/credential/password/hash.ts";
import { BASE, PASSWORD } from "./tool/account.ts";
import { compareRounds, type Figure, rounds } from "./tool/figure.ts";
import { bytesOf, load } from "./tool/load.ts";
import type { Stack } from "./tool/stack.ts";

/** Log-ins are slow on purpose: what they may cost is what the derivation of the key costs. */
export async function loginFigure({ origin }: Stack, login: string): Promise<Figure> {
  const auth = bytesOf({ path: `${BASE}/user/auth`, body: JSON.stringify({ login, password: PASSWORD }) });
  const [N, r, p] = (await hashPassword(PASSWORD, {})).split("$").slice(1).map(Number);
  const perSecond = await rounds({
    derive: () => derivedPerSecond({ N, r, p }),
    auth: async () => (await load(origin, () => auth, { connections: 4, seconds: 1 })).perSecond,
  });
  const unit = "log-ins/s";
  const baseline = { name: `scrypt N=${N} r=${r} p=${p}`, unit };
  return compareRounds({ name: "/user/auth, 4 connections", unit, baseline }, perSecond.auth, perSecond.derive);
}

function derivedPerSecond(cost: { N?: number; r?: number; p?: number }) {
  const start = performance.now();
  let count = 0;
  for (; performance.now() - start < 500; count++) scryptSync(PASSWORD, "0123456789abcdef", 32, cost);
  return (count * 1000) / (performance.now() - start);
}
