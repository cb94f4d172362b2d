import { Button, Loader } from "@mantine/core";
import { IconPlus, IconTransferOut } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { EmptyState } from "../component/empty-state.tsx";
import { PageHeader } from "../component/page-header.tsx";
import { Refusal } from "../component/refusal.tsx";
import type { Column, Filter } from "../component/table/columns.ts";
import { DataTable } from "../component/table/data-table.tsx";
import type { Format } from "../format/format.ts";
import { useFormat } from "../session/user.tsx";
import type { Texts } from "../text/texts.ts";
import { useTexts } from "../text/use-texts.tsx";
import { EnabledSwitch } from "./enabled-switch.tsx";
import { protocolsQuery, type Retranslator, retranslatorsQuery } from "./queries.ts";
import styles from "./retranslator.module.css";
import { StateMark, stateOf } from "./state.tsx";

/** The servers of others that get points of trackers, each with its state and a switch. */
export function RetranslatorListPage() {
  const texts = useTexts();
  const { retranslator: words, frame } = texts;
  const format = useFormat();
  const { data, error, refetch } = useQuery(retranslatorsQuery);
  const { data: protocols } = useQuery(protocolsQuery);
  const columns = useMemo(() => {
    const names = new Map((protocols ?? []).map(({ id, name }) => [id, name]));
    return columnsOf(texts, format, names);
  }, [texts, format, protocols]);
  const filters = useMemo(() => filtersOf(texts, data ?? []), [texts, data]);
  const create = (
    <Button component={Link} to="/retranslators/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {words.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={words.title} subtitle={words.subtitle} actions={data?.length ? create : undefined} />
      {error && !data ? (
        <Refusal error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loader aria-label={frame.loading} />
      ) : data.length === 0 ? (
        <EmptyState icon={IconTransferOut} title={words.empty.title} text={words.empty.text} action={create} />
      ) : (
        <DataTable
          {...{ label: words.title, rows: data, columns, filters }}
          keyOf={({ id }) => id}
          linkOf={({ id }) => ({ to: "/retranslators/$id", params: { id: `${id}` } })}
        />
      )}
    </>
  );
}

function columnsOf(
  { retranslator: words }: Texts,
  format: Format,
  protocols: Map<number, string>,
): Column<Retranslator>[] {
  const { columns: labels, states } = words;
  return [
    { id: "name", label: labels.name, value: ({ name }) => name, width: "minmax(10rem, 1.6fr)" },
    {
      id: "enabled",
      label: labels.enabled,
      value: ({ enabled }) => (enabled ? words.on : words.off),
      render: (retranslator) => (
        <span className={styles.rowSwitch}>
          <EnabledSwitch retranslator={retranslator} />
        </span>
      ),
      width: "5rem",
    },
    {
      id: "state",
      label: labels.state,
      value: (retranslator) => states[stateOf(retranslator)],
      render: (retranslator) => <StateMark retranslator={retranslator} />,
      width: "minmax(8rem, 1fr)",
    },
    {
      id: "receiver",
      label: labels.receiver,
      value: ({ address, port }) => `${address}:${port}`,
      width: "minmax(11rem, 1.6fr)",
    },
    { id: "protocol", label: labels.protocol, value: ({ protocol_id }) => protocols.get(protocol_id), isHidden: true },
    { id: "trackers", label: labels.trackers, value: ({ status }) => status?.trackers, align: "end", width: "6rem" },
    {
      id: "backlog",
      label: labels.backlog,
      value: ({ status }) => status?.backlog,
      render: ({ status }) => status && format.integer(status.backlog),
      align: "end",
      width: "9rem",
    },
    {
      id: "sent",
      label: labels.lastSuccess,
      value: ({ status }) => status?.last_success && Date.parse(status.last_success),
      render: ({ status }) => status?.last_success && format.dateTime(status.last_success),
      width: "minmax(9rem, 1fr)",
    },
    {
      id: "error",
      label: labels.lastError,
      value: ({ status }) => status?.last_error?.message,
      isHidden: true,
      width: "minmax(12rem, 2fr)",
    },
  ];
}

/** A filter with the states that occur. */
function filtersOf({ retranslator: words }: Texts, list: Retranslator[]): Filter<Retranslator>[] {
  const states = [...new Set(list.map(stateOf))];
  return [
    {
      id: "states",
      label: words.columns.state,
      options: states.map((value) => ({ value, label: words.states[value] })),
      value: stateOf,
    },
  ];
}
