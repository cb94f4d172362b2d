/** Logs the root cause only: the errors around it contain parameters of statements, which must not be logged. */
export function logFailure(thrown: unknown) {
  let root = thrown;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  console.error(JSON.stringify({ feed: root instanceof Error ? root.message : String(root) }));
}
