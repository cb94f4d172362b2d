/** A failed delivery to a receiver; its message is shown to the receiver's owner. */
export class DeliveryFailure extends Error {}
