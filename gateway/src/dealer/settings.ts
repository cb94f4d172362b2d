import * as z from "zod";
import type { DealerSettings as Settings } from "../table/dealer.ts";

const nullableText = () => z.string().nullable();

export const DealerSettings = z.object({
  domain: nullableText(),
  service_title: z.string(),
  locale: z.string(),
  demo_login: z.string(),
  demo_password: z.string(),
  maps: z.array(z.string()).max(100),
  default_map: z.object({
    type: z.string(),
    location: z.object({ lat: z.number(), lng: z.number() }),
    zoom: z.int(),
  }),
  currency: z.string(),
  payment_link: nullableText(),
  promo_url: nullableText(),
  google_client_id: nullableText(),
  favicon: nullableText(),
  logo: nullableText(),
  app_logo: nullableText(),
  login_wallpaper: nullableText(),
  desktop_wallpaper: nullableText(),
  monitoring_logo: nullableText(),
  login_footer: z.string(),
  allow_registration: z.boolean(),
  show_mobile_apps: z.boolean(),
  show_call_notifications: z.boolean(),
  default_user_settings: z.object({
    geocoder: z.string(),
    route_provider: z.string(),
    measurement_system: z.string(),
    translit: z.boolean(),
  }),
  display_model_features_link: z.boolean(),
  color_theme: z.string(),
  app_color_theme: z.string(),
  privacy_policy_link: nullableText(),
  tos: nullableText(),
  tracker_model_filter: z.object({ exclusion: z.boolean(), values: z.array(z.string()).max(1000) }),
  internal: z.object({
    light_registration: z.boolean(),
    demo_tracker_source_id: z.int().nullable(),
    demo_tracker_label: z.string(),
  }),
  no_register_commands: z.boolean(),
}) satisfies z.ZodType<Settings>;

/** Completes a dealer's own settings with the defaults. */
export function settingsOf(own: Partial<Settings>): Settings {
  return { ...DEFAULTS, ...own };
}

const DEFAULTS: Settings = {
  domain: null,
  service_title: "Fleet Desk",
  locale: "en_US",
  demo_login: "",
  demo_password: "",
  maps: ["roadmap", "osm"],
  default_map: { type: "osm", location: { lat: 48.14, lng: 11.57 }, zoom: 10 },
  currency: "EUR",
  payment_link: null,
  promo_url: null,
  google_client_id: null,
  favicon: null,
  logo: null,
  app_logo: null,
  login_wallpaper: null,
  desktop_wallpaper: null,
  monitoring_logo: null,
  login_footer: "",
  allow_registration: false,
  show_mobile_apps: false,
  show_call_notifications: false,
  default_user_settings: { geocoder: "osm", route_provider: "osrm", measurement_system: "metric", translit: false },
  display_model_features_link: false,
  color_theme: "",
  app_color_theme: "",
  privacy_policy_link: null,
  tos: null,
  tracker_model_filter: { exclusion: true, values: [] },
  internal: { light_registration: false, demo_tracker_source_id: null, demo_tracker_label: "Demo tracker" },
  no_register_commands: false,
};
