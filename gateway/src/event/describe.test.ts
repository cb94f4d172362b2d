import { expect, test } from "vitest";
import { EVENT_TYPES } from "./catalogue.ts";
import { describeEvents } from "./describe.ts";

test("the OpenAPI section webhooks has every type of the catalogue, with a summary, its readers and a body", () => {
  const { webhooks, schemas } = describeEvents();
  expect(Object.keys(webhooks)).toEqual(EVENT_TYPES);
  for (const [type, webhook] of Object.entries(webhooks)) {
    const schema = { properties: { type: { const: type }, timestamp: { format: "date-time" }, data: {} } };
    const requestBody = { required: true, content: { "application/json": { schema } } };
    expect(webhook).toMatchObject({
      post: { summary: expect.any(String), description: expect.any(String), requestBody },
    });
  }
  expect(schemas).toHaveProperty("HistoryEventData.properties.tracker_id");
});
