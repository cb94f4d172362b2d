/** Outside of Workers nothing ends before it is done. */
export function keepAlive(_work: Promise<unknown>) {}
