/** The number of calls that one counted call stands for. The limit of the binding `ACCOUNT_LIMIT` is divided by it. */
export function callsPerCount(perSecond: number) {
  return Math.max(1, Math.floor(perSecond / 10));
}
