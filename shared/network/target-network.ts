/** The network in which the addresses are that callers choose, such as receivers of points and push services. */
export type TargetNetwork = { fetch: typeof fetch; connect(address: SocketAddress): Socket };
export type TargetEnv = {
  /**
   * Bound by `npm start`: it refuses names that resolve to private addresses, unless `ALLOW_PRIVATE_TARGETS` is set. A
   * deployed Worker needs none, because the platform reaches public addresses only.
   */
  TARGET_NETWORK?: TargetNetwork;
};
