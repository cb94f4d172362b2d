import * as z from "zod";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { listAnswer } from "#shared/operation/list-answer.ts";
import { operation } from "../operation.ts";
import { operations as avatar } from "./avatar/operations.ts";
import { changeTag, insertTag, selectTags } from "./queries.ts";
import { removeTags } from "./removal.ts";
import { ChangedTag, NewTag, Tag } from "./schema.ts";

export const createTag = operation("/tag/create", {
  summary: "Creates a tag; 268 when the account has as many as it may have",
  right: "tag_update",
  input: z.object({ tag: NewTag }),
  output: z.object({ id: z.int() }),
  errors: [268],
  async run({ tag }, { db, principal, actor }) {
    const id = await insertTag(db, principal, tag, actor);
    return { id };
  },
});

export const updateTag = operation("/tag/update", {
  summary: "Changes a tag's name and color; what is left out stays",
  right: "tag_update",
  input: z.object({ tag: ChangedTag }),
  output: z.object({}),
  errors: [201],
  async run({ tag }, { db, principal, actor }) {
    await changeTag(db, principal, tag, actor);
    return {};
  },
});

export const deleteTag = operation("/tag/delete", {
  summary: "Deletes a tag, or several, where unknown ids are skipped; things that carried it stay without it",
  right: "tag_update",
  input: z.object({ tag_id: z.int().optional(), tag_ids: z.array(z.int()).max(10_000).optional() }),
  output: z.object({}),
  errors: [201],
  async run({ tag_id, tag_ids }, { db, env, principal, actor }) {
    if ((tag_id === undefined) === (tag_ids === undefined)) {
      throw invalid("has_at_least_one_tag_id", "give exactly one of tag_id and tag_ids");
    }
    const deleted = await removeTags(env, db, principal, tag_ids ?? [tag_id ?? 0], actor);
    if (tag_id !== undefined && deleted.length === 0) throw new ApiError(201);
    return {};
  },
});

export const listTags = operation("/tag/list", {
  summary: "All tags, or those whose name contains the filter",
  reads: true,
  input: z.object({ filter: z.string().min(3).max(60).nullable().default(null) }),
  output: z.object({ list: z.array(Tag), count: z.int() }),
  errors: [],
  async run({ filter }, { db, principal }) {
    const { count, page } = await selectTags(db, principal, filter);
    return listAnswer({ count }, page);
  },
});

export const operations = [createTag, updateTag, deleteTag, listTags, ...avatar];
