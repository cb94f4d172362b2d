import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** A lower cost of hashing, for tests that log in thousands of times. */
export type PasswordEnv = {
  /** The `N` of scrypt, a power of two; refused unless `LOCAL_RUN` is set. */
  PASSWORD_COST?: string;
  LOCAL_RUN?: string;
};
type Cost = { N: number; r: number; p: number };

/** The stored form of a password: method, cost, salt and key, each as text. */
export async function hashPassword(password: string, env: PasswordEnv): Promise<string> {
  const cost = costOf(env);
  const salt = randomBytes(16);
  return toStoredForm(cost, salt, await deriveKey(password, salt, cost));
}

/** Takes as long without a stored form as with one: the time must not reveal which logins exist. */
export async function isRightPassword(
  password: string,
  stored: string | undefined,
  env: PasswordEnv,
): Promise<boolean> {
  const [N, r, p, salt = "", key = ""] = (stored ?? dummyStoredForm(costOf(env))).split("$").slice(1);
  // The cost stored with the password: changing `DEFAULT_COST` must not lock users out.
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await deriveKey(password, Buffer.from(salt, "base64url"), cost);
  return timingSafeEqual(derived, Buffer.from(key, "base64url")) && stored !== undefined;
}

export function costOf({ PASSWORD_COST, LOCAL_RUN }: PasswordEnv): Cost {
  if (!PASSWORD_COST) return DEFAULT_COST;
  if (!LOCAL_RUN) throw new Error("PASSWORD_COST is for local runs only");
  return { ...DEFAULT_COST, N: Number(PASSWORD_COST) };
}

function deriveKey(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, cost, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** A stored form that no password matches. */
function dummyStoredForm(cost: Cost) {
  return toStoredForm(cost, Buffer.alloc(16), Buffer.alloc(KEY_BYTES));
}

function toStoredForm({ N, r, p }: Cost, salt: Buffer, key: Buffer) {
  return ["scrypt", N, r, p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

const KEY_BYTES = 32;
// 16 MB and about 50 ms per check: within a Worker's limits, and guessing is expensive.
export const DEFAULT_COST: Cost = { N: 16384, r: 8, p: 1 };
