/** A body as it comes in, and what its sender says that it is. */
export type StreamedBody = { content_type: string; body: ReadableStream<Uint8Array> | null };

/** How a content is to be handed out: the method, and the headers that say more. */
export type DownloadRequest = { method: string; range: string | null; if_none_match: string | null };

/** A call that is no operation: its body, or its answer's, is a stream. */
export type StreamedRequest = DownloadRequest & StreamedBody & { path: string; base_url: string; request_id: string };
