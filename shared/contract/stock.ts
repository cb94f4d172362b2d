/** Of what there may be bundles. */
export type Equipment = { id: number; model: string; name: string };

/** Devices that a dealer sells, for users to register by their IMEI. */
export type NewBundles = { imeis: string[]; equip_id: number; factory_preset: string | null };

/** As many codes as `count`, each good for one device. */
export type NewActivationCodes = { count: number; tariff_id: number; bonus_amount: number; free_days: number };

/** Null: used or not. */
export type ActivationCodeSearch = { used: boolean | null; offset: number; limit: number };

/** A code as its dealer sees it. Times are UTC milliseconds. */
export type ActivationCode = {
  id: number;
  code: string;
  tariff_id: number;
  bonus_amount: number;
  free_days: number;
  created: number;
  /** Null as long as it is good. */
  used: number | null;
  /** Whose master used it. */
  user_id: number | null;
};
