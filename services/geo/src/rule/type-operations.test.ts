import { expect, test } from "vitest";
import { type Reply, sharedAccount } from "../../../../test/tool/call/account.ts";

test("tracker/rule/type/list describes what create demands of each type", async () => {
  const account = await sharedAccount();
  const { list } = await account.must("/tracker/rule/type/list");
  const entryOf = (type: string) => list.find((entry: Reply) => entry.type === type);
  expect(entryOf("inoutzone")).toMatchObject({
    ...{ primary_event: "inzone", secondary_event: "outzone", reported: false, param: null, zones: "required" },
    extended_params: { properties: { emergency: { type: "boolean", default: false } } },
  });
  expect(entryOf("sos")).toMatchObject({ primary_event: "sos", secondary_event: null, reported: true });
  expect(entryOf("offline")).toMatchObject({ zones: "none", param: { min: 0, max: 60_000 } });
  const create = (rule: object) => account.call("/tracker/rule/create", { rule: { name: "Trial", ...rule } });
  const { max } = entryOf("speedup").param;
  expect((await create({ type: "speedup", param: max })).success).toBe(true);
  expect((await create({ type: "speedup", param: max + 1 })).errors[0].parameter).toBe("rule.param");
  const { properties, required } = entryOf("excessive_parking").extended_params;
  expect(required).toEqual(["max_parking_duration"]);
  const stay = (max_parking_duration: number) =>
    create({ type: "excessive_parking", extended_params: { max_parking_duration } });
  expect((await stay(properties.max_parking_duration.minimum)).success).toBe(true);
  expect((await stay(properties.max_parking_duration.minimum - 1)).errors[0].parameter).toBe(
    "rule.extended_params.max_parking_duration",
  );
});
