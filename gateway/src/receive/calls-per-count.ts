/** For how many calls of an account a counted one stands: the binding's limit, for ten seconds, is by so many less. */
export function callsPerCount(perSecond: number) {
  return Math.max(1, Math.floor(perSecond / 10));
}
