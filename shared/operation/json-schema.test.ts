import { expect, test } from "vitest";
import * as z from "zod";
import { dateTime } from "./fields.ts";
import { describeSchemas, jsonReply } from "./json-schema.ts";

const Vehicle = z.object({ id: z.int(), label: z.string().default(""), seen: dateTime().nullable() });

test("jsonReply, which tests hold replies against, refuses undeclared members", () => {
  const reply = z.fromJSONSchema(jsonReply(z.object({ value: Vehicle })));
  const value = { id: 1, label: "", seen: "2026-05-02 10:15:00" };
  expect(reply.safeParse({ success: true, value }).success).toBe(true);
  expect(reply.safeParse({ success: true, value: { ...value, more: 1 } }).success).toBe(false);
  expect(reply.safeParse({ success: true, value, more: 1 }).success).toBe(false);
});

test("describeSchemas allows undeclared members in a reply, and requires all declared ones", () => {
  const { of, components } = describeSchemas({ Vehicle });
  expect(of(z.object({ list: z.array(Vehicle) }), "output")).toEqual({
    type: "object",
    properties: { list: { type: "array", items: { $ref: "#/components/schemas/Vehicle" } } },
    required: ["list"],
  });
  expect(components.Vehicle).toMatchObject({ type: "object", required: ["id", "label", "seen"] });
  expect(components.Vehicle).not.toHaveProperty("additionalProperties");
  expect(components.Vehicle).not.toHaveProperty("properties.label.default");
});

test("describeSchemas refuses one name for a schema that differs between input and output", () => {
  const { of } = describeSchemas({ Vehicle });
  of(z.object({ vehicle: Vehicle }), "input");
  expect(() => of(z.object({ value: Vehicle }), "output")).toThrow("Two schemas are called Vehicle");
});
