import { Text } from "@mantine/core";
import { Facts, Panel } from "../component/facts.tsx";
import { useFormat } from "../session/user.tsx";
import type { Texts } from "../text/texts.ts";
import { useTexts } from "../text/use-texts.tsx";
import { type Connection, StatusMark } from "../tracker/status.tsx";
import type { Retranslator } from "./queries.ts";

type State = keyof Texts["retranslator"]["states"];

/** The mark of each state is that of a tracker in the same condition. */
const MARKS: Record<State, Connection> = { off: "unknown", failing: "offline", sending: "active", unused: "idle" };

/** Whether points get through: what happened last counts. */
export function stateOf({ enabled, status }: Retranslator): State {
  if (!enabled) return "off";
  const { last_success, last_error } = status ?? {};
  if (last_error && (!last_success || Date.parse(last_error.time) > Date.parse(last_success))) return "failing";
  return last_success ? "sending" : "unused";
}

export function StateMark({ retranslator }: { retranslator: Retranslator }) {
  const { states } = useTexts().retranslator;
  const state = stateOf(retranslator);
  return <StatusMark connection={MARKS[state]} label={states[state]} />;
}

/** The result of forwarding: what was sent last, what waits, what failed. */
export function StatePanel({ retranslator }: { retranslator: Retranslator }) {
  const { retranslator: words } = useTexts();
  const format = useFormat();
  const { last_success, last_error, backlog = 0 } = retranslator.status ?? {};
  return (
    <Panel title={words.columns.state}>
      <Facts
        entries={[
          [words.columns.state, <StateMark key="state" retranslator={retranslator} />],
          [words.columns.lastSuccess, last_success && format.dateTime(last_success)],
          [words.columns.backlog, format.integer(backlog)],
          [words.columns.lastError, last_error && <LastError key="error" retranslator={retranslator} />],
        ]}
      />
    </Panel>
  );
}

function LastError({ retranslator }: { retranslator: Retranslator }) {
  const format = useFormat();
  const { last_error } = retranslator.status ?? {};
  const isPresent = stateOf(retranslator) === "failing";
  return (
    <Text size="sm" c={isPresent ? "var(--mantine-color-error)" : "dimmed"}>
      {last_error && `${format.dateTime(last_error.time)}: ${last_error.message}`}
    </Text>
  );
}
