import * as z from "zod";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { ANYONE } from "#shared/operation/serve.ts";
import { operation } from "../operation.ts";
import { Platform, platformOf } from "./platform.ts";
import { requireDealer, requireDealerOfDomain } from "./queries.ts";
import { DealerSettings, settingsOf } from "./settings.ts";

const Dealer = z.object({ id: z.int(), ui_domain: z.string().nullable(), company_url: z.string().nullable() });

export const getUiConfig = operation("/dealer/get_ui_config", {
  summary:
    "The settings of a dealer's interface and the installation's limits: by a domain, or of the dealer of the hash",
  accepts: ANYONE,
  reads: true,
  input: z.object({ domain: z.string().min(1).max(255).optional() }),
  output: z.object({
    dealer: Dealer,
    settings: DealerSettings,
    demo_ends: dateTime().nullable(),
    premium_gis: z.boolean(),
    features: z.array(z.string()),
    platform: Platform,
  }),
  errors: [12],
  async run({ domain }, { db, env, principal, request }) {
    const isKnown = principal.kind !== "nobody";
    if (request.shows_hash === (domain !== undefined)) throw invalid("domain", "is required, or a hash, but not both");
    if (request.shows_hash && !isKnown) throw new ApiError(principal.credential === "none" ? 3 : 4);
    const dealer =
      domain === undefined ? await requireDealer(db, principal.dealer_id) : await requireDealerOfDomain(db, domain);
    const { id, ui_domain, settings, features } = dealer;
    return {
      dealer: { id, ui_domain, company_url: null },
      settings: settingsOf({ ...settings, domain: ui_domain }),
      demo_ends: null,
      premium_gis: features.includes("premium_gis"),
      features,
      platform: platformOf(env),
    };
  },
});

export const operations = [getUiConfig];
