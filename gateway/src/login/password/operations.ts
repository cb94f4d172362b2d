import * as z from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import { printableText } from "#shared/operation/fields.ts";
import { ANYONE } from "#shared/operation/serve.ts";
import { refreshGuards } from "../../credential/guard/refresh.ts";
import { generateHash, keyOf } from "../../credential/hash.ts";
import { hashPassword, isRightPassword } from "../../credential/password/hash.ts";
import { Password, requireNewPassword, requirePolicy } from "../../credential/password/policy.ts";
import { toRestoreLetter } from "../../mail/letter.ts";
import { RESTORE_LIFE_MS, toMailedLink } from "../../mail/link.ts";
import { sendAfterAnswer, toMailRow } from "../../mail/send.ts";
import { operation } from "../../operation.ts";
import { insertLinkMail } from "../activation/queries.ts";
import { limitFailures } from "../attempts/defence.ts";
import { countMailRequest } from "../attempts/mail-requests.ts";
import { claimRestoreMail, replacePassword, selectPasswords, setRestoredPassword, writeNothing } from "./queries.ts";

export const setPassword = operation("/user/password/set", {
  summary: "Changes the caller's password; all sessions of the user end, including this one",
  accepts: ["session"],
  input: z.object({ old_password: printableText(1, 40), new_password: Password }),
  output: z.object({}),
  errors: [4, 101, 105, 245, 248],
  async run({ old_password, new_password }, { db, env, principal, actor }) {
    if (principal.demo) throw new ApiError(101);
    requirePolicy(env, new_password, "new_password");
    // Limits guesses of the password by a person who found an open session.
    const failures = limitFailures(env, `password:${principal.user_id}`, Number(env.LOGIN_FAILURES));
    const passwords = await failures.check(248, async () => {
      const stored = await selectPasswords(db, principal);
      return (await isRightPassword(old_password, stored.password, env)) ? stored : undefined;
    });
    if (new_password === old_password) throw new ApiError(245);
    await requireNewPassword(env, new_password, async () => passwords, "new_password");
    const ended = await replacePassword(
      db,
      principal,
      passwords.password,
      await hashPassword(new_password, env),
      actor,
    );
    await refreshGuards(env, ended);
    return {};
  },
});

export const changePassword = operation("/user/password/change", {
  summary: "Sets a new password with the hash of a mailed link; the hash and all sessions of the user end",
  accepts: ["restore"],
  input: z.object({ password: Password }),
  output: z.object({}),
  errors: [4, 101],
  async run({ password }, { db, env, principal, actor }) {
    if (principal.demo) throw new ApiError(101);
    await requireNewPassword(env, password, () => selectPasswords(db, principal));
    const ended = await setRestoredPassword(db, principal, await hashPassword(password, env), actor);
    await refreshGuards(env, ended);
    return {};
  },
});

/** Known and unknown logins get the same answer after as many database calls: neither must reveal which logins exist. */
export const restorePassword = operation("/user/restore_password", {
  summary: "Mails a link to choose a new password, at most once in five minutes; unknown logins get the same answer",
  accepts: ANYONE,
  input: z.object({ login: z.string().max(255) }),
  output: z.object({}),
  errors: [],
  async run({ login }, { db, env, clock, request }) {
    await countMailRequest(env, request.address);
    const now = clock.now();
    const user = await claimRestoreMail(db, login, now);
    // Takes as long as storing the mail to a known login.
    if (!user) return writeNothing(db).then(() => ({}));
    const hash = generateHash(env);
    const owner = { account_id: user.master_id ?? user.id, user_id: user.id };
    const address = { dealer_id: user.dealer_id, to: user.login, now };
    const queued = await insertLinkMail(
      db,
      { ...owner, key: keyOf(hash, env), kind: "restore", now, lifeMs: RESTORE_LIFE_MS },
      toMailRow(env, address, toRestoreLetter(user, toMailedLink(request, hash))),
    );
    await sendAfterAnswer(env, queued);
    return {};
  },
});

export const operations = [setPassword, changePassword, restorePassword];
