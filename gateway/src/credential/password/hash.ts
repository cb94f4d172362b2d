import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** The stored form of a password: method, cost, salt and key, each as text. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/** Takes as long for no stored form as for a wrong password: the time must not tell which logins exist. */
export async function passwordFits(password: string, stored: string | undefined): Promise<boolean> {
  const [salt = "", key = ""] = (stored ?? NOBODYS).split("$").slice(4);
  const derived = await derive(password, Buffer.from(salt, "base64url"));
  const expected = Buffer.from(key, "base64url");
  return timingSafeEqual(derived, expected) && stored !== undefined;
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, COST, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

const KEY_BYTES = 32;
// 16 MB and some 50 ms a try: fits a Worker's memory and its CPU limit, and makes guessing dear.
const COST = { N: 16384, r: 8, p: 1 };
const NOBODYS = `scrypt$16384$8$1$${Buffer.alloc(16).toString("base64url")}$${Buffer.alloc(KEY_BYTES).toString("base64url")}`;
