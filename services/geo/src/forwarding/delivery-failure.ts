/** A failed delivery to a receiver; its message is shown to the receiver's owner. */
export class DeliveryFailure extends Error {}

/** The receiver was silent for longer than it may be. */
export class NoAnswer extends DeliveryFailure {
  override message = "no answer in time";
}
