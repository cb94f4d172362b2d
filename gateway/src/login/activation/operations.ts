import * as z from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import { ANYONE } from "#shared/operation/serve.ts";
import { refreshGuards } from "../../credential/guard/refresh.ts";
import { generateHash, keyOf } from "../../credential/hash.ts";
import { policyOf } from "../../credential/password/policy.ts";
import { toActivationLetter } from "../../mail/letter.ts";
import { ACTIVATION_LIFE_MS, toMailedLink } from "../../mail/link.ts";
import { sendNow, toMailRow } from "../../mail/send.ts";
import { operation } from "../../operation.ts";
import { countMailRequest } from "../attempts/mail-requests.ts";
import { renderLinkPage } from "./page.ts";
import { claimActivationMail, insertLinkMail, storeActivation } from "./queries.ts";

export const activateUser = operation("/user/activate", {
  summary: "Activates the user with the hash of a mailed link; the hash works once",
  accepts: ["activation"],
  masterOnly: true,
  input: z.object({}),
  output: z.object({}),
  errors: [4, 13],
  async run(_input, { db, env, principal, actor }) {
    const ended = await storeActivation(db, principal, actor);
    await refreshGuards(env, ended);
    return {};
  },
});

export const resendActivation = operation("/user/resend_activation", {
  summary: "Mails a new activation link, at most once in five minutes",
  accepts: ANYONE,
  input: z.object({ login: z.string().max(255) }),
  output: z.object({}),
  errors: [201, 209, 264, 265],
  async run({ login }, { db, env, clock, request }) {
    await countMailRequest(env, request.address);
    const now = clock.now();
    const user = await claimActivationMail(db, login, now);
    const hash = generateHash(env);
    const key = keyOf(hash, env);
    const owner = { account_id: user.id, user_id: user.id };
    const address = { dealer_id: user.dealer_id, to: user.login, now };
    const queued = await insertLinkMail(
      db,
      { ...owner, key, kind: "activation", now, lifeMs: ACTIVATION_LIFE_MS },
      toMailRow(env, address, toActivationLetter(user, toMailedLink(request, hash))),
    );
    // A mail that failed but will be tried again counts as sent.
    if ((await sendNow(env, queued)) === "refused") throw new ApiError(209);
    return {};
  },
});

/** The page behind links in mails. It changes nothing until its button is pressed, because mail scanners open links. */
export const activate = operation("/activate", {
  summary: "The page behind a mailed link: activates the user or asks for a new password",
  accepts: ANYONE,
  reads: true,
  reply: ["html"],
  input: z.object({}),
  output: z.object({}),
  errors: [],
  async run(_input, { env, principal }) {
    return renderLinkPage(principal, policyOf(env));
  },
});

export const operations = [activateUser, resendActivation, activate];
