/** Points of a request by what became of them. */
export type Stored = { accepted: number; duplicates: number };

export function answerOsmAnd(): string {
  return "";
}

/** The app takes the array for messages to it. */
export function answerOwnTracks(): string {
  return "[]";
}

/** The app keeps its batch and sends it again unless it reads just this. */
export function answerOverland(): string {
  return '{"result":"ok"}';
}

export function answerPoints({ accepted, duplicates }: Stored): string {
  return JSON.stringify({ success: true, accepted, duplicates });
}
