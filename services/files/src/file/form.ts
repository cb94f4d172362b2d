import type { Readable } from "node:stream";
import { Busboy } from "@fastify/busboy";
import { discardBody, readPieces } from "#shared/body/read-pieces.ts";
import { ApiError } from "#shared/error/api-error.ts";

export type Fields = Map<string, string>;
/** Receives the content; `remove` undoes an incomplete one. */
type Sink = { write(piece: Uint8Array): Promise<void>; remove(): Promise<unknown> };
/** The sink with the received content, and its name and type as the sender declared them. */
export type FormContent<Opened> = { sink: Opened; filename: string | undefined; mime_type: string };

/** The least speed of uploads: a slower one would occupy memory for hours. */
export const SPEED = { minBytesPerSecond: 1024 };

/** The form field that has the content. */
export const FILE_FIELD = "file";

/**
 * Reads a form as a stream. `openSink` gets the fields in front of the content and returns the sink for it. If it or the
 * sink fails, the rest of the body is read and dropped before this throws: a sending client would not read the answer.
 * `isEnded`: the body is not wanted any more.
 */
export async function readForm<Opened extends Sink>(
  { body, headers }: Request,
  openSink: (fields: Fields) => Promise<Opened>,
  isEnded?: () => boolean,
): Promise<{ fields: Fields; content: FormContent<Opened> | undefined }> {
  const fields: Fields = new Map();
  const parser = createParser(headers.get("Content-Type") ?? "");
  if (!parser) {
    await discardBody(body, MAX_FORM_BYTES);
    throw new ApiError(5);
  }
  let isBroken = false;
  const finished = new Promise<void>((resolve, reject) => parser.on("finish", resolve).on("error", reject));
  let source: Readable | undefined;
  let writing: Promise<FormContent<Opened>> | undefined;
  parser.on("field", (name, value) => fields.set(name, value));
  parser.on("file", (name, stream, filename, _encoding, mime_type) => {
    // A truncated form also fails the stream of its file; `finished` reports the error.
    stream.on("error", () => undefined);
    if (name !== FILE_FIELD || source) {
      stream.resume();
      return;
    }
    source = stream;
    writing = writeContent(stream, () => openSink(fields)).then((sink) => ({ sink, filename, mime_type }));
    writing.catch(() => undefined);
  });
  const ended = finished.catch(() => {
    isBroken = true;
  });
  try {
    for await (const piece of readPieces(body, { ...SPEED, maxBytes: MAX_FORM_BYTES, isEnded })) {
      // A failed parser never calls back, so `ended` is awaited, too.
      if (!isBroken) await Promise.race([new Promise<void>((resolve) => parser.write(piece, () => resolve())), ended]);
    }
    if (!isBroken) parser.end();
    await finished;
  } catch (thrown) {
    // The form is malformed, truncated or too long.
    await body?.cancel().catch(() => undefined);
    source?.destroy();
    await writing?.then(({ sink }) => sink.remove()).catch(() => undefined);
    throw thrown instanceof ApiError ? thrown : new ApiError(5, {}, { cause: thrown });
  }
  return { fields, content: await writing };
}

async function writeContent<Opened extends Sink>(stream: Readable, open: () => Promise<Opened>): Promise<Opened> {
  try {
    const sink = await open();
    try {
      for await (const piece of stream.iterator({ destroyOnReturn: false })) await sink.write(piece);
      return sink;
    } catch (thrown) {
      await sink.remove();
      throw thrown;
    }
  } finally {
    stream.resume();
  }
}

/** A parser for the form; undefined if the content type is not that of a form. */
function createParser(content_type: string) {
  if (!/^multipart\/form-data\s*;/i.test(content_type)) return undefined;
  try {
    const headers = { "content-type": content_type };
    return new Busboy({ headers, limits: { fields: 20, fieldSize: 1024, headerPairs: 20, files: 2, parts: 30 } });
  } catch {
    return undefined;
  }
}

const MAX_FORM_BYTES = 64 * 1024 * 1024;
