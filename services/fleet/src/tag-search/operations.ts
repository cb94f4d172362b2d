import * as z from "zod";
import { resultAnswer } from "#shared/operation/list-answer.ts";
import { operation } from "../operation.ts";
import { ENTITY_TYPES, searchByTags } from "./search.ts";

const TaggedThings = z.array(z.looseObject({ id: z.int() }));
/** The answer has a list for every type of thing. */
const LISTS = {
  employee: TaggedThings,
  place: TaggedThings,
  task: TaggedThings,
  task_schedule: TaggedThings,
  tracker: TaggedThings,
  vehicle: TaggedThings,
  zone: TaggedThings,
};

export const searchTags = operation("/tag/search", {
  summary: "The things that carry all of the tags, by type; a type without any has an empty list",
  reads: true,
  input: z.object({
    tag_ids: z.array(z.int()).min(1).max(1000),
    entity_types: z.array(z.enum(ENTITY_TYPES)).max(100).optional(),
  }),
  output: z.object({ result: z.object(LISTS) }),
  errors: [],
  async run({ tag_ids, entity_types }, call) {
    const found = await searchByTags(call, tag_ids, entity_types ?? [...ENTITY_TYPES]);
    return resultAnswer(found);
  },
});

export const operations = [searchTags];
