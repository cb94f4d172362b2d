import { type ActionOn, type ChangedThing, type ChangeKind, RECORDED_CHANGES } from "#shared/caller/recorded-change.ts";

type Action = ActionOn<ChangedThing>;

/** The last part of an event's type, by the action of the recorded change. */
const PARTICIPLES = {
  activate: "activated",
  assign: "assigned",
  bind: "bound",
  block: "blocked",
  calibrate: "calibrated",
  checkin: "checked_in",
  clone: "cloned",
  complete: "finished",
  copy: "copied",
  corrupt: "removed",
  create: "created",
  delete: "deleted",
  disable: "disabled",
  done: "done",
  employee_assign: "employee_assigned",
  fail: "failed",
  finish: "closed",
  login: "logged_in",
  logout: "logged_out",
  menu_update: "menu_updated",
  password_change: "password_changed",
  pause: "paused",
  personal_info_update: "personal_info_updated",
  register: "registered",
  replay: "replayed",
  secret_rotate: "secret_rotated",
  session_create: "session_created",
  session_delete: "session_deleted",
  set: "set",
  settings_update: "settings_updated",
  start: "started",
  status: "status_changed",
  submit: "submitted",
  tags: "tags_changed",
  tariff_change: "tariff_changed",
  test: "tested",
  totp_create: "second_factor_created",
  transmute: "converted",
  unbind: "unbound",
  unblock: "unblocked",
  update: "updated",
  upload: "uploaded",
} as const satisfies Record<Action, string>;

type TypeOf<Thing extends ChangedThing> = `${Thing}.${(typeof PARTICIPLES)[ActionOn<Thing>]}`;
/** The type of the event of a recorded change, as in `vehicle.created`. */
export type ChangeType = { [Thing in ChangedThing]: TypeOf<Thing> }[ChangedThing];

export function typeOfChange([thing, action]: ChangeKind): ChangeType {
  // A change kind combines a thing with an action of its own.
  return `${thing}.${PARTICIPLES[action]}` as ChangeType;
}

/** The type of an entry whose names came from another Worker; null if this release does not know them. */
export function typeOfEntry(category: string, action: string): ChangeType | null {
  const kind = kindsByName.get(`${category} ${action}`);
  return kind ? typeOfChange(kind) : null;
}

/** Every kind of recorded change. */
export const CHANGE_KINDS = Object.entries(RECORDED_CHANGES).flatMap(([thing, actions]) =>
  // Object.entries loses that the actions are those of the thing.
  actions.map((action) => [thing, action] as unknown as ChangeKind),
);
const kindsByName = new Map(CHANGE_KINDS.map((kind) => [kind.join(" "), kind]));
