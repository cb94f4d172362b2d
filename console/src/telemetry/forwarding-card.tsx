import { Anchor, Button, Loader, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Panel } from "../component/facts.tsx";
import { Refusal } from "../component/refusal.tsx";
import { ForwardSwitch } from "../retranslator/forward-switch.tsx";
import { type Retranslator, retranslatorsOfTrackerQuery, retranslatorsQuery } from "../retranslator/queries.ts";
import { StateMark } from "../retranslator/state.tsx";
import { useTexts } from "../text/use-texts.tsx";
import styles from "./telemetry.module.css";

/** Other servers that get the points of a tracker. */
export function ForwardingCard({ trackerId }: { trackerId: number }) {
  const { telemetry: words, frame } = useTexts();
  const { data, error } = useQuery(retranslatorsQuery);
  const bound = useQuery(retranslatorsOfTrackerQuery(trackerId));
  const failure = error ?? bound.error;
  return (
    <Panel
      title={words.forwarding}
      actions={
        <Button
          component={Link}
          to="/retranslators/new"
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
        >
          {words.newServer}
        </Button>
      }
    >
      {failure && !(data && bound.data) ? (
        <Refusal error={failure} />
      ) : !data || !bound.data ? (
        <Loader size="sm" aria-label={frame.loading} />
      ) : data.length === 0 ? (
        <Text size="sm">{words.noServers}</Text>
      ) : (
        <ul className={styles.sensors}>
          {data.map((one) => (
            <ServerRow key={one.id} trackerId={trackerId} retranslator={one} isBound={bound.data.has(one.id)} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

type ServerRowProps = { trackerId: number; retranslator: Retranslator; isBound: boolean };

function ServerRow({ trackerId, retranslator, isBound }: ServerRowProps) {
  const { telemetry: words } = useTexts();
  const { id, name, address, port } = retranslator;
  return (
    <li className={styles.sensor}>
      <div className={styles.sensorName}>
        <Anchor component={Link} to={`/retranslators/${id}`} size="sm" fw={600}>
          <bdi>{name}</bdi>
        </Anchor>
        <Text size="xs" c="dimmed">
          {`${address}:${port}`}
        </Text>
        <Text component="div" size="sm">
          <StateMark retranslator={retranslator} />
        </Text>
      </div>
      <div>
        <ForwardSwitch {...{ trackerId, retranslator, isForwarded: isBound, label: words.forwardTo(name) }} />
      </div>
    </li>
  );
}
