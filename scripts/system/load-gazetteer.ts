// Loads the gazetteer as the order on standard input says: see gazetteer-process.ts.
import { text } from "node:stream/consumers";
import { loadGazetteer } from "./gazetteer.ts";
import type { GazetteerOrder } from "./gazetteer-process.ts";

process.on("uncaughtException", (error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});

const { server, least }: GazetteerOrder = JSON.parse(await text(process.stdin));
await loadGazetteer(server, least);
