import type { DriveName, Drives, Position } from "./drives.ts";

export type Site = { label: string; address: string; description: string; drive: DriveName; second: number };
export type SiteKey = keyof typeof SITES;

/**
 * Where vehicles stop, by the second of the recorded drive. Between 700 and 950 the drive through Munich is on a motorway. The
 * customers are invented.
 */
export const SITES = {
  depot: site("Depot West", "Lochham, Gräfelfing", "Loading ramps 1 to 6, fuel pump", "munich", 1193),
  lochham: site("Baustoff Reindl", "Am Haag, Gräfelfing", "Deliveries until 17:00", "munich", 985),
  westend: site("Kaufhalle Westend", "Westend, Munich", "Ramp in the yard, ring twice", "munich", 640),
  neuhausen: site("Klinik Neuhausen", "Neuhausen, Munich", "Cold goods to the kitchen only", "munich", 450),
  dachauer: site("Werkstatt Dachauer", "Maxvorstadt, Munich", "Ask for Mr. Lang", "munich", 250),
  schwabing: site("Markt Schwabing", "Schwabing, Munich", "Badge at the gate", "munich", 0),
  branch: site("Branch Istria", "Višnjan, Croatia", "Small depot with a cold room", "istria", 0),
  vineyard: site("Vinarija Terra", "Višnjan, Croatia", "Gravel road, no trucks", "istria", 180),
  mill: site("Uljara Motika", "Višnjan, Croatia", "Oil mill, closed on Mondays", "istria", 270),
};

export function positionOf(key: SiteKey, drives: Drives): Position {
  const { drive, second } = SITES[key];
  const position = drives[drive][second];
  if (!position) throw new Error(`The recorded drive has no second ${second}.`);
  return position;
}

function site(label: string, address: string, description: string, drive: DriveName, second: number): Site {
  return { label, address, description, drive, second };
}
