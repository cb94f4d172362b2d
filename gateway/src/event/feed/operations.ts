import * as z from "zod";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { operation } from "../../operation.ts";
import { selectLastSequence } from "../queries.ts";
import { typesOf } from "../type-pattern.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { readPage } from "./read-page.ts";
import { FeedEvent, toFeedEvent } from "./schema.ts";

export const readEventFeed = operation("/event/feed/read", {
  summary: "Changes and events of the account behind a cursor, in their order; waits for new ones if asked to",
  reads: true,
  input: z.object({
    /** From an earlier answer, or `oldest` or `newest`: the beginning or the end of what is stored. */
    cursor: z.string().min(1).max(200).default("newest"),
    /** Types, `<thing>.*` or `*`; by default all. */
    types: z
      .array(z.string().max(100).refine(isKnown, { error: "matches no type of event" }))
      .min(1)
      .max(100)
      .optional(),
    limit: z.int().min(1).max(1000).default(100),
    /** Seconds to wait for an event if there is none yet. */
    wait: z.int().min(0).max(25).default(0),
  }),
  /** Events are stored for 30 days. A page without events may have more behind it. */
  output: z.object({ list: z.array(FeedEvent), cursor: z.string(), has_more: z.boolean() }),
  errors: [],
  async run({ cursor, types, limit, wait }, { db, env, principal }) {
    const { account_id } = principal;
    const write = (sequence: number) => writeCursor(account_id, sequence, env);
    const after = cursor === "newest" ? await selectLastSequence(db, account_id) : positionOf(cursor);
    if (after === undefined) throw invalid("cursor", "is not a cursor of this account");
    const page = await readPage({ db, env, principal }, { after, types, limit }, wait, ({ oldest }) => {
      if (cursor !== "oldest" && after < oldest - 1) throw toOutdatedError(write(oldest - 1));
    });
    return { list: page.events.map(toFeedEvent), cursor: write(page.through), has_more: page.through < page.last };

    function positionOf(text: string) {
      return text === "oldest" ? 0 : readCursor(text, account_id, env);
    }
  },
});

export const operations = [readEventFeed];

function isKnown(pattern: string) {
  return typesOf([pattern]).length > 0;
}

function toOutdatedError(oldest_cursor: string) {
  const error = "is older than the stored events; `oldest_cursor` leads to the oldest one";
  return new ApiError(7, { errors: [{ parameter: "cursor", error }], oldest_cursor });
}
