import type { FleetClient } from "../../../clients/typescript/src/client.ts";
import { findOrCreate, idsOf } from "../client.ts";
import { DEPARTMENTS } from "../drive/vehicles.ts";
import type { FleetTracker } from "./trackers.ts";

/** Creates the departments, and a driver for each vehicle. */
export async function createPeople(client: FleetClient, fleet: FleetTracker[]) {
  const { list: departments } = await client.call("/department/list");
  const departmentIds = await idsOf(DEPARTMENTS, (label) =>
    findOrCreate(
      departments,
      (department) => department.label === label,
      () => client.call("/department/create", { department: { label } }),
    ),
  );
  const { list } = await client.call("/employee/list");
  for (const [index, { vehicle, tracker_id }] of fleet.entries()) {
    const [first_name, last_name] = vehicle.driver;
    const personnel_number = `IS-${String(index + 101)}`;
    const license = { driver_license_cats: vehicle.type === "truck" ? "B, C1, C" : "B" };
    const department_id = departmentIds[vehicle.department];
    const employee = { first_name, last_name, tracker_id, department_id, personnel_number, ...license };
    await findOrCreate(
      list,
      (one) => one.personnel_number === personnel_number,
      () => client.call("/employee/create", { employee }),
    );
  }
}
