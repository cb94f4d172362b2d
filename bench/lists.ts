import { type Account, BASE } from "./tool/account.ts";
import { copyRow } from "./tool/copies.ts";
import { compareRounds, type Figure, rounds } from "./tool/figure.ts";
import { bytesOf, load } from "./tool/load.ts";
import type { Stack } from "./tool/stack.ts";

const LARGE_COUNT = 100_000;
const SMALL_COUNT = 1_000;

/** Pages of a large account, against the same pages of a small one. */
export async function listFigures(stack: Stack, large: Account, small: Account): Promise<Figure[]> {
  for (const [account, count] of [
    [large, LARGE_COUNT],
    [small, SMALL_COUNT],
  ] as const) {
    await fillVehicles(stack, account, count);
    await fillEmployees(stack, account, count);
  }
  const [vans, people] = [
    { sort: ["model=desc", "label=asc"], limit: 100 },
    { sort: ["email=desc", "first_name=asc"], limit: 100 },
  ];
  return [
    await beside(stack, "/vehicle/list", "", { limit: 100 }, 1.5, large, small),
    await beside(stack, "/vehicle/list", " filtered and sorted", { ...vans, filter: "van 77" }, 2, large, small),
    await beside(stack, "/employee/list", " filtered and sorted", { ...people, filter: "ann 77" }, 2, large, small),
    // Thousands of the large account have them.
    await beside(stack, "/vehicle/list", " by two digits", { ...vans, filter: "77" }, 2, large, small),
    await beside(stack, "/employee/list", " by two digits", { ...people, filter: "77" }, 2, large, small),
  ];
}

/** A search over all types that there are, against the slowest of them alone. */
export async function searchFigure({ origin }: Stack, { call, hash }: Account): Promise<Figure> {
  const { id } = await call("/tag/create", { tag: { name: "Cold chain", color: "27A9E3" } });
  for (let number = 0; number < 100; number++) {
    await call("/vehicle/create", { vehicle: { label: `Tagged ${number}`, tags: [id] } });
    await call("/employee/create", { employee: { first_name: `Tagged ${number}`, tags: [id] } });
    const location = { lat: 48, lng: number / 100, address: "", radius: 100 };
    await call("/place/create", { place: { label: `Tagged ${number}`, location, tags: [id] } });
    const circle = { type: "circle", label: `Tagged ${number}`, address: "", center: location, radius: 100 };
    await call("/zone/create", { zone: { ...circle, tags: [id] } });
    const [from, to] = ["2099-05-02 10:00:00", "2099-05-02 12:00:00"];
    const visit = { label: `Tagged ${number}`, description: "", location: { ...location, address: "" }, from, to };
    await call("/task/create", { task: { ...visit, tags: [id] } });
  }
  const search = (types?: string[]) => {
    const body = JSON.stringify({ hash, tag_ids: [id], entity_types: types });
    return bytesOf({ path: `${BASE}/tag/search`, body });
  };
  const p50Of = (types?: string[]) => {
    const request = search(types);
    return async () => (await load(origin, () => request, { connections: 1, seconds: 1 })).p50Ms;
  };
  const parts = Object.fromEntries(TAGGED.map((type) => [type, p50Of([type])]));
  const { whole = [], ...p50 } = await rounds<string>({ ...parts, whole: p50Of() });
  const slowest = whole.map((_, round) => Math.max(...Object.values(p50).map((ms) => ms[round] ?? 0)));
  const baseline = { name: "its slowest part", unit: "ms" };
  return compareRounds({ name: "/tag/search, p50", unit: "ms", goal: { most: 3 }, baseline }, whole, slowest);
}

/** A hundred each. */
const TAGGED = ["vehicle", "employee", "place", "zone", "task"];

export async function beside(
  { origin }: Stack,
  path: string,
  how: string,
  wanted: object,
  most: number,
  large: Account,
  small: Account,
): Promise<Figure> {
  const [ofLarge, ofSmall] = [large, small].map(({ hash }) =>
    bytesOf({ path: BASE + path, body: JSON.stringify({ hash, ...wanted }) }),
  );
  const one = { connections: 1, seconds: 1 };
  const p50 = await rounds({
    small: async () => (await load(origin, () => ofSmall, one)).p50Ms,
    large: async () => (await load(origin, () => ofLarge, one)).p50Ms,
  });
  const baseline = { name: "100 of 1,000", unit: "ms" };
  const described = { name: `${path}, 100 of 100,000${how}, p50`, unit: "ms", goal: { most }, baseline };
  return compareRounds(described, p50.large, p50.small);
}

async function fillVehicles({ servers }: Stack, { call }: Account, count: number) {
  const { id } = await call("/vehicle/create", { vehicle: { label: "Van 0", reg_number: "M-FL 1234" } });
  await copyRow(servers.fleet, "vehicle", Number(id), count, {
    label: "'Van ' || n",
    label_folded: "'van ' || n",
    reg_number: "'M-FL ' || (n * 7919 % 100003)",
    reg_number_folded: "'m-fl ' || (n * 7919 % 100003)",
    model: "'Model ' || (n % 50)",
    model_folded: "'model ' || (n % 50)",
    searched: "'van ' || n || char(10) || 'm-fl ' || (n * 7919 % 100003)",
  });
  await requireCount(call, "/vehicle/list", count);
}

async function fillEmployees({ servers }: Stack, { call }: Account, count: number) {
  const { id } = await call("/employee/create", { employee: { first_name: "Ann 0", email: "ann0@example.com" } });
  await copyRow(servers.fleet, "employee", Number(id), count, {
    first_name: "'Ann ' || n",
    first_name_folded: "'ann ' || n",
    name_folded: "' ann ' || n",
    email: "'ann' || (n * 7919 % 100003) || '@example.com'",
    email_folded: "'ann' || (n * 7919 % 100003) || '@example.com'",
    searched: "'ann ' || n || char(10) || 'ann' || (n * 7919 % 100003) || '@example.com'",
  });
  await requireCount(call, "/employee/list", count);
}

async function requireCount(call: Account["call"], path: string, count: number) {
  const { count: there } = await call(path, { limit: 1 });
  if (Number(there) < count) throw new Error(`${path} of the account has ${there} instead of ${count}`);
}
