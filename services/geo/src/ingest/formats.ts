import { answerOsmAnd, answerOverland, answerOwnTracks, answerPoints, type Stored } from "./answer.ts";
import { readCompactBatch } from "./compact-points.ts";
import type { CompactBatch, IngestRequest, Message } from "./message.ts";
import { parseOsmAnd } from "./osmand.ts";
import { parseOverland } from "./overland.ts";
import { parseOwnTracks } from "./owntracks.ts";
import { parsePoints } from "./points.ts";
import type { TimeLimits } from "./time.ts";

type Format = {
  methods: readonly string[];
  /** The body may be a form instead of JSON. */
  form: boolean;
  /** Reads bodies in their usual form without parsing JSON; null for others. */
  readCompact?(bytes: Uint8Array, limits: TimeLimits): CompactBatch | null;
  parse(received: IngestRequest): Message[];
  /** The body of the answer that the sender expects. */
  answer(stored: Stored): string;
};

/** Wire formats by the last segment of their path. */
export const FORMATS = new Map<string, Format>([
  ["osmand", { methods: ["GET", "POST"], form: true, parse: parseOsmAnd, answer: answerOsmAnd }],
  ["owntracks", { methods: ["POST"], form: false, parse: parseOwnTracks, answer: answerOwnTracks }],
  ["overland", { methods: ["POST"], form: false, parse: parseOverland, answer: answerOverland }],
  [
    "points",
    { methods: ["POST"], form: false, readCompact: readCompactBatch, parse: parsePoints, answer: answerPoints },
  ],
]);
