import { expect, test } from "vitest";
import { serveDatabase } from "#test/tool/database/server.ts";
import { openDatabase } from "../../../../shared/database/open.ts";
import { findSheet, insertSheet } from "./queries.ts";

const db = openDatabase(await serveDatabase("files"));

test("insertSheet keeps the newest hundred sheets of each user, and leaves those of other users of the account", async () => {
  const insert = (user_id: number, file_id: string) =>
    insertSheet(db, { file_id, account_id: 1, user_id, rows: 1, expires: 100 }, 10);
  await insert(2, "other user's");
  for (let number = 0; number <= 100; number++) await insert(1, `sheet ${number}`);
  const find = (file_id: string) => findSheet(db, { account_id: 1, file_id }, 10);
  expect(await find("sheet 0")).toBeUndefined();
  expect(await find("sheet 1")).toEqual({ rows: 1 });
  expect(await find("other user's")).toEqual({ rows: 1 });
});
