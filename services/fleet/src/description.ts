import { HistoryEntry } from "#shared/contract/event/event.ts";
import { FileObject } from "#shared/contract/file/file-object.ts";
import { UploadTicket } from "#shared/contract/file/file-ticket.ts";
import { Tracker } from "#shared/contract/tracker/tracker.ts";
import { describeOperations, type NamedSchemas, type Topic } from "#shared/operation/open-api.ts";
import { ChangedJournalEntry, JournalEntry, NewJournalEntry } from "./driver-journal/entry/schema.ts";
import { Proposal } from "./driver-journal/proposal/operations.ts";
import { Binding } from "./forwarding/binding/schema.ts";
import { Protocol } from "./forwarding/protocols.ts";
import {
  ChangedRetranslator,
  NewRetranslator,
  Retranslator,
  RetranslatorStatus,
} from "./forwarding/retranslator/schema.ts";
import { Import } from "./import/operations.ts";
import { operations } from "./operations.ts";
import { ChangedDepartment, Department, NewDepartment } from "./people/department/schema.ts";
import { CheckedEmployee } from "./people/employee/batch.ts";
import { ChangedEmployee, Employee, NewEmployee } from "./people/employee/schema.ts";
import { Plugin } from "./registration/plugin/operations.ts";
import { ChangedTag, NewTag, Tag } from "./tag/schema.ts";
import { Counter, CounterValue } from "./telemetry/counter/operations.ts";
import { Readings, SensorValue } from "./telemetry/reading/schema.ts";
import { ChangedSensor, NewSensor, Sensor } from "./telemetry/sensor/schema.ts";
import { TrackerGroup } from "./tracker/group/schema.ts";
import { Model } from "./tracker/model/operations.ts";
import { CheckedVehicle } from "./vehicle/batch.ts";
import { ChangedGarage, Garage, NewGarage } from "./vehicle/garage/schema.ts";
import { ChangedVehicle, NewVehicle, Vehicle } from "./vehicle/schema.ts";
import {
  ChangedServiceTask,
  NewServiceTask,
  ReadServiceTask,
  ServiceTask,
  TaskOfVehicles,
} from "./vehicle/service-task/schema.ts";
import { StatusChange } from "./work-status/assignment/operations.ts";
import { NewStatusListing, StatusListing } from "./work-status/listing/schema.ts";
import { NewStatus, Status } from "./work-status/schema.ts";

const TOPICS: Topic[] = [
  {
    name: "Trackers",
    description: "Devices of the account: registering, listing and naming them, their models and groups.",
    paths: ["/tracker"],
  },
  {
    name: "Sensors and counters",
    description:
      "Sensors, inputs and outputs of a tracker with their values, and counters of mileage, fuel and engine hours.",
    paths: [
      "/tracker/sensor",
      "/tracker/counter",
      "/tracker/readings",
      "/tracker/get_counters",
      "/tracker/get_diagnostics",
      "/tracker/get_fuel",
      "/tracker/get_inputs",
      "/tracker/get_outputs",
      "/tracker/get_readings",
      "/tracker/batch_get_inputs",
      "/tracker/batch_get_outputs",
      "/tracker/output",
    ],
  },
  { name: "Vehicles", description: "Vehicles, the trackers on them, and imports of vehicles.", paths: ["/vehicle"] },
  {
    name: "Service tasks",
    description: "Maintenance of a vehicle that becomes due by mileage, by date or by engine hours.",
    paths: ["/vehicle/service_task"],
  },
  { name: "Garages", description: "Organizations that vehicles belong to.", paths: ["/garage"] },
  {
    name: "Employees",
    description: "Drivers and other employees, their assignment to trackers, and imports of employees.",
    paths: ["/employee", "/tracker/employee"],
  },
  { name: "Departments", description: "Departments, which employees belong to.", paths: ["/department"] },
  {
    name: "Driver journal",
    description: "Journal of drives with driver and purpose, and proposals for entries made from tracks.",
    paths: ["/driver/journal"],
  },
  {
    name: "Work statuses",
    description: "Lists of work statuses of employees in the field, and the current status of trackers.",
    paths: ["/status"],
  },
  {
    name: "Tags",
    description: "Tags of employees, vehicles, trackers, places, zones and tasks, and a search by tags.",
    paths: ["/tag", "/tracker/tags"],
  },
  { name: "Events", description: "Events of trackers, read and unread.", paths: ["/history"] },
  {
    name: "Retranslators",
    description: "Servers that points are forwarded to as they arrive, and the state of forwarding.",
    paths: ["/retranslator", "/tracker/retranslator"],
  },
  {
    name: "Tariffs",
    description: "Tariffs of trackers, and the ways to register a device that the dealer offers.",
    paths: ["/tariff", "/plugin"],
  },
];

const NAMED_SCHEMAS: NamedSchemas = {
  Counter,
  CounterValue,
  Import,
  JournalProposal: Proposal,
  StatusChange,
  Plugin,
  TrackerModel: Model,
  RetranslatorBinding: Binding,
  ChangedDepartment,
  ChangedEmployee,
  ChangedGarage,
  ChangedJournalEntry,
  ChangedSensor,
  ChangedServiceTask,
  ChangedTag,
  ChangedVehicle,
  CheckedEmployee,
  CheckedVehicle,
  Department,
  Employee,
  File: FileObject,
  Garage,
  HistoryEntry,
  JournalEntry,
  NewDepartment,
  NewEmployee,
  NewGarage,
  NewJournalEntry,
  ChangedRetranslator,
  NewRetranslator,
  NewSensor,
  NewServiceTask,
  NewStatus,
  NewStatusListing,
  NewTag,
  NewVehicle,
  RetranslatorProtocol: Protocol,
  ServiceTaskWithFiles: ReadServiceTask,
  Readings,
  Retranslator,
  RetranslatorStatus,
  Sensor,
  SensorValue,
  ServiceTask,
  Status,
  StatusListing,
  Tag,
  NewServiceTaskOfVehicles: TaskOfVehicles,
  Tracker,
  TrackerGroup,
  UploadTicket,
  Vehicle,
};

export function describe() {
  return describeOperations(operations, { topics: TOPICS, named: NAMED_SCHEMAS });
}
