import type { BodySender } from "./memory-budget.ts";

/** The caller of one call, as far as it is known while the body is being read. */
export interface BodyCaller {
  /** True once a valid hash was admitted. */
  readonly isKnown: boolean;
  /** Under whose name the bytes of the body are counted. */
  readonly sender: BodySender;
  /** Identifies and counts the caller of a hash, or its network without a valid one. 15 if it calls too often. */
  admit(hash: unknown): Promise<unknown>;
  /** Throws 3 or 4 unless a valid hash was admitted: nothing more of a stranger's body is parsed. */
  requireKnown(): void;
}
