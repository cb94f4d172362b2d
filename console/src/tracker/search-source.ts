import { IconAntenna, IconCar, IconUser } from "@tabler/icons-react";
import { MAX_HITS_PER_SOURCE, type SearchSource } from "../frame/search-sources.ts";
import { call } from "../session/api.ts";

const toTracker = (id: number) => ({ to: "/trackers/$id", params: { id: String(id) } });

export const trackerSource: SearchSource = {
  id: "tracker",
  icon: IconAntenna,
  label: ({ tracker }) => tracker.title,
  async find(text, signal) {
    // A label has at most 60 characters.
    const { list } = await call("/tracker/list", { labels: [text.slice(0, 60)] }, { signal });
    return list.slice(0, MAX_HITS_PER_SOURCE).map(({ id, label, source }) => ({
      ...{ id: `tracker-${id}`, label, description: source.device_id },
      ...toTracker(id),
    }));
  },
};

/** Vehicles with a tracker: the tracker's page shows where the vehicle is. */
export const vehicleSource: SearchSource = {
  id: "vehicle",
  icon: IconCar,
  label: ({ tracker }) => tracker.vehicles,
  async find(text, signal) {
    const { list } = await call(
      "/vehicle/list",
      { filter: text.slice(0, 100), limit: MAX_HITS_PER_SOURCE },
      { signal },
    );
    return list.flatMap(({ id, label, reg_number, tracker_id }) =>
      tracker_id === null ? [] : { id: `vehicle-${id}`, label, description: reg_number, ...toTracker(tracker_id) },
    );
  },
};

/** Employees with a tracker: the tracker's page shows where the employee is. */
export const employeeSource: SearchSource = {
  id: "employee",
  icon: IconUser,
  label: ({ tracker }) => tracker.people,
  async find(text, signal) {
    const { list } = await call(
      "/employee/list",
      { filter: text.slice(0, 100), limit: MAX_HITS_PER_SOURCE },
      { signal },
    );
    return list.flatMap(({ id, first_name, last_name, phone, tracker_id }) =>
      tracker_id === null
        ? []
        : {
            id: `employee-${id}`,
            label: `${first_name} ${last_name}`.trim(),
            description: phone,
            ...toTracker(tracker_id),
          },
    );
  },
};
