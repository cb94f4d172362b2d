import { expect, test } from "vitest";
import { must } from "#test/tool/call/account.ts";

test("timezone/list answers without a hash", async () => {
  const { list } = await must("/timezone/list", { locale: "en_US" });
  expect(list.length).toBeGreaterThan(400);
  expect(list).toContainEqual(
    expect.objectContaining({ zone_id: "Europe/Berlin", base_offset: 1, dst_offset: 1, country_code: "DE" }),
  );
});
