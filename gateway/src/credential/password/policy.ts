import { invalid } from "#shared/error/api-error.ts";
import { printableText } from "#shared/operation/fields.ts";
import type { GatewayEnv } from "../../env.ts";
import type { UserRow } from "../../table/user.ts";
import { isRightPassword, type PasswordEnv } from "./hash.ts";

type PolicyEnv = PasswordEnv & Pick<GatewayEnv, "PASSWORD_POLICY">;

/** The form of every password. The policy `strict` demands more. */
export const Password = printableText(6, 20);

export const POLICIES = ["standard", "strict"] as const;

/** An unknown value counts as `strict`: a typing error must not weaken passwords. */
export function policyOf({ PASSWORD_POLICY }: PolicyEnv): (typeof POLICIES)[number] {
  return PASSWORD_POLICY === "standard" ? "standard" : "strict";
}

/** Throws 7 with the parameter's name if the installation's policy does not allow the password. */
export function requirePolicy(env: PolicyEnv, password: string, parameter = "password") {
  if (policyOf(env) === "standard" || STRICT_RULES.every((rule) => rule.test(password))) return;
  throw invalid(parameter, "must have 12 to 20 characters: upper-case, lower-case, a digit and one of !@#$%^&*");
}

/** Like `requirePolicy`, for a user who has a password: the policy `strict` also refuses its last passwords. */
export async function requireNewPassword(
  env: PolicyEnv,
  password: string,
  load: () => Promise<Pick<UserRow, "password" | "last_passwords"> | undefined>,
  parameter = "password",
) {
  requirePolicy(env, password, parameter);
  if (policyOf(env) === "standard") return;
  const owner = await load();
  // Sequentially, because each check takes 16 MB.
  for (const stored of owner ? [owner.password, ...owner.last_passwords] : []) {
    if (await isRightPassword(password, stored, env))
      throw invalid(parameter, `must be none of the last ${MAX_LAST_PASSWORDS}`);
  }
}

/** Counts the current password, too. */
const MAX_LAST_PASSWORDS = 10;
const STRICT_RULES = [/^.{12,}$/u, /\p{Lu}/u, /\p{Ll}/u, /\d/, /[!@#$%^&*]/];
