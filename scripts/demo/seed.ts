import type { FleetClient } from "../../clients/typescript/src/client.ts";
import { createPlaces, createZones } from "./content/areas.ts";
import { createCheckins } from "./content/checkins.ts";
import { createTemplates } from "./content/forms.ts";
import { createPeople } from "./content/people.ts";
import { orderReport } from "./content/report.ts";
import { createRules } from "./content/rules.ts";
import { createTasks } from "./content/tasks.ts";
import { createTags, createTrackers } from "./content/trackers.ts";
import { dayOf } from "./drive/circuit.ts";
import type { Drives } from "./drive/drives.ts";
import type { FleetMotion } from "./drive/motion.ts";
import type { Progress } from "./progress.ts";

type Seeding = {
  baseUrl: string;
  client: FleetClient;
  drives: Drives;
  motion: FleetMotion;
  progress: Progress;
  /** Stores the progress. */
  save: () => Promise<void>;
  now: () => number;
  /** The time at which the history of the vehicles begins. */
  since: number;
};

/** Creates what the demo account has, in an order in which points meet the rules and tasks that are about them. */
export async function seedFleet({ baseUrl, client, drives, motion, progress, save, now, since }: Seeding) {
  const tags = await createTags(client);
  const fleet = await createTrackers(client, progress, tags, save);
  await createRules(client, fleet, await createZones(client, drives, tags));
  const templates = await createTemplates(client);
  await createTasks(client, fleet, drives, now);
  progress.task_day = dayOf(now());
  await motion.fill({ from: since, to: now() }, progress.filled, async (key) => {
    progress.filled.push(key);
    await save();
  });
  await createPeople(client, fleet);
  await createPlaces(client, drives, tags);
  await createCheckins({ client, baseUrl }, fleet, drives, templates);
  await orderReport(client, fleet, now());
  progress.seeded = true;
  await save();
}
