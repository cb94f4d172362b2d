import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabaseFile } from "#test/tool/database/file.ts";
import { event } from "../table/event.ts";
import { eventReader } from "../table/event-reader.ts";
import { readEvent } from "../table/read-event.ts";
import { markAllRead, markRead } from "./read-queries.ts";

const db = await openDatabaseFile("fleet");
const READER = { account_id: 1, user_id: 2 };

test("markRead keeps the marks on 5,000 events of a user; what is older than these counts as read", async () => {
  await db.run(sql`INSERT INTO event (event_id, account_id, tracker_id, time, event, message, extra)
    SELECT value, 1, 1, value, 'inzone', '', '{}' FROM generate_series(1, 5003)`);
  await db.insert(readEvent).select(sql`SELECT 1, 2, ${event.id} FROM ${event} WHERE ${event.id} BETWEEN 2 AND 5001`);
  const marks = () => db.select().from(readEvent).orderBy(readEvent.event_id);
  await markRead(db, READER, eq(event.id, 5003));
  expect(await db.select().from(eventReader)).toEqual([{ ...READER, read_up_to: 2 }]);
  const kept = await marks();
  expect([kept.length, kept.at(0)?.event_id, kept.at(-1)?.event_id]).toEqual([5000, 3, 5003]);
  for (const id of [1, 2, 5003, 5004])
    await expect(markRead(db, READER, eq(event.id, id))).rejects.toMatchObject({ code: 201 });
  await markAllRead(db, READER);
  expect(await db.select().from(eventReader)).toEqual([{ ...READER, read_up_to: 5003 }]);
  expect(await marks()).toEqual([]);
});
