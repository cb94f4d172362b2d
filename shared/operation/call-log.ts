/** A call in the log. `error`: the reason of a failure that the caller did not cause. */
export type LoggedCall = {
  request_id: string;
  /** Left out by code that several Workers run. */
  worker?: string;
  path: string;
  code: number;
  ms?: number;
  hops?: number;
  error?: string | undefined;
};

/** Writes the line of a failed call, in the Worker where it failed. Refusals that anybody can cause without end are sampled. */
export function logFailedCall(call: LoggedCall) {
  if (call.error !== undefined) console.error(toLine(call));
  else if (!isEndless(call) || isSampled(call)) console.log(toLine(call));
}

/** Writes the line of a successful call if it is sampled; every Worker that the call passes writes one. */
export function logSuccessfulCall(call: LoggedCall) {
  if (isSampled(call)) console.log(toLine(call));
}

/** One call in 256. The last digits of the id decide, so that all Workers choose the same calls. */
function isSampled({ request_id }: LoggedCall) {
  return request_id.endsWith("00");
}

/** Wrong hashes, exceeded rates, unknown paths, and refused requests of devices, which send again and again. */
function isEndless({ code, path }: LoggedCall) {
  return [3, 4, 15, 111, 112].includes(code) || INGEST_PATH.test(path);
}

/** A line without members that are undefined. Paths of files contain tokens, with which anybody reads or writes the file. */
function toLine({ path, ...call }: LoggedCall) {
  const operation = path.replace(/^\/api-v2(?=\/)/, "").replace(/(?=[\w-]*\d)[\w-]{20,}/g, "…");
  return JSON.stringify({ ...call, path: operation });
}

const INGEST_PATH = /^(?:\/api-v2)?\/ingest\//;
