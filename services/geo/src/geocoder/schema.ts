import { z } from "zod";
import { Bounds } from "../point/schema.ts";

/** What is known of an address; what could not be told is left out. */
export const AddressDetails = z.object({
  country: z.string().optional(),
  province: z.string().optional(),
  locality: z.string().optional(),
  street: z.string().optional(),
  house: z.string().optional(),
  postcode: z.string().optional(),
  /** The smallest box around it. */
  bounds: Bounds.optional(),
});
export type AddressDetails = z.output<typeof AddressDetails>;

export const FoundAddress = z.object({
  lat: z.number(),
  lng: z.number(),
  address: z.string(),
  details: AddressDetails.optional(),
});
/** Always with what is known of it. */
export type FoundAddress = z.output<typeof FoundAddress> & { details: AddressDetails };
