/** Outside of Workers nothing ends early. */
export function keepAlive(_work: Promise<unknown>) {}
