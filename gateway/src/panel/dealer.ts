import * as z from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import { isZone } from "#shared/time/clock.ts";
import { refreshGuards } from "../credential/guard/refresh.ts";
import { changePresentation, changeTrackerDefaults, requireOwnDealer } from "../dealer/queries.ts";
import { DealerSettings, settingsOf } from "../dealer/settings.ts";
import { changeBlocking } from "../dealer/sub-dealer/queries.ts";
import { operation } from "../operation.ts";

export const blockDealer = operation("/panel/dealer/block", {
  summary: "Blocks or unblocks a dealer: its users' log-ins get 11 at once, their sessions end within a minute",
  accepts: ["operator"],
  permission: ["subpaas", "update"],
  input: z.object({ dealer_id: z.int(), blocked: z.boolean() }),
  output: z.object({}),
  errors: [13, 201],
  async run({ dealer_id, blocked }, { db, env, principal }) {
    const block_type = blocked ? "BLOCK_LOGIN" : "NOT_BLOCKED";
    await refreshGuards(env, await changeBlocking(db, principal, dealer_id, block_type));
    return {};
  },
});

const ServiceSettings = DealerSettings.extend({
  limited_domain: z.boolean(),
  allowed_maps: z.array(z.string().max(64)).max(100).nullable(),
  default_user_time_zone: z.string().refine(isZone, { error: "is not a time zone" }).nullable(),
});

export const readServiceSettings = operation("/panel/dealer/settings/service/read", {
  summary: "The settings of the dealer's interface",
  accepts: ["operator"],
  permission: ["service_settings", "read"],
  reads: true,
  input: z.object({}),
  output: z.object({ value: ServiceSettings }),
  errors: [13],
  async run(_input, { db, principal }) {
    const { ui_domain, settings, ...own } = await requireOwnDealer(db, principal);
    const { limited_domain, allowed_maps, default_user_time_zone } = own;
    const whole = settingsOf({ ...settings, domain: ui_domain });
    return { value: { ...whole, limited_domain, allowed_maps, default_user_time_zone } };
  },
});

export const updateServiceSettings = operation("/panel/dealer/settings/service/update", {
  summary: "Changes the settings of the dealer's interface; members left out stay",
  accepts: ["operator"],
  permission: ["service_settings", "update"],
  input: ServiceSettings.partial(),
  output: z.object({}),
  errors: [13, 247],
  async run({ domain, limited_domain, allowed_maps, default_user_time_zone, ...settings }, { db, principal }) {
    // Domain names are case-insensitive.
    const ui_domain = domain?.toLowerCase() ?? domain;
    const changes = { ui_domain, limited_domain, allowed_maps, default_user_time_zone, settings };
    await changePresentation(db, principal, changes);
    return {};
  },
});

const TrackerDefaults = z.object({
  tariff_id: z.int().nullable(),
  activation_bonus: z.number().min(0),
  free_days: z.int().min(0).max(3660),
  free_days_device_limit: z.int().min(0),
});
const NO_DEFAULTS = { tariff_id: null, activation_bonus: 0, free_days: 0, free_days_device_limit: 0 };

export const readTariffDefaults = operation("/panel/tariff/defaults/read", {
  summary: "The defaults for trackers of new users",
  accepts: ["operator"],
  permission: ["tariffs", "read"],
  reads: true,
  input: z.object({}),
  output: z.object({ tracker: TrackerDefaults }),
  errors: [13],
  async run(_input, { db, principal }) {
    return { tracker: (await requireOwnDealer(db, principal)).tracker_defaults ?? NO_DEFAULTS };
  },
});

export const updateTariffDefaults = operation("/panel/tariff/defaults/update", {
  summary: "Sets the default tariff for users created without one",
  accepts: ["operator"],
  permission: ["tariffs", "update"],
  input: z.object({ tracker: TrackerDefaults }),
  output: z.object({}),
  errors: [13, 237, 239],
  async run({ tracker }, { db, env, principal }) {
    if (tracker.tariff_id !== null) {
      const tariff = await env.FLEET.findTariff(principal, tracker.tariff_id);
      if (!tariff) throw new ApiError(239);
      if (!tariff.active || tariff.device_type !== "tracker") throw new ApiError(237);
    }
    await changeTrackerDefaults(db, principal, tracker);
    return {};
  },
});

export const operations = [
  blockDealer,
  readServiceSettings,
  updateServiceSettings,
  readTariffDefaults,
  updateTariffDefaults,
];
