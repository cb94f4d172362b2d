/** Why a receiver did not take points, in words for its owner. */
export class DeliveryFailure extends Error {}
