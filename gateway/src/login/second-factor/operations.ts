import * as z from "zod";
import { refreshGuards } from "../../credential/guard/refresh.ts";
import { deleteCredential, requireMayLogIn } from "../../credential/queries.ts";
import { toCodeLetter } from "../../mail/letter.ts";
import { sendAfterAnswer, toMailRow } from "../../mail/send.ts";
import { operation } from "../../operation.ts";
import { codeFailuresOf } from "../attempts/code-failures.ts";
import { claimCodeMail, countTry, insertMail, replacePendingLogin } from "./queries.ts";
import { generateCode, keyOfCode, toMailAddress } from "./second-step.ts";
import { checkCode } from "./totp.ts";

export const verifyCode = operation("/user/auth/code/verify", {
  summary: "Completes a log-in by the code of a mail or an authenticator; after ten wrong codes log in again",
  accepts: ["second_factor"],
  input: z.object({ code: z.string().max(32) }),
  output: z.object({ hash: z.string() }),
  errors: [4, 11, 104, 105, 275, 282],
  async run({ code: typed }, { db, env, principal, actor, clock }) {
    const code = typed.trim();
    const { attempt, used } = await codeFailuresOf(env, principal.user_id).check(282, async () => {
      const attempt = await countTry(db, principal);
      const isTimed = attempt.factor === "totp";
      // No code is right once the user has turned the authenticator off.
      const isOn = attempt.user.second_factor === "totp";
      const used = isTimed && isOn ? await checkCode(attempt.user, code, env, clock.now()) : undefined;
      const isRight = isTimed ? used !== undefined : attempt.code === keyOfCode(principal.key, code, env);
      if (isRight) return { attempt, used };
      if (attempt.isLast) {
        await deleteCredential(db, principal);
        await refreshGuards(env, [principal.key]);
      }
      return undefined;
    });
    requireMayLogIn(attempt);
    const hash = await replacePendingLogin(db, env, principal, actor, used);
    await refreshGuards(env, [principal.key]);
    return { hash };
  },
});

export const resendCode = operation("/user/auth/code/resend", {
  summary: "Mails a new code, at most once in five minutes; the previous code ends. With an authenticator: 230",
  accepts: ["second_factor"],
  input: z.object({}),
  output: z.object({}),
  errors: [4, 230, 264],
  async run(_input, { db, env, principal, clock }) {
    const now = clock.now();
    const code = generateCode();
    const user = await claimCodeMail(db, principal, keyOfCode(principal.key, code, env), now);
    await sendAfterAnswer(
      env,
      await insertMail(db, toMailRow(env, toMailAddress(user, now), toCodeLetter(user, code))),
    );
    return {};
  },
});

export const operations = [verifyCode, resendCode];
