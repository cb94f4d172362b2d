import { Button, Group, Loader, NumberInput, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ChangeEvent, type FormEvent, useState } from "react";
import type { Schemas } from "../../../clients/typescript/src/index.ts";
import { Panel } from "../component/facts.tsx";
import { errorAt, fieldErrorsOf } from "../component/field-errors.ts";
import { noticeFailure } from "../component/notice.ts";
import { Refusal } from "../component/refusal.tsx";
import { call } from "../session/api.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import styles from "./telemetry.module.css";

type NewRetranslator = Schemas["NewRetranslator"];

const KEY = ["retranslator"];

/** All retranslators with their states, and which of them get the points of a tracker. */
function forwardingQuery(tracker_id: number) {
  return queryOptions({
    queryKey: [...KEY, tracker_id],
    queryFn: async ({ signal }) => {
      const [{ list }, states, bindings] = await Promise.all([
        call("/retranslator/list", undefined, { signal }),
        call("/retranslator/status/list", {}, { signal }),
        call("/tracker/retranslator/list", { tracker_id }, { signal }),
      ]);
      const bound = new Set(bindings.list.map(({ retranslator_id }) => retranslator_id));
      return list.map((retranslator) => ({
        ...retranslator,
        isBound: bound.has(retranslator.id),
        state: states.list.find(({ retranslator_id }) => retranslator_id === retranslator.id),
      }));
    },
  });
}

const protocolsQuery = queryOptions({
  queryKey: [...KEY, "protocols"],
  queryFn: async ({ signal }) => (await call("/retranslator/protocols/list", undefined, { signal })).list,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Other servers that get the points of a tracker. */
export function ForwardingCard({ trackerId }: { trackerId: number }) {
  const { telemetry: words, frame } = useTexts();
  const { data, error } = useQuery(forwardingQuery(trackerId));
  const [isNew, setNew] = useState(false);
  return (
    <Panel
      title={words.forwarding}
      actions={
        data &&
        !isNew && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setNew(true)}
          >
            {words.newServer}
          </Button>
        )
      }
    >
      {error && !data ? (
        <Refusal error={error} />
      ) : !data ? (
        <Loader size="sm" aria-label={frame.loading} />
      ) : isNew ? (
        <ServerForm onClose={() => setNew(false)} />
      ) : data.length === 0 ? (
        <Text size="sm">{words.noServers}</Text>
      ) : (
        <ul className={styles.sensors}>
          {data.map((server) => (
            <ServerRow key={server.id} trackerId={trackerId} server={server} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

type Server = Schemas["Retranslator"] & { isBound: boolean; state: Schemas["RetranslatorStatus"] | undefined };

function ServerRow({ trackerId, server }: { trackerId: number; server: Server }) {
  const texts = useTexts();
  const { telemetry: words } = texts;
  const format = useFormat();
  const queries = useQueryClient();
  const { id, name, address, port, isBound, state } = server;
  const bind = useMutation({
    mutationFn: (isOn: boolean) =>
      call(isOn ? "/tracker/retranslator/bind" : "/tracker/retranslator/unbind", {
        ...{ tracker_id: trackerId, retranslator_id: id },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
    onError: (thrown) => noticeFailure(thrown, texts),
  });
  const facts = [
    `${address}:${port}`,
    state?.last_success && words.lastSuccess(format.dateTime(state.last_success)),
    state?.backlog ? words.backlog(format.integer(state.backlog)) : "",
  ];
  return (
    <li className={styles.sensor}>
      <div className={styles.sensorName}>
        <Text size="sm" fw={600}>
          <bdi>{name}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          {facts.filter(Boolean).join(" · ")}
        </Text>
        {state?.last_error && (
          <Text size="xs" c="error">
            {format.dateTime(state.last_error.time)}: {state.last_error.message}
          </Text>
        )}
      </div>
      <Switch
        aria-label={words.forwardTo(name)}
        checked={isBound}
        disabled={bind.isPending}
        onChange={(event) => bind.mutate(event.currentTarget.checked)}
      />
    </li>
  );
}

function ServerForm({ onClose }: { onClose(): void }) {
  const { telemetry: words } = useTexts();
  const queries = useQueryClient();
  const { data: protocols = [] } = useQuery(protocolsQuery);
  const [draft, setDraft] = useState({
    name: "",
    protocol: "",
    address: "",
    port: "" as number | string,
    login: "",
    password: "",
  });
  const change = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes });
  const create = useMutation({
    mutationFn: (retranslator: NewRetranslator) => call("/retranslator/create", { retranslator }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: KEY });
      onClose();
    },
  });
  const errors = fieldErrorsOf(create.error, "retranslator");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { name, protocol, address, port, login, password } = draft;
    const access = { login: login || null, password: password || null };
    create.mutate({ name, protocol_id: Number(protocol), address: address.trim(), port: Number(port), ...access });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput {...textOf("name", words.serverName)} required />
        <Select
          label={words.protocol}
          data={protocols.map(({ id, name }) => ({ value: `${id}`, label: name }))}
          value={draft.protocol || null}
          error={errorAt(errors, "protocol_id")}
          required
          onChange={(protocol) => change({ protocol: protocol ?? "" })}
        />
        <Group gap="xs" align="flex-start" grow>
          <TextInput {...textOf("address", words.host)} required />
          <NumberInput
            label={words.port}
            value={draft.port}
            error={errorAt(errors, "port")}
            {...{ required: true, allowDecimal: false, thousandSeparator: "" }}
            onChange={(port) => change({ port })}
          />
        </Group>
        <Group gap="xs" align="flex-start" grow>
          <TextInput {...textOf("login", words.login)} autoComplete="off" />
          <TextInput {...textOf("password", words.password)} autoComplete="off" />
        </Group>
        {create.error && <Refusal error={create.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {words.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );

  function textOf(name: "name" | "address" | "login" | "password", label: string) {
    return {
      ...{ label, value: draft[name], error: errorAt(errors, name) },
      onChange: (event: ChangeEvent<HTMLInputElement>) => change({ [name]: event.currentTarget.value }),
    };
  }
}
