import { expect, test } from "vitest";
import { newAccount } from "#test/tool/call/account.ts";

test("user/get_info gives a master each member of the contract", async () => {
  const user = {
    first_name: "Ann",
    middle_name: "B",
    last_name: "Lee",
    legal_type: "legal_entity",
    legal_name: "Ek Ltd",
    phone: "15550100123",
    tin: "1234",
    post_country: "DE",
    registered_city: "Ulm",
  };
  const account = await newAccount({ user });
  const info = await account.must("/user/get_info");
  expect(info).toMatchObject({
    success: true,
    paas_id: 1,
    paas_settings: { service_title: "Fleet Desk" },
    tariff_restrictions: { allowed_maps: expect.arrayContaining(["roadmap", "osm"]) },
    premium_gis: false,
    features: [],
  });
  for (const absent of ["master", "privileges", "menu"]) expect(info).not.toHaveProperty(absent);
  expect(info.user_info).toEqual({
    ...user,
    id: account.id,
    login: account.login,
    title: "Ek Ltd",
    creation_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    balance: 0,
    bonus: 0,
    locale: "en_US",
    demo: false,
    verified: true,
    default_geocoder: "osm",
    route_provider: "osrm",
    time_zone: "Europe/Berlin",
    measurement_system: "metric",
    post_region: "",
    post_index: "",
    post_city: "",
    post_street_address: "",
    registered_country: "",
    registered_region: "",
    registered_index: "",
    registered_street_address: "",
  });
});

test("user/get_info gives a menu only for a named application, and a phone only when there is one", async () => {
  const account = await newAccount();
  const { menu, user_info } = await account.must("/user/get_info", { application: "vendor_web" });
  expect(menu).toMatchObject({
    application: "vendor_web",
    main_menu: expect.arrayContaining([{ name: "applications" }]),
  });
  expect(user_info).not.toHaveProperty("phone");
});

test("user/get_info writes dates in the caller's zone and form", async () => {
  const account = await newAccount({ time_zone: "Asia/Kathmandu" });
  const [plain, iso] = [
    await account.must("/user/get_info"),
    await account.must("/user/get_info", {}, { "FMS-ISO-DateTime": "true" }),
  ];
  expect(iso.user_info.creation_date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:45$/);
  expect(iso.user_info.creation_date.slice(0, 19).replace("T", " ")).toBe(plain.user_info.creation_date);
  // The parameter in the body wins over the header.
  const plainAgain = await account.must("/user/get_info", { iso_datetime: false }, { "FMS-ISO-DateTime": "true" });
  expect(plainAgain.user_info.creation_date).toBe(plain.user_info.creation_date);
});

test("user/get_tariff_restrictions gives the maps that the tariff's map filter allows", async () => {
  const account = await newAccount({ plan: { map_filter: { exclusion: false, values: ["osm"] } } });
  expect((await account.must("/user/get_tariff_restrictions")).value).toEqual({ allowed_maps: ["osm"] });
});
