import type { SiteKey } from "./sites.ts";

export const GROUPS = { west: "Munich west", city: "Munich city", istria: "Istria" };
export const DEPARTMENTS = { parcels: "Parcel delivery", cold: "Cold chain", service: "Field service" };
export const TAGS = { cold: "Refrigerated", express: "Express", tools: "Carries tools", customer: "Key account" };

/** A vehicle of the demo fleet with its tracker and its driver. All names and plates are invented. */
export type FleetVehicle = {
  /** Names the vehicle in the file of the demo, whatever its label becomes. */
  key: string;
  label: string;
  reg_number: string;
  model: string;
  type: "car" | "truck" | "special";
  subtype: string;
  group: keyof typeof GROUPS;
  department: keyof typeof DEPARTMENTS;
  tags: (keyof typeof TAGS)[];
  driver: [first: string, last: string];
  /** Liters; the vehicle has a sensor of the fuel level. */
  tank?: number;
  /** The vehicle has a sensor of the temperature in its box. */
  isRefrigerated?: true;
  /** The sites between which the vehicle drives, its base first, and the minutes that it stands at each. */
  circuit: { stops: SiteKey[]; minutes: number[] };
};

export const VEHICLES: FleetVehicle[] = [
  {
    ...{
      key: "van-1",
      label: "Van 1",
      reg_number: "M-IS 1041",
      model: "Sprinter 317",
      type: "car",
      subtype: "minivan",
    },
    ...{ group: "west", department: "parcels", tags: ["express"], driver: ["Jonas", "Huber"], tank: 71 },
    circuit: { stops: ["depot", "schwabing"], minutes: [24, 16] },
  },
  {
    ...{ key: "van-2", label: "Van 2", reg_number: "M-IS 1042", model: "Crafter 35", type: "car", subtype: "minivan" },
    ...{ group: "west", department: "parcels", tags: [], driver: ["Miriam", "Schuster"], tank: 75 },
    circuit: { stops: ["depot", "westend", "neuhausen"], minutes: [28, 9, 12] },
  },
  {
    ...{ key: "van-3", label: "Van 3", reg_number: "M-IS 1043", model: "e-Transit", type: "car", subtype: "minivan" },
    ...{ group: "city", department: "parcels", tags: ["express"], driver: ["Tarek", "Aydin"] },
    circuit: { stops: ["schwabing", "neuhausen", "dachauer"], minutes: [20, 8, 7] },
  },
  {
    ...{ key: "van-4", label: "Van 4", reg_number: "M-IS 1044", model: "e-Transit", type: "car", subtype: "minivan" },
    ...{ group: "city", department: "parcels", tags: [], driver: ["Lena", "Brandl"] },
    circuit: { stops: ["neuhausen", "westend", "schwabing"], minutes: [18, 11, 14] },
  },
  {
    ...{ key: "cold-1", label: "Cold truck 1", reg_number: "M-IS 2210", model: "Atego 1224", type: "truck" },
    ...{ subtype: "refrigerator", group: "west", department: "cold", tags: ["cold"], driver: ["Markus", "Ederer"] },
    ...{ tank: 180, isRefrigerated: true },
    circuit: { stops: ["depot", "neuhausen", "schwabing", "westend"], minutes: [35, 14, 18, 10] },
  },
  {
    ...{ key: "cold-2", label: "Cold truck 2", reg_number: "M-IS 2211", model: "Eurocargo 75", type: "truck" },
    ...{ subtype: "refrigerator", group: "west", department: "cold", tags: ["cold"], driver: ["Ivana", "Petrova"] },
    ...{ tank: 115, isRefrigerated: true },
    circuit: { stops: ["lochham", "schwabing"], minutes: [30, 22] },
  },
  {
    ...{ key: "cold-3", label: "Cold van 3", reg_number: "M-IS 2212", model: "Transit Kombi", type: "truck" },
    ...{ subtype: "refrigerator", group: "city", department: "cold", tags: ["cold", "express"] },
    ...{ driver: ["Paul", "Wagner"], isRefrigerated: true },
    circuit: { stops: ["schwabing", "westend"], minutes: [22, 15] },
  },
  {
    ...{
      key: "truck-4",
      label: "Truck 4",
      reg_number: "M-IS 2230",
      model: "TGL 12.250",
      type: "truck",
      subtype: "covered",
    },
    ...{ group: "west", department: "parcels", tags: [], driver: ["Stefan", "Moser"], tank: 200 },
    circuit: { stops: ["depot", "lochham", "neuhausen"], minutes: [26, 12, 20] },
  },
  {
    ...{ key: "service-1", label: "Service 1", reg_number: "M-IS 3301", model: "Caddy Cargo", type: "car" },
    ...{ subtype: "universal", group: "city", department: "service", tags: ["tools"], driver: ["Amelie", "Fuchs"] },
    circuit: { stops: ["westend", "dachauer"], minutes: [30, 25] },
  },
  {
    ...{ key: "service-2", label: "Service 2", reg_number: "M-IS 3302", model: "Kangoo", type: "car" },
    ...{ subtype: "universal", group: "west", department: "service", tags: ["tools"], driver: ["Daniel", "Okafor"] },
    circuit: { stops: ["lochham", "westend", "depot"], minutes: [20, 18, 9] },
  },
  {
    ...{
      key: "istria-1",
      label: "Istria 1",
      reg_number: "PU 318-KV",
      model: "Berlingo",
      type: "car",
      subtype: "universal",
    },
    ...{ group: "istria", department: "service", tags: ["tools"], driver: ["Marko", "Babić"] },
    circuit: { stops: ["branch", "mill"], minutes: [30, 14] },
  },
  {
    ...{
      key: "istria-2",
      label: "Istria 2",
      reg_number: "PU 402-LS",
      model: "Doblo Cargo",
      type: "car",
      subtype: "minivan",
    },
    ...{ group: "istria", department: "cold", tags: ["cold"], driver: ["Ana", "Kovač"], isRefrigerated: true },
    circuit: { stops: ["branch", "vineyard", "mill"], minutes: [25, 18, 9] },
  },
];
