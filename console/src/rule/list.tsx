import { Button, Loader, Switch } from "@mantine/core";
import { IconBellCog, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { EmptyState } from "../component/empty-state.tsx";
import { PageHeader } from "../component/page-header.tsx";
import { Refusal } from "../component/refusal.tsx";
import type { Column, Filter } from "../component/table/columns.ts";
import { DataTable } from "../component/table/data-table.tsx";
import { useUser } from "../session/user.tsx";
import type { Texts } from "../text/texts.ts";
import { useTexts } from "../text/use-texts.tsx";
import { nameOfKind } from "./kinds.ts";
import { rulesQuery, ruleTypesQuery, useSwitchRule, zonesQuery } from "./queries.ts";
import styles from "./rule.module.css";
import type { Rule, RuleType } from "./rule.ts";

/** The rules of the account, which are switched on and off in their rows. */
export function RuleListPage() {
  const texts = useTexts();
  const { rule: words, frame } = texts;
  const { can } = useUser();
  const mayChange = can("tracker_rule_update");
  const rules = useQuery(rulesQuery);
  const types = useQuery(ruleTypesQuery);
  const zones = useQuery(zonesQuery);
  const columns = useMemo(() => {
    const kinds = new Map((types.data ?? []).map((type) => [type.type, type]));
    const labels = new Map((zones.data ?? []).map(({ id, label }) => [id, label]));
    return columnsOf(texts, { kinds, zones: labels, mayChange });
  }, [texts, types.data, zones.data, mayChange]);
  const filters = useMemo(() => filtersOf(texts, rules.data ?? [], types.data ?? []), [texts, rules.data, types.data]);
  const error = rules.error ?? types.error;
  const create = mayChange && (
    <Button component={Link} to="/rules/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {words.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={words.title} subtitle={words.subtitle} actions={rules.data?.length ? create : undefined} />
      {error && (!rules.data || !types.data) ? (
        <Refusal error={error} onRetry={() => void rules.refetch()} />
      ) : !rules.data || !types.data ? (
        <Loader aria-label={frame.loading} />
      ) : rules.data.length === 0 ? (
        <EmptyState icon={IconBellCog} title={words.empty.title} text={words.empty.text} action={create} />
      ) : (
        <DataTable
          {...{ label: words.title, rows: rules.data, columns, filters }}
          keyOf={({ id }) => id}
          linkOf={({ id }) => ({ to: "/rules/$id", params: { id: `${id}` } })}
        />
      )}
    </>
  );
}

type Context = { kinds: Map<string, RuleType>; zones: Map<number, string>; mayChange: boolean };

function columnsOf(texts: Texts, { kinds, zones, mayChange }: Context): Column<Rule>[] {
  const { rule: words } = texts;
  const kindOf = ({ type }: Rule) => {
    const kind = kinds.get(type);
    return kind ? nameOfKind(kind, texts) : type;
  };
  return [
    { id: "name", label: words.columns.name, value: ({ name }) => name, width: "minmax(11rem, 2fr)" },
    {
      id: "active",
      label: words.columns.active,
      value: ({ suspended }) => (suspended ? words.off : words.on),
      render: (rule) => (mayChange ? <RuleSwitch rule={rule} /> : rule.suspended ? words.off : words.on),
      width: "6rem",
    },
    { id: "kind", label: words.columns.kind, value: kindOf, width: "minmax(11rem, 1.6fr)" },
    {
      id: "trackers",
      label: words.columns.trackers,
      value: ({ trackers }) => trackers.length,
      align: "end",
      width: "6rem",
    },
    {
      id: "zones",
      label: words.columns.zones,
      value: ({ zone_ids }) => zone_ids.map((id) => zones.get(id) ?? id).join(", "),
      width: "minmax(8rem, 1fr)",
    },
    {
      id: "recipients",
      label: words.columns.recipients,
      value: ({ alerts }) => [...alerts.emails, ...alerts.sms_phones, ...alerts.phones].join(", "),
      width: "minmax(9rem, 1.4fr)",
    },
  ];
}

function filtersOf(texts: Texts, rules: Rule[], types: RuleType[]): Filter<Rule>[] {
  const { rule: words } = texts;
  const used = new Set(rules.map(({ type }) => type));
  return [
    {
      id: "kind",
      label: words.columns.kind,
      options: types
        .filter(({ type }) => used.has(type))
        .map((type) => ({ value: type.type, label: nameOfKind(type, texts) })),
      value: ({ type }) => type,
    },
    {
      id: "active",
      label: words.columns.state,
      options: [
        { value: "on", label: words.on },
        { value: "off", label: words.off },
      ],
      value: ({ suspended }) => (suspended ? "off" : "on"),
    },
  ];
}

/** Stands above the link that covers the row. */
function RuleSwitch({ rule: { id, name, suspended } }: { rule: Rule }) {
  const { rule: words } = useTexts();
  const { mutate } = useSwitchRule();
  return (
    <Switch
      className={styles.rowSwitch}
      aria-label={words.switchOf(name)}
      checked={!suspended}
      onChange={(event) => mutate({ id, suspended: !event.currentTarget.checked })}
    />
  );
}
