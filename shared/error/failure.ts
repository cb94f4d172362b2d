import { ERRORS, type ErrorCode, type Extra, isApiError } from "./api-error.ts";

/** The answer to the caller, and the line for the log. `isLogged`: the Worker where it failed has written the line. */
export type Reason = { code: ErrorCode; extra: Extra; log?: string | undefined; isLogged?: true };

/** Examines the root cause: wrappers contain statement parameters, which neither answer nor log may have. */
export function reasonOf(thrown: unknown): Reason {
  const reason = reasonOfRoot(thrown);
  return hasLoggedCause(thrown) ? { ...reason, log: undefined, isLogged: true } : reason;
}

/** A logged failure for the calling Worker, which must not log it again; with the members by which callers know it. */
export function toLoggedFailure(thrown: unknown): Error {
  const root = rootOf(thrown);
  const error = new Error(root instanceof Error ? root.message : typeof root);
  if (isApiError(root)) Object.assign(error, { code: root.code, extra: root.extra });
  return Object.assign(error, { isLogged: true });
}

function hasLoggedCause(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) if ("isLogged" in error) return true;
  return false;
}

function reasonOfRoot(thrown: unknown): Reason {
  const root = rootOf(thrown);
  if (isApiError(root))
    return { code: root.code, extra: root.extra, log: root.code === 14 ? ERRORS[14][1] : undefined };
  if (isBusy(thrown)) return { code: 14, extra: {}, log: "database is busy" };
  if (isOutOfOrder(root) || isOfOtherRelease(root))
    return { code: 14, extra: {}, log: `${root.name}: ${root.message}` };
  if (root instanceof Error) return { code: 6, extra: {}, log: `${root.name}: ${root.message}\n${framesOf(root)}` };
  return { code: 6, extra: {}, log: typeof root };
}

/** Whether a unique index refused the write. */
export function isTaken(thrown: unknown): boolean {
  const root = rootOf(thrown);
  // Over HTTP every violation has the code SQLITE_CONSTRAINT; only the message names the kind.
  return root instanceof Error && root.message.includes("UNIQUE constraint failed");
}

/** Table and columns of the violated index, as in `vehicle.tracker_id`. */
export function takenColumns(thrown: unknown): string {
  const root = rootOf(thrown);
  return root instanceof Error ? (/UNIQUE constraint failed: (.*)/.exec(root.message)?.[1] ?? "") : "";
}

/** Whether the database was busy: the statement had no effect. */
export function isBusy(thrown: unknown): boolean {
  const root = rootOf(thrown);
  return root instanceof Error && /SQLITE_BUSY|database is locked/.test(root.message);
}

/**
 * Index in its transaction of the demand that failed: `json('no')` of a demand is the only malformed JSON. The driver's
 * error names the statement.
 */
export function failedDemandIndex(thrown: unknown): number | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (!("statementIndex" in error) || typeof error.statementIndex !== "number") continue;
    return /malformed JSON/i.test(error.message) ? error.statementIndex : undefined;
  }
  return undefined;
}

/** Whether the object's storage refuses writes, for example because its disk is full. */
function isOutOfOrder(root: unknown): root is Error {
  return root instanceof Error && (/SQLITE_(FULL|IOERR)|disk is full/.test(root.message) || isUnexplained(root));
}

/** Whether the runtime tells the reason to its own log alone, for example that a connection goes to a private address. */
export function isUnexplained(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.startsWith("internal error; reference");
}

/** Whether a Worker of another release, which lacks the method, was called: until all Workers are replaced. */
function isOfOtherRelease(root: unknown): root is Error {
  return root instanceof Error && root.message.startsWith("The RPC receiver does not implement the method");
}

function rootOf(thrown: unknown): unknown {
  let root = thrown;
  while (root instanceof Error && !isApiError(root) && root.cause !== undefined && root.cause !== null)
    root = root.cause;
  return root;
}

function framesOf({ stack = "" }: Error) {
  return stack
    .split("\n")
    .filter((line) => line.trimStart().startsWith("at "))
    .join("\n");
}
