/** Points of a request by what became of them. */
export type Stored = { accepted: number; duplicates: number };

export function answerOsmAnd(): Response {
  return new Response(null, { status: 200 });
}

/** The app takes the array for messages to it. */
export function answerOwnTracks(): Response {
  return Response.json([]);
}

/** The app keeps its batch and sends it again unless it reads just this. */
export function answerOverland(): Response {
  return Response.json({ result: "ok" });
}

export function answerPoints({ accepted, duplicates }: Stored): Response {
  return Response.json({ success: true, accepted, duplicates });
}
