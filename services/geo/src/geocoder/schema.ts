import * as z from "zod";
import { Bounds } from "../point/schema.ts";

/** Parts of an address; unknown ones are left out. */
export const AddressDetails = z.object({
  country: z.string().optional(),
  province: z.string().optional(),
  locality: z.string().optional(),
  street: z.string().optional(),
  house: z.string().optional(),
  postcode: z.string().optional(),
  /** The smallest box around the place. */
  bounds: Bounds.optional(),
});
export type AddressDetails = z.output<typeof AddressDetails>;

export const FoundAddress = z.object({
  lat: z.number(),
  lng: z.number(),
  address: z.string(),
  details: AddressDetails.optional(),
});
/** An address with its details. */
export type FoundAddress = z.output<typeof FoundAddress> & { details: AddressDetails };
