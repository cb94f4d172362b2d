import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Account, accountsOn } from "../tool/call/account.ts";
import { listenOnLoopback } from "../tool/listen.ts";
import { startSystem } from "../tool/system/system.ts";

/** The paths that the server of addresses was asked for, in order. */
const asked: string[] = [];
let mode: "answer" | "nothing" | "nonsense" | "broken" | "hang" = "answer";
const STREET = {
  ...{ lat: "48.1371", lon: "11.5754", display_name: "5, Marienplatz, Munich, 80331, Germany" },
  address: {
    house_number: "5",
    road: "Marienplatz",
    city: "Munich",
    state: "Bavaria",
    postcode: "80331",
    country: "Germany",
  },
  boundingbox: ["48.1370", "48.1372", "11.5753", "11.5755"],
};
const server = createServer((request, response) => {
  const path = request.url ?? "";
  asked.push(path);
  if (mode === "hang") return;
  if (mode === "broken") return void response.writeHead(500).end("no");
  if (mode === "nonsense") return void response.end("<html>");
  const nothing = path.includes("/reverse") ? { error: "Unable to geocode" } : [];
  const found = path.includes("/reverse") ? STREET : [STREET];
  response.end(JSON.stringify(mode === "nothing" ? nothing : found));
});

let system: Awaited<ReturnType<typeof startSystem>>;
let account: Account;
let GEOCODER_URL: string;
beforeAll(async () => {
  const port = await listenOnLoopback(server);
  GEOCODER_URL = `http://127.0.0.1:${port}/maps/`;
  system = await startSystem({ GEOCODER_URL });
  account = await accountsOn(system).newAccount();
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await system?.stop();
});
beforeEach(() => {
  mode = "answer";
  asked.length = 0;
});

const find = async (q: string, parameters = {}) =>
  (await account.must("/geocoder/search_address", { q, ...parameters })).locations;

// In this order: after the last the server is left alone.
describe("a server of addresses", { shuffle: false }, () => {
  test("answers of the address server have streets and houses, and are kept", async () => {
    const details = {
      ...{
        country: "Germany",
        province: "Bavaria",
        locality: "Munich",
        street: "Marienplatz",
        house: "5",
        postcode: "80331",
      },
      bounds: { nw: { lat: 48.1372, lng: 11.5753 }, se: { lat: 48.137, lng: 11.5755 } },
    };
    const bounds = { nw: { lat: 49, lng: 11 }, se: { lat: 48, lng: 12 } };
    const search = { with_details: true, lang: "de_DE", bounds };
    const found = [{ lat: 48.1371, lng: 11.5754, address: STREET.display_name, details }];
    expect(await find("Marienplatz 5", search)).toEqual(found);
    expect(await find("Marienplatz 5", search)).toEqual(found);
    expect(asked).toHaveLength(1);
    const { pathname, searchParams } = new URL(`http://server${asked[0]}`);
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([
      "/maps/search",
      expect.objectContaining({
        q: "Marienplatz 5",
        "accept-language": "de",
        viewbox: "11,49,12,48",
        format: "jsonv2",
      }),
    ]);
    const location = { lat: 48.13, lng: 11.57 };
    expect(await account.must("/geocoder/search_location", { location })).toMatchObject({ value: STREET.display_name });
    expect(await find("48.13,11.57")).toEqual([{ ...location, address: STREET.display_name }]);
    // It has answered for this position already.
    expect(asked).toHaveLength(2);
  });

  test("three of many searches at once wait for the address server, the others are answered from the gazetteer", async () => {
    const cities = ["Berlin", "Hamburg", "Cologne", "Frankfurt am Main", "Stuttgart", "Dortmund", "Essen", "Leipzig"];
    const found = await Promise.all(cities.map((city) => find(city)));
    const byServer = found.filter(([first]) => first.address === STREET.display_name);
    expect([byServer.length, asked.length]).toEqual([3, 3]);
    expect(found.filter(([first]) => first.address.endsWith(", Germany"))).toHaveLength(8);
  });

  test("an address that the server does not know is looked up in the gazetteer; one that neither knows is 210", async () => {
    mode = "nothing";
    expect(await account.call("/geocoder/search_address", { q: "Nobody's street" })).toMatchObject({
      status: { code: 210 },
    });
    expect((await find("Paris"))[0].address).toContain("France");
    mode = "nonsense";
    expect((await find("Marseille"))[0].address).toContain("France");
  });

  test("the gazetteer answers while the address server fails, and the server is not asked again for a while", async () => {
    mode = "broken";
    expect((await find("Madrid"))[0].address).toContain("Spain");
    expect((await find("Barcelona"))[0].address).toContain("Spain");
    expect(asked).toHaveLength(1);
  });
});

test("the gazetteer answers where the address server hangs, and the server is not asked again", async () => {
  mode = "hang";
  // One that no question was put to yet: the other leaves its server alone by now.
  const other = await startSystem({ GEOCODER_URL });
  try {
    const caller = await accountsOn(other).newAccount();
    const { locations } = await caller.must("/geocoder/search_address", { q: "Madrid" });
    expect(locations[0].address).toContain("Spain");
    expect(asked).toHaveLength(1);
    expect(
      (await caller.must("/geocoder/search_location", { location: { lat: 48.137, lng: 11.575 } })).value,
    ).toContain("Munich");
    expect(asked).toHaveLength(1);
  } finally {
    await other.stop();
  }
});
