import { beforeAll, expect, test } from "vitest";
import { type Account, newAccount } from "../../../../test/tool/call/account.ts";
import { stack } from "../../../../test/tool/system/stack.ts";

const MUNICH = { lat: 48.137, lng: 11.575 };
let account: Account;
beforeAll(async () => {
  account = await newAccount();
});

async function find(q: unknown, parameters = {}): Promise<{ lat: number; lng: number; address: string }[]> {
  return (await account.must("/geocoder/search_address", { q, ...parameters })).locations;
}

test("geocoder/search_address finds an address by any part of it, in any of its languages", async () => {
  for (const q of [
    "Munich",
    "münchen",
    "MUNCHEN",
    "Hauptstr. 5, 80331 München, Germany",
    "мюнхен",
    "Munich, Bavaria",
  ]) {
    const [first] = await find(q);
    expect(first, q).toMatchObject({ address: "Munich, Bavaria, Germany" });
    expect(first?.lat).toBeCloseTo(48.137, 2);
  }
  expect((await find("Munich"))[0]).not.toHaveProperty("details");
  const [detailed] = await find("Munich", { with_details: true });
  expect(detailed).toMatchObject({ details: { country: "Germany", province: "Bavaria", locality: "Munich" } });
});

test("geocoder/search_address chooses between places of one name by the rest of the address, then bounds, then size", async () => {
  const province = async (q: string, parameters = {}) => (await find(q, parameters))[0]?.address;
  expect(await province("Springfield, Illinois")).toBe("Springfield, Illinois, United States");
  expect(await province("Springfield, Massachusetts, USA")).toBe("Springfield, Massachusetts, United States");
  expect(await province("Birmingham")).toContain("United Kingdom");
  expect(await province("Birmingham, United States")).toContain("Alabama");
  const bounds = { nw: { lat: 35, lng: -89 }, se: { lat: 30, lng: -84 } };
  expect(await province("Birmingham", { bounds })).toContain("Alabama");
  // Bounds change the order only.
  expect(await province("Munich", { bounds })).toContain("Bavaria");
  const pacific = { nw: { lat: 90, lng: 100 }, se: { lat: -90, lng: -20 } };
  expect(await province("Birmingham", { bounds: pacific })).toContain("Alabama");
});

test("geocoder/search_address counts a part of an address once, so bounds decide between equal names", async () => {
  const first = async (q: string, parameters = {}) => (await find(q, parameters))[0]?.address;
  const venezuela = { nw: { lat: 12, lng: -73 }, se: { lat: 1, lng: -60 } };
  expect(await first("Valencia")).toContain("Venezuela");
  expect(await first("Valencia", { bounds: venezuela })).toContain("Venezuela");
  const spain = { nw: { lat: 44, lng: -9 }, se: { lat: 36, lng: 3 } };
  expect(await first("Valencia", { bounds: spain })).toContain("Spain");
  expect(await first("Valencia, Spain", { bounds: venezuela })).toContain("Spain");
});

test("geocoder/search_address takes a location as JSON text in a query, a form or a body (7 without lat or lng)", async () => {
  const expected = { locations: [{ ...MUNICH, address: "Munich, Bavaria, Germany" }], success: true };
  const text = JSON.stringify(MUNICH);
  const parameters = new URLSearchParams({ hash: account.hash, q: text });
  const address = `${stack.baseUrl}/geocoder/search_address`;
  for (const reply of [
    await fetch(`${address}?${parameters}`),
    await fetch(address, { method: "POST", body: parameters }),
  ])
    expect(await reply.json()).toEqual(expected);
  expect(await find(text)).toEqual(expected.locations);
  for (const q of ['{"lat":91,"lng":0}', '{"lat":1}', "{}"]) {
    const { status, errors } = await account.call("/geocoder/search_address", { q });
    expect([status.code, errors?.[0]?.parameter], q).toEqual([7, "q"]);
  }
  expect((await account.call("/geocoder/search_address", { q: "{Nowhereville" })).status.code).toBe(210);
});

test("geocoder/search_address and search_location give a position the address of the nearest place", async () => {
  const expected = [{ ...MUNICH, address: "Munich, Bavaria, Germany" }];
  expect(await find("48.137,11.575")).toEqual(expected);
  expect(await find(MUNICH)).toEqual(expected);
  const { value, details } = await account.must("/geocoder/search_location", { location: MUNICH, goal: "ui" });
  expect([value, details]).toEqual(["Munich, Bavaria, Germany", undefined]);
  const far = { location: { lat: 48.3, lng: 11.3 }, with_details: true };
  expect(await account.must("/geocoder/search_location", far)).toMatchObject({
    value: expect.stringMatching(/^[\p{L} ]+ \(\d\d km\), Bavaria, Germany$/u),
    details: { province: "Bavaria" },
  });
});

test("geocoder/search_address names countries in the requested language, else in the user's", async () => {
  for (const lang of ["de", "de_DE", "DE-at"]) {
    expect((await find("Munich", { lang }))[0]?.address, lang).toBe("Munich, Bavaria, Deutschland");
  }
  expect((await find("Munich, Deutschland", { lang: "de" }))[0]?.address).toContain("Deutschland");
  expect((await find("Munich", { lang: "?" }))[0]?.address).toContain("Germany");
  expect((await find("Munich", { lang: "zz" }))[0]?.address).toContain("Germany");
});

test("geocoder calls answer 210 to an unknown address and 7 to an invalid one", async () => {
  const code = async (path: string, parameters: object) => (await account.call(path, parameters)).status?.code;
  for (const q of ["Nowhereville of Nobody", "12345", ",,,", "Germany"]) {
    expect(await code("/geocoder/search_address", { q }), q).toBe(210);
  }
  expect(await code("/geocoder/search_address", { q: "0.0,-150.0" })).toBe(210);
  expect(await code("/geocoder/search_location", { location: { lat: 0, lng: -150 } })).toBe(210);
  for (const q of [undefined, "", " ", "x".repeat(761), { lat: 91, lng: 0 }, 5]) {
    const { status, errors } = await account.call("/geocoder/search_address", { q });
    expect([status.code, errors?.[0]?.parameter.split(".")[0]], JSON.stringify(q)).toEqual([7, "q"]);
  }
  expect(await code("/geocoder/search_address", { q: "Munich", geocoder: "x" })).toBe(7);
  expect(await code("/geocoder/search_location", { location: { lat: 1, lng: 181 } })).toBe(7);
});

test("geocoder/search_address takes operators of full-text search as text", async () => {
  for (const q of ['"', '" OR "', "NEAR(a b)", "names:munich", "munich*", "^munich", "-", "AND"]) {
    expect([0, 210], q).toContain((await account.call("/geocoder/search_address", { q })).status?.code ?? 0);
  }
});
