// Reads what has changed since the last run, whose cursor is in a file.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { post } from "./post.js";

let page;
do {
  const cursor = existsSync("sync-cursor.txt") ? readFileSync("sync-cursor.txt", "utf8") : null;
  page = await post("/sync/pull", { cursor });
  console.log(page.reset ? "all data" : "changes", page.tasks.length, page.places.length);
  writeFileSync("sync-cursor.txt", page.cursor);
} while (page.more);
