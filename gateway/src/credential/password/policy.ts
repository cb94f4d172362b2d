import { invalid } from "#shared/error/api-error.ts";
import { printableText } from "#shared/operation/fields.ts";
import type { GatewayEnv } from "../../env.ts";
import type { UserRow } from "../../table/user.ts";
import { isRightPassword, type PasswordEnv } from "./hash.ts";

type PolicyEnv = PasswordEnv & Pick<GatewayEnv, "PASSWORD_POLICY">;

/** What every password is; the installation may want more of it. */
export const Password = printableText(6, 20);

export const POLICIES = ["standard", "strict"] as const;

/** A word that is neither must not make passwords weaker. */
export function policyOf({ PASSWORD_POLICY }: PolicyEnv): (typeof POLICIES)[number] {
  return PASSWORD_POLICY === "standard" ? "standard" : "strict";
}

/** Refuses by its name what the installation's policy does not allow. */
export function requirePolicy(env: PolicyEnv, password: string, parameter = "password") {
  if (policyOf(env) === "standard" || STRICT_RULES.every((part) => part.test(password))) return;
  throw invalid(parameter, "must have 12 to 20 characters: upper-case, lower-case, a digit and one of !@#$%^&*");
}

/** The same, for a user who has a password; where the policy asks for it, it is none of the last ones. */
export async function requireNewPassword(
  env: PolicyEnv,
  password: string,
  load: () => Promise<Pick<UserRow, "password" | "last_passwords"> | undefined>,
  parameter = "password",
) {
  requirePolicy(env, password, parameter);
  if (policyOf(env) === "standard") return;
  const owner = await load();
  // One after the other: each takes 16 MB.
  for (const stored of owner ? [owner.password, ...owner.last_passwords] : []) {
    if (await isRightPassword(password, stored, env))
      throw invalid(parameter, `must be none of the last ${MAX_LAST_PASSWORDS}`);
  }
}

/** The one in use, and those before it. */
const MAX_LAST_PASSWORDS = 10;
const STRICT_RULES = [/^.{12,}$/u, /\p{Lu}/u, /\p{Ll}/u, /\d/, /[!@#$%^&*]/];
