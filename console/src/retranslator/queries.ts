import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../../clients/typescript/src/index.ts";
import { call } from "../session/api.ts";

export type RetranslatorStatus = Schemas["RetranslatorStatus"];
export type Retranslator = Schemas["Retranslator"] & { status: RetranslatorStatus | undefined };
export type NewRetranslator = Schemas["NewRetranslator"];
export type Protocol = Schemas["RetranslatorProtocol"];
/** A tracker whose points are forwarded or not; `fake_device_id` is sent instead of the device's own id. */
export type BindingChange = { tracker_id: number; isForwarded: boolean; fake_device_id?: string | null };

export const RETRANSLATOR_KEY = ["retranslator"];
/** Numbers of waiting points are up to a minute old, too. */
const REFRESH_MS = 30_000;
const CALLS_AT_ONCE = 4;

/** All retranslators with their states. */
export const retranslatorsQuery = queryOptions({
  queryKey: [...RETRANSLATOR_KEY, "list"],
  queryFn: async ({ signal }): Promise<Retranslator[]> => {
    const [{ list }, statuses] = await Promise.all([
      call("/retranslator/list", undefined, { signal }),
      call("/retranslator/status/list", {}, { signal }),
    ]);
    const byId = new Map(statuses.list.map((status) => [status.retranslator_id, status]));
    return list.map((one) => ({ ...one, status: byId.get(one.id) }));
  },
  refetchInterval: REFRESH_MS,
});

export const protocolsQuery = queryOptions({
  queryKey: [...RETRANSLATOR_KEY, "protocols"],
  queryFn: async ({ signal }) => (await call("/retranslator/protocol/list", undefined, { signal })).list,
  staleTime: Number.POSITIVE_INFINITY,
});

/** The trackers of a retranslator by their ids, with the device ids that its receiver gets. */
export function boundTrackersQuery(retranslator_id: number) {
  return queryOptions({
    queryKey: [...RETRANSLATOR_KEY, "trackers", retranslator_id],
    queryFn: async ({ signal }) => {
      const search = { retranslator_ids: [retranslator_id], with_bindings: true };
      const { list } = await call("/retranslator/status/list", search, { signal });
      return new Map((list[0]?.bindings ?? []).map(({ tracker_id, fake_device_id }) => [tracker_id, fake_device_id]));
    },
  });
}

/** The retranslators that get the points of a tracker. */
export function retranslatorsOfTrackerQuery(tracker_id: number) {
  return queryOptions({
    queryKey: [...RETRANSLATOR_KEY, "of tracker", tracker_id],
    queryFn: async ({ signal }) => {
      const { list } = await call("/tracker/retranslator/list", { tracker_id }, { signal });
      return new Set(list.map(({ retranslator_id }) => retranslator_id));
    },
  });
}

/** Stores a retranslator, new without an id; answers its id. */
export function useSaveRetranslator(id: number | undefined) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (retranslator: NewRetranslator): Promise<number> => {
      if (id === undefined) return (await call("/retranslator/create", { retranslator })).id;
      await call("/retranslator/update", { retranslator: { ...retranslator, id } });
      return id;
    },
    onSuccess: () => refresh(queries),
  });
}

export function useSwitchRetranslator(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (enabled: boolean) => call("/retranslator/update", { retranslator: { id, enabled } }),
    onSuccess: () => refresh(queries),
  });
}

/** Begins or ends forwarding the points of a tracker, or changes the id that is sent. */
export function useChangeBinding(retranslator_id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: BindingChange) => changeBinding(retranslator_id, change),
    onSuccess: () => refresh(queries),
  });
}

/** Begins to forward the points of many trackers, a few at a time; answers the refusals by the ids of trackers. */
export function useBindTrackers(retranslator_id: number, onProgress: (done: number) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (tracker_ids: number[]) => {
      const refusals = new Map<number, unknown>();
      const pending = tracker_ids.values();
      let done = 0;
      const work = async () => {
        for (const tracker_id of pending) {
          await changeBinding(retranslator_id, { tracker_id, isForwarded: true }).catch((thrown: unknown) =>
            refusals.set(tracker_id, thrown),
          );
          done++;
          onProgress(done);
        }
      };
      await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work));
      return refusals;
    },
    onSuccess: () => refresh(queries),
  });
}

function changeBinding(retranslator_id: number, { tracker_id, isForwarded, fake_device_id = null }: BindingChange) {
  return isForwarded
    ? call("/tracker/retranslator/bind", { tracker_id, retranslator_id, fake_device_id })
    : call("/tracker/retranslator/unbind", { tracker_id, retranslator_id });
}

function refresh(queries: QueryClient) {
  return queries.invalidateQueries({ queryKey: RETRANSLATOR_KEY });
}
