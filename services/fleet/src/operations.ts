import type { Operation } from "#shared/operation/declaration.ts";
import { operations as driverJournal } from "./driver-journal/operations.ts";
import type { FleetEnv } from "./env.ts";
import { operations as forwardingBinding } from "./forwarding/binding/operations.ts";
import { operations as retranslator } from "./forwarding/retranslator/operations.ts";
import { operations as history } from "./history/operations.ts";
import { operations as imports } from "./import/operations.ts";
import { operations as people } from "./people/operations.ts";
import { operations as registration } from "./registration/operations.ts";
import { operations as registrationPlugin } from "./registration/plugin/operations.ts";
import { operations as tag } from "./tag/operations.ts";
import { operations as tagSearch } from "./tag-search/operations.ts";
import { operations as tariff } from "./tariff/operations.ts";
import { operations as telemetry } from "./telemetry/operations.ts";
import { operations as trackerAvatar } from "./tracker/avatar/operations.ts";
import { operations as trackerClone } from "./tracker/clone/operations.ts";
import { operations as trackerGroup } from "./tracker/group/operations.ts";
import { operations as model } from "./tracker/model/operations.ts";
import { operations as tracker } from "./tracker/operations.ts";
import { operations as trackerTags } from "./tracker/tags/operations.ts";
import { operations as vehicle } from "./vehicle/operations.ts";
import { operations as workStatusAssignment } from "./work-status/assignment/operations.ts";
import { operations as workStatusListing } from "./work-status/listing/operations.ts";
import { operations as workStatus } from "./work-status/operations.ts";

export const operations: Operation<FleetEnv>[] = [
  ...imports,
  ...registration,
  ...registrationPlugin,
  ...tariff,
  ...tracker,
  ...trackerAvatar,
  ...trackerClone,
  ...trackerTags,
  ...people,
  ...trackerGroup,
  ...model,
  ...vehicle,
  ...tag,
  ...tagSearch,
  ...history,
  ...workStatusListing,
  ...workStatus,
  ...workStatusAssignment,
  ...driverJournal,
  ...telemetry,
  ...retranslator,
  ...forwardingBinding,
];
