import type { FleetClient } from "../../../clients/typescript/src/client.ts";
import type { Parameters } from "../../../clients/typescript/src/operation-types.ts";
import { codeOf, findOrCreate, idsOf } from "../client.ts";
import { FUEL_INPUT, IGNITION_INPUT, TEMPERATURE_INPUT } from "../drive/readings.ts";
import { type FleetVehicle, GROUPS, TAGS, VEHICLES } from "../drive/vehicles.ts";
import type { DemoDevice, Progress } from "../progress.ts";

export type TagIds = Record<keyof typeof TAGS, number>;
export type FleetTracker = { vehicle: FleetVehicle; tracker_id: number };
/** A tracker with the ids of its sensors. */
export type EquippedTracker = FleetTracker & { sensors: { fuel?: number; temperature?: number } };

const DEVICE_ID_IN_USE = 224;
const COLORS = ["1E96C8", "3E9C5A", "C8781E", "8E44AD"];

/** Registers the device, or finds the tracker that a start has registered before it was interrupted. */
export async function registerTracker(client: FleetClient, { label }: FleetVehicle, { device_id }: DemoDevice) {
  const tracker = { label, group_id: 0, model: "generic_gps", plugin_id: 44, device_id };
  try {
    return (await client.call("/tracker/register", tracker)).value.id;
  } catch (thrown) {
    if (codeOf(thrown) !== DEVICE_ID_IN_USE) throw thrown;
    const { list } = await client.call("/tracker/list");
    const registered = list.find(({ source }) => source.device_id === device_id);
    if (!registered) throw thrown;
    return registered.id;
  }
}

export async function createTags(client: FleetClient): Promise<TagIds> {
  const { list } = await client.call("/tag/list");
  return idsOf(TAGS, (name, index) =>
    findOrCreate(
      list,
      (tag) => tag.name === name,
      () => client.call("/tag/create", { tag: { name, color: COLORS[index] ?? "1E96C8" } }),
    ),
  );
}

/** Registers all trackers in their groups, with tags, sensors and vehicles. `save` keeps the progress after each. */
export async function createTrackers(
  client: FleetClient,
  { devices }: Progress,
  tags: TagIds,
  save: () => Promise<void>,
): Promise<EquippedTracker[]> {
  const garages = await createGarages(client);
  const { list: vehicles } = await client.call("/vehicle/list");
  const all: EquippedTracker[] = [];
  for (const vehicle of VEHICLES) {
    const device = devices[vehicle.key];
    if (!device) continue;
    device.tracker_id ??= await registerTracker(client, vehicle, device);
    await save();
    const { tracker_id } = device;
    const tagIds = vehicle.tags.map((key) => tags[key]);
    if (tagIds.length > 0) {
      const tag_bindings = tagIds.map((tag_id, index) => ({ tag_id, ordinal: index + 1 }));
      await client.call("/tracker/tags/set", { tracker_id, tag_bindings });
    }
    all.push({ vehicle, tracker_id, sensors: await createSensors(client, vehicle, tracker_id) });
    const { label, reg_number, model, type, subtype, tank } = vehicle;
    const plain = { label, reg_number, model, type, subtype, tracker_id, tags: tagIds };
    const fuel = tank ? { fuel_type: "diesel" as const, fuel_tank_volume: tank, norm_avg_fuel_consumption: 9.8 } : {};
    const garage_id = vehicle.group === "istria" ? garages.istria : garages.munich;
    await findOrCreate(
      vehicles,
      (one) => one.reg_number === reg_number,
      () => client.call("/vehicle/create", { vehicle: { ...plain, ...fuel, garage_id } }),
    );
  }
  await assignGroups(client, all);
  return all;
}

async function assignGroups(client: FleetClient, fleet: EquippedTracker[]) {
  const groups = await createGroups(client);
  for (const [key, id] of Object.entries(groups)) {
    const trackers = fleet.flatMap(({ vehicle, tracker_id }) => (vehicle.group === key ? [tracker_id] : []));
    await client.call("/tracker/group/assign", { id, trackers });
  }
}

async function createGroups(client: FleetClient) {
  const { list } = await client.call("/tracker/group/list");
  return idsOf(GROUPS, (title, index) =>
    findOrCreate(
      list,
      (group) => group.title === title,
      () => client.call("/tracker/group/create", { title, color: COLORS[index] ?? "1E96C8" }),
    ),
  );
}

async function createGarages(client: FleetClient) {
  const { list } = await client.call("/garage/list");
  const garage = (organization_name: string, mechanic_name: string) =>
    findOrCreate(
      list,
      (one) => one.organization_name === organization_name,
      () =>
        client.call("/garage/create", { garage: { organization_name, mechanic_name, dispatcher_name: "Eva Lindner" } }),
    );
  return {
    munich: await garage("Isarland Depot West", "Georg Pichler"),
    istria: await garage("Isarland Istria", "Luka Perić"),
  };
}

async function createSensors(client: FleetClient, { tank, isRefrigerated }: FleetVehicle, tracker_id: number) {
  const { list } = await client.call("/tracker/sensor/list", { tracker_id });
  const create = (sensor: NewSensor) =>
    findOrCreate(
      list,
      ({ name }) => name === sensor.name,
      () => client.call("/tracker/sensor/create", { tracker_id, sensor }),
    );
  await create({ type: "discrete", sensor_type: "ignition", name: "Ignition", input_number: IGNITION_INPUT });
  return {
    ...(tank && { fuel: await create({ ...FUEL, parameters: { volume: tank } }) }),
    ...(isRefrigerated && { temperature: await create(TEMPERATURE) }),
  };
}

type NewSensor = Parameters<"/tracker/sensor/create">["sensor"];

const FUEL = {
  ...{ type: "metering" as const, sensor_type: "fuel" as const, name: "Fuel", input_name: FUEL_INPUT },
  ...{ units: "l", units_type: "litre", accuracy: 5 },
};
const TEMPERATURE = {
  ...{ type: "metering" as const, sensor_type: "temperature" as const, name: "Box", input_name: TEMPERATURE_INPUT },
  ...{ units: "°C", units_type: "celsius", accuracy: 1 },
};
