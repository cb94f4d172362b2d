import * as z from "zod";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { listAnswer } from "#shared/operation/list-answer.ts";
import { operation } from "../../operation.ts";
import { deliverChangedTargets } from "../deliver-targets.ts";
import { PROTOCOLS, Protocol } from "../protocols.ts";
import {
  changeRetranslator,
  insertRetranslator,
  removeRetranslator,
  selectBoundTrackers,
  selectRetranslators,
} from "./queries.ts";
import {
  ChangedRetranslator,
  NewRetranslator,
  Retranslator,
  RetranslatorStatus,
  requireProtocol,
  StatusSearch,
} from "./schema.ts";

export const listRetranslators = operation("/retranslator/list", {
  summary: "All retranslators, with their passwords",
  masterOnly: true,
  right: "admin",
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(Retranslator) }),
  errors: [],
  async run(_, { db, env, principal }) {
    return listAnswer({}, await selectRetranslators(db, env, principal));
  },
});

export const createRetranslator = operation("/retranslator/create", {
  summary: "Creates a retranslator: a server that points of trackers are forwarded to once they are bound to it",
  masterOnly: true,
  right: "admin",
  input: z.object({ retranslator: NewRetranslator }),
  output: z.object({ id: z.int() }),
  errors: [7, 247, 268],
  async run({ retranslator }, { db, env, principal, actor }) {
    const { id: protocol_id } = requireProtocol(retranslator, env.ALLOW_PRIVATE_TARGETS === "1");
    const id = await insertRetranslator(db, env, principal, { ...retranslator, protocol_id }, actor);
    return { id };
  },
});

export const updateRetranslator = operation("/retranslator/update", {
  summary: "Changes a retranslator; members that are left out stay. Waiting points are retried at once",
  masterOnly: true,
  right: "admin",
  input: z.object({ retranslator: ChangedRetranslator }),
  output: z.object({}),
  errors: [7, 201, 247],
  async run({ retranslator }, { db, env, principal, actor }) {
    const targets = await changeRetranslator(db, env, principal, retranslator, actor);
    await deliverChangedTargets(env, targets);
    return {};
  },
});

export const deleteRetranslator = operation("/retranslator/delete", {
  summary: "Deletes a retranslator with its bindings",
  masterOnly: true,
  right: "admin",
  input: z.object({ retranslator_id: z.int() }),
  output: z.object({}),
  errors: [201],
  async run({ retranslator_id }, { db, env, principal, actor }) {
    const targets = await removeRetranslator(db, principal, retranslator_id, actor);
    await deliverChangedTargets(env, targets);
    return {};
  },
});

export const listRetranslatorStatus = operation("/retranslator/status/list", {
  summary:
    "The state of retranslators: when points were last sent, the last error, and the number of waiting points; of one retranslator also its trackers",
  masterOnly: true,
  right: "admin",
  reads: true,
  input: StatusSearch,
  output: z.object({ list: z.array(RetranslatorStatus) }),
  errors: [7, 217],
  async run({ retranslator_ids, with_bindings }, { db, env, principal }) {
    if (with_bindings && retranslator_ids?.length !== 1) {
      throw invalid("with_bindings", "needs exactly one id in retranslator_ids");
    }
    const [{ bound, bindings }, statuses] = await Promise.all([
      selectBoundTrackers(db, principal, { ids: retranslator_ids, with_bindings }),
      env.GEO.retranslationStatuses(principal.account_id),
    ]);
    const found = new Set(bound.map((one) => one.retranslator_id));
    if (retranslator_ids && !retranslator_ids.every((id) => found.has(id))) throw new ApiError(217);
    const unused = { last_success: null, last_error: null, backlog: 0 };
    const list = bound.map((one) => {
      const status = statuses.find(({ retranslator_id }) => retranslator_id === one.retranslator_id);
      return { ...unused, ...status, ...one, bindings };
    });
    return { list };
  },
});

const PROTOCOL_LIST = {
  summary: "The protocols that retranslators speak",
  masterOnly: true,
  right: "admin",
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(Protocol) }),
  errors: [],
  async run() {
    return { list: PROTOCOLS };
  },
} as const;

export const listProtocol = operation("/retranslator/protocol/list", { ...PROTOCOL_LIST, errors: [] });
/** The older path of `/retranslator/protocol/list`, for clients that still use it. */
export const listProtocols = operation("/retranslator/protocols/list", { ...PROTOCOL_LIST, errors: [] });

export const operations = [
  listRetranslators,
  createRetranslator,
  updateRetranslator,
  deleteRetranslator,
  listRetranslatorStatus,
  listProtocol,
  listProtocols,
];
