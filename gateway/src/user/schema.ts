import * as z from "zod";
import { dateTime } from "#shared/operation/fields.ts";
import { DealerSettings } from "../dealer/settings.ts";
import {
  DATE_FORMATS,
  GEOCODERS,
  HOUR_MODES,
  LEGAL_TYPES,
  MEASUREMENT_SYSTEMS,
  ROUTE_PROVIDERS,
} from "../table/user.ts";
import { Menu } from "./menu/schema.ts";

export const TariffRestrictions = z.object({ allowed_maps: z.array(z.string()) });

export const UserDetails = z.object({
  id: z.int(),
  login: z.string(),
  title: z.string(),
  phone: z.string().optional(),
  creation_date: dateTime(),
  balance: z.number(),
  bonus: z.number(),
  locale: z.string(),
  demo: z.boolean(),
  verified: z.boolean(),
  legal_type: z.enum(LEGAL_TYPES),
  default_geocoder: z.enum(GEOCODERS),
  route_provider: z.enum(ROUTE_PROVIDERS),
  time_zone: z.string(),
  measurement_system: z.enum(MEASUREMENT_SYSTEMS),
  date_format: z.enum(DATE_FORMATS).optional(),
  hour_mode: z.enum(HOUR_MODES).optional(),
  tin: z.string(),
  iec: z.string().optional(),
  post_country: z.string(),
  post_region: z.string(),
  post_index: z.string(),
  post_city: z.string(),
  post_street_address: z.string(),
  registered_country: z.string(),
  registered_region: z.string(),
  registered_index: z.string(),
  registered_city: z.string(),
  registered_street_address: z.string(),
  first_name: z.string(),
  middle_name: z.string(),
  last_name: z.string(),
  legal_name: z.string().optional(),
});

export const Master = UserDetails.pick({
  id: true,
  demo: true,
  legal_type: true,
  first_name: true,
  middle_name: true,
  last_name: true,
  legal_name: true,
  title: true,
  balance: true,
  bonus: true,
});

export const UserInfo = z.object({
  paas_id: z.int(),
  paas_settings: DealerSettings,
  user_info: UserDetails,
  master: Master.optional(),
  tariff_restrictions: TariffRestrictions,
  premium_gis: z.boolean(),
  features: z.array(z.string()),
  privileges: z.object({ rights: z.array(z.string()) }).optional(),
  menu: Menu.optional(),
});
