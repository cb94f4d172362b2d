import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { type Accounts, accountsOn, bodyOf, type Reply, replyOf } from "../tool/call/account.ts";
import { DECLARED } from "../tool/call/declared.ts";
import { SAMPLES } from "../tool/sample/index.ts";
import { newWorld } from "../tool/sample/world.ts";
import { startSystem } from "../tool/system/system.ts";

type Schema = {
  type?: string;
  enum?: unknown[];
  items?: Schema;
  maxItems?: number;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  minimum?: number;
  maxLength?: number;
};
/** The position of a list in a call's parameters; 0 stands for the first item of another list. */
type Path = (string | 0)[];
type ArrayInput = { at: Path; list: Schema };

const LISTS = [...DECLARED].flatMap(([path, { input }]) =>
  listsIn(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as Schema).map((found) => ({
    path,
    name: found.at.join("."),
    ...found,
  })),
);

// Long lists change things that other tests would see, such as dealers' settings.
let system: Awaited<ReturnType<typeof startSystem>>;
let accounts: Accounts;
let fleet: Awaited<ReturnType<typeof newWorld>>;

beforeAll(async () => {
  system = await startSystem();
  accounts = accountsOn(system);
  fleet = await newWorld(accounts);
});

afterAll(() => system?.stop());

test("lists among the parameters of all calls have a longest length", () => {
  expect(LISTS.length).toBeGreaterThan(100);
  expect(LISTS.filter(({ list }) => list.maxItems === undefined).map(({ path, name }) => `${path} ${name}`)).toEqual(
    [],
  );
});

test.each(LISTS)(
  "operation $path takes as many $name as it declares, or refuses them for what they are",
  async (given) => {
    const parameters = await longest(given);
    const answer = await fetch(system.baseUrl + given.path, { method: "POST", ...bodyOf(parameters) });
    const text = await answer.text();
    // Wrong items may have any code but those of a call that the services cannot carry out.
    expect([6, 14], text.slice(0, 500)).not.toContain(replyOf(text).status?.code);
  },
);

/** A sample's parameters with the list as long as it may be. */
async function longest({ path, at, list }: ArrayInput & { path: string }) {
  const { account, world } = fleet;
  const samples = (SAMPLES[path] ?? []).map((sample) => ({
    sample,
    given: sample.parameters(world, account) as Reply,
  }));
  const { sample, given } = samples.find((one) => at[0] !== undefined && at[0] in one.given) ?? samples[0] ?? {};
  const hashes = { nobody: undefined, operator: await accounts.operatorHash(), master: account.hash };
  const parameters = structuredClone({ hash: hashes[sample?.as ?? "master"], ...given });
  const known = at.reduce((value, step) => value?.[step], parameters);
  const items = Array.from({ length: list.maxItems ?? 0 }, (_, index) => itemOf(list.items ?? {}, index, known?.[0]));
  place(parameters, at, items);
  return parameters;
}

function place(parameters: Reply, at: Path, items: unknown[]) {
  const steps = [...at];
  const last = steps.pop() ?? "";
  const holder = steps.reduce((value, step, index) => {
    value[step] ??= at[index + 1] === 0 ? [] : {};
    return value[step];
  }, parameters);
  holder[last] = items;
}

/** An item like the sample's; items differ from each other where their type allows it. */
function itemOf(schema: Schema, index: number, known: unknown): unknown {
  const { type, properties = {}, maxLength = 30 } = schema;
  if (schema.enum) return schema.enum[index % schema.enum.length];
  if (type === "integer" || type === "number") return 900_000_000 + index;
  if (type === "string") return `${index}`.slice(0, maxLength);
  if (typeof known === "object" && known !== null) return known;
  if (type === "object") {
    return Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, itemOf(member, index, undefined)]),
    );
  }
  return null;
}

function listsIn(schema: Schema, at: Path = []): ArrayInput[] {
  const within = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => listsIn(member, [...at, name]));
  const options = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((option) => listsIn(option, at));
  const items = schema.items ? listsIn(schema.items, [...at, 0]) : [];
  return [...(schema.type === "array" ? [{ at, list: schema }] : []), ...within, ...options, ...items];
}
