/** Numbers of a request's points by outcome. */
export type Stored = { accepted: number; duplicates: number };

export function answerOsmAnd(): string {
  return "";
}

/** The app reads an array of messages to it (owntracks.org/booklet/tech/http). */
export function answerOwnTracks(): string {
  return "[]";
}

/** The app sends its batch again unless it reads exactly this (README of aaronpk/Overland-iOS, Response). */
export function answerOverland(): string {
  return '{"result":"ok"}';
}

export function answerPoints({ accepted, duplicates }: Stored): string {
  return JSON.stringify({ success: true, accepted, duplicates });
}
