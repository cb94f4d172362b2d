/** Last parts of the paths of operations that only read. */
const READING = /^(batch_)?(get|list|read|count|download|search)(_.*)?$/;
const OTHERS = ["fetch", "nothing", "optimize", "preview.jpg", "pull", "retrieve", "show", "status", "try", "vapid"];

/** Whether an operation only reads, so that a call whose answer was lost may be repeated. */
export function isRepeatable(path: string): boolean {
  const last = path.slice(path.lastIndexOf("/") + 1);
  return READING.test(last) || OTHERS.includes(last);
}
