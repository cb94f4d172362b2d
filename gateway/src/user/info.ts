import type { UserRow } from "../table/user.ts";

/** The caller's own data in `/user/get_info`. */
export function toUserInfo(row: UserRow, demo: boolean) {
  const { phone, date_format, hour_mode, iec, legal_name } = row;
  return {
    id: row.id,
    login: row.login,
    title: titleOf(row),
    phone: phone || undefined,
    creation_date: row.creation_date,
    balance: cents(row.balance),
    bonus: cents(row.bonus),
    locale: row.locale,
    demo,
    verified: row.verified,
    legal_type: row.legal_type,
    default_geocoder: row.default_geocoder,
    route_provider: row.route_provider,
    time_zone: row.time_zone,
    measurement_system: row.measurement_system,
    date_format: date_format ?? undefined,
    hour_mode: hour_mode ?? undefined,
    tin: row.tin,
    iec: iec ?? undefined,
    post_country: row.post_country,
    post_region: row.post_region,
    post_index: row.post_index,
    post_city: row.post_city,
    post_street_address: row.post_street_address,
    registered_country: row.registered_country,
    registered_region: row.registered_region,
    registered_index: row.registered_index,
    registered_city: row.registered_city,
    registered_street_address: row.registered_street_address,
    first_name: row.first_name,
    middle_name: row.middle_name,
    last_name: row.last_name,
    legal_name: legal_name ?? undefined,
  };
}

/** The data of its master that a sub-user gets in `/user/get_info`. */
export function toMasterInfo(row: UserRow) {
  const { id, demo, legal_type, first_name, middle_name, last_name, legal_name } = row;
  return {
    id,
    demo,
    legal_type,
    first_name,
    middle_name,
    last_name,
    legal_name: legal_name ?? undefined,
    title: titleOf(row),
    balance: cents(row.balance),
    bonus: cents(row.bonus),
  };
}

/** The company's name; without one the person's name, and without that the login. */
function titleOf({ legal_type, legal_name, first_name, middle_name, last_name, login }: UserRow) {
  if (legal_type === "legal_entity" && legal_name) return legal_name;
  return [first_name, middle_name, last_name].filter(Boolean).join(" ") || login;
}

function cents(amount: number) {
  return Math.round(amount * 100) / 100;
}
