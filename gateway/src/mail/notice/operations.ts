import * as z from "zod";
import { ANYONE } from "#shared/operation/serve.ts";
import { languageOf } from "#shared/text/language.ts";
import { operation } from "../../operation.ts";
import { renderFormPage } from "../../page/form-page.ts";
import { textsOf } from "../letter.ts";
import { readAddressee } from "./agreement-link.ts";
import { storeAgreement } from "./queries.ts";

const TOKEN = z.object({ token: z.string().max(2000) });

/** Changes nothing until the page's button is pressed, because mail scanners open links. */
export const showAgreement = operation("/notification/agreement/show", {
  summary: "The page behind a mailed link, which asks the recipient for consent to notices of service tasks",
  accepts: ANYONE,
  reads: true,
  reply: ["html"],
  input: TOKEN.extend({ lang: z.string().max(16).default("en") }),
  output: z.object({}),
  errors: [],
  async run({ lang }) {
    const { page } = textsOf(lang);
    return renderFormPage(languageOf(lang), { ...page.agreement, failed: page.failed, url: "accept" });
  },
});

export const acceptAgreement = operation("/notification/agreement/accept", {
  summary: "Gives consent to notices of an account's service tasks, with the token of the mailed link",
  accepts: ANYONE,
  input: TOKEN,
  output: z.object({}),
  errors: [201],
  async run({ token }, { db, env }) {
    await storeAgreement(db, await readAddressee(env, token));
    return {};
  },
});

export const operations = [showAgreement, acceptAgreement];
