/** A device model that can be imported as bundles. */
export type Equipment = { id: number; model: string; name: string };

/** Devices that a dealer sells; users register them by IMEI. */
export type NewBundles = { imeis: string[]; equip_id: number; factory_preset: string | null };

/** `count` new codes, each valid for one device. */
export type NewActivationCodes = { count: number; tariff_id: number; bonus_amount: number; free_days: number };

/** `used` null: used and unused codes. */
export type ActivationCodeSearch = { used: boolean | null; offset: number; limit: number };

/** An activation code as its dealer sees it. Times are UTC milliseconds. */
export type ActivationCode = {
  id: number;
  code: string;
  tariff_id: number;
  bonus_amount: number;
  free_days: number;
  created: number;
  /** Null while the code is unused. */
  used: number | null;
  /** The account that used the code. */
  user_id: number | null;
};
