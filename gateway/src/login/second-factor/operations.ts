import { z } from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import { refreshGuards } from "../../credential/guard/refresh.ts";
import { deleteCredential, requireMayLogIn } from "../../credential/queries.ts";
import { codeLetter } from "../../mail/letter.ts";
import { mailRow, sendSoon } from "../../mail/send.ts";
import { operation } from "../../operation.ts";
import { failuresOf } from "../attempts/code-failures.ts";
import { addressOf, keyOfCode, newCode } from "./begin.ts";
import { claimCode, insertMail, replacePending, takeTry } from "./queries.ts";
import { rightCode } from "./totp.ts";

export const verifyCode = operation("/user/auth/code/verify", {
  summary: "Completes a log-in by the mailed code or an authenticator's; after ten wrong ones it begins anew",
  accepts: ["second_factor"],
  input: z.object({ code: z.string().max(32) }),
  output: z.object({ hash: z.string() }),
  errors: [4, 11, 104, 105, 275, 282],
  async run({ code: typed }, { db, env, principal, actor, clock }) {
    const code = typed.trim();
    const failures = failuresOf(env, principal.user_id);
    if (await failures.isFull()) throw new ApiError(105);
    const attempt = await takeTry(db, principal);
    const isTimed = attempt.factor === "totp";
    // Where the user has turned it off since, no code is right.
    const isOn = attempt.user.second_factor === "totp";
    const used = isTimed && isOn ? await rightCode(attempt.user, code, env, clock.now()) : undefined;
    const isRight = isTimed ? used !== undefined : attempt.code === keyOfCode(principal.key, code, env);
    if (!isRight) {
      await failures.fail();
      if (attempt.isLast) {
        await deleteCredential(db, principal);
        await refreshGuards(env, [principal.key]);
      }
      throw new ApiError(282);
    }
    requireMayLogIn(attempt);
    const hash = await replacePending(db, env, principal, actor, used);
    await refreshGuards(env, [principal.key]);
    return { hash };
  },
});

export const resendCode = operation("/user/auth/code/resend", {
  summary: "Mails a new code, at most once in five minutes; the one before ends. An authenticator's is not mailed: 230",
  accepts: ["second_factor"],
  input: z.object({}),
  output: z.object({}),
  errors: [4, 230, 264],
  async run(_input, { db, env, principal, clock }) {
    const now = clock.now();
    const code = newCode();
    const user = await claimCode(db, principal, keyOfCode(principal.key, code, env), now);
    await sendSoon(env, await insertMail(db, mailRow(env, addressOf(user, now), codeLetter(user, code))));
    return {};
  },
});

export const operations = [verifyCode, resendCode];
