import { describeOperations, type NamedSchemas, type Topic } from "#shared/operation/open-api.ts";
import { AddressDetails, FoundAddress } from "./geocoder/schema.ts";
import { LastGpsPoint, TrackerState } from "./live/state/schema.ts";
import { operations } from "./operations.ts";
import { CustomField, FieldInput } from "./place/custom-field/schema.ts";
import { ChangedEntity, Entity } from "./place/entity/schema.ts";
import { ChangedPlace, NewPlace, Place } from "./place/schema.ts";
import { Bounds } from "./point/schema.ts";
import { ChangedRule, NewRule, Rule } from "./rule/schema.ts";
import { PointInfo, Track } from "./track/schema.ts";
import { ChangedZone, NewZone, Zone } from "./zone/schema.ts";

const TOPICS: Topic[] = [
  {
    name: "Tracks",
    description: "Trips of a tracker and their points, as JSON, KML and KMZ.",
    paths: ["/track"],
  },
  {
    name: "Tracker states",
    description: "The last state of a tracker, statistics of a range, and how its points are processed.",
    paths: ["/tracker"],
  },
  {
    name: "Rules",
    description: "Rules that make events about trackers, by their points and by reports of their devices.",
    paths: ["/tracker/rule"],
  },
  { name: "Zones", description: "Geofences: circles, polygons and lines with a width.", paths: ["/zone"] },
  { name: "Places", description: "Points of interest, with values of the account's custom fields.", paths: ["/place"] },
  {
    name: "Geocoder",
    description: "Positions of addresses, and addresses of positions.",
    paths: ["/geocoder"],
  },
  {
    name: "Custom fields",
    description: "Additional fields of the account's places.",
    paths: ["/entity"],
  },
  {
    name: "Shared zones and places",
    description: "Zones and places that the master shows to a sub-user.",
    paths: ["/subuser/zones", "/subuser/places"],
  },
];

const NAMED: NamedSchemas = {
  AddressDetails,
  Bounds,
  ChangedEntity,
  ChangedPlace,
  ChangedRule,
  ChangedZone,
  CustomField,
  Entity,
  FoundAddress,
  NewCustomField: FieldInput,
  LastGpsPoint,
  NewPlace,
  NewRule,
  NewZone,
  Place,
  Rule,
  TrackPoint: PointInfo,
  Track,
  TrackerState,
  Zone,
};

export function describe() {
  return describeOperations(operations, { topics: TOPICS, named: NAMED });
}
