import * as z from "zod";
import { type Components, describeSchemas } from "#shared/operation/json-schema.ts";
import { operationIdOf } from "#shared/operation/open-api.ts";
import { CATALOGUE, EVENT_TYPES } from "./catalogue.ts";
import type { Audience, EventDeclaration } from "./declaration.ts";
import { HistoryData } from "./history-catalogue.ts";

/** The section `webhooks` of the OpenAPI document, and its schemas: one webhook per type of event. */
export function describeEvents(): { webhooks: Record<string, unknown>; schemas: Components } {
  const schemas = describeSchemas({ HistoryEventData: HistoryData });
  const webhooks = EVENT_TYPES.map((type) => {
    const declaration = CATALOGUE[type];
    const body = z.object({
      type: z.literal(type),
      timestamp: z.iso.datetime(),
      sequence: z.int(),
      data: declaration.data,
    });
    const post = {
      operationId: operationIdOf(`/webhook/${type.replace(".", "/")}`),
      summary: declaration.summary,
      description: describeReaders(declaration),
      tags: ["Event feed"],
      requestBody: {
        description: SHORTENED,
        required: true,
        content: { "application/json": { schema: schemas.of(body, "output") } },
      },
      responses: { "2XX": { description: "Received" }, "4XX": { description: "Not received" } },
    };
    return [type, { post }] as const;
  });
  return { webhooks: Object.fromEntries(webhooks), schemas: schemas.components };
}

function describeReaders({ audience, right }: EventDeclaration) {
  return right ? `${READERS[audience]} They need the right \`${right}\`.` : READERS[audience];
}

const SHORTENED = "At most 20 KB: `data` that do not fit are replaced by `{id, is_shortened: true}`.";
const READERS: Record<Audience, string> = {
  tracker: "Sub-users see the events of their trackers.",
  everyone: "Every user of the account sees these events.",
  owner: "Sub-users see the events of their own ones, while they see all trackers that the event names.",
  master: "Sub-users do not see these events.",
};
