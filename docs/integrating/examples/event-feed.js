// Follows the events of an account; after a restart it goes on where it stopped.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { post } from "./post.js";

let cursor = existsSync("cursor.txt") ? readFileSync("cursor.txt", "utf8") : "newest";
for (;;) {
  const page = await post("/event/feed/read", { cursor, types: ["vehicle.*", "zone.entered"], wait: 25 });
  for (const { sequence, type, data } of page.list) console.log(sequence, type, data.id);
  cursor = page.cursor;
  writeFileSync("cursor.txt", cursor);
}
