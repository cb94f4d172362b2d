import * as z from "zod";
import { settingsOf } from "../dealer/settings.ts";
import { operation } from "../operation.ts";
import { toMasterInfo, toUserInfo } from "./info.ts";
import { createDefaultMenu } from "./menu/default.ts";
import { Application } from "./menu/schema.ts";
import { selectSelf } from "./queries.ts";
import { TariffRestrictions, UserInfo } from "./schema.ts";

export const getInfo = operation("/user/get_info", {
  summary: "Everything about the caller: user, dealer, and the abilities of its tariff and group",
  reads: true,
  input: z.object({ application: Application.optional() }),
  output: UserInfo,
  errors: [],
  async run({ application }, { db, env, principal }) {
    const [{ user, master, dealer, menu }, allowed_maps] = await Promise.all([
      selectSelf(db, principal, application),
      env.FLEET.allowedMaps(principal),
    ]);
    const isSubUser = principal.kind === "subuser";
    return {
      paas_id: dealer.id,
      paas_settings: settingsOf({ domain: dealer.ui_domain, ...dealer.settings }),
      user_info: toUserInfo(user, master.demo),
      master: isSubUser ? toMasterInfo(master) : undefined,
      tariff_restrictions: { allowed_maps },
      premium_gis: master.premium_gis,
      features: dealer.features,
      privileges: isSubUser ? { rights: principal.rights } : undefined,
      menu: application === undefined ? undefined : (menu ?? createDefaultMenu(application)),
    };
  },
});

export const getTariffRestrictions = operation("/user/get_tariff_restrictions", {
  summary: "The restrictions of the tariffs of the account's trackers",
  reads: true,
  input: z.object({}),
  output: z.object({ value: TariffRestrictions }),
  errors: [],
  async run(_input, { env, principal }) {
    return { value: { allowed_maps: await env.FLEET.allowedMaps(principal) } };
  },
});

export const operations = [getInfo, getTariffRestrictions];
