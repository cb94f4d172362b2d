import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Facts } from "../component/facts.tsx";
import { writeCoordinates } from "../format/coordinates.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { TrackerLink } from "../tracker/link.tsx";
import styles from "./event.module.css";
import type { HistoryEvent } from "./rows.ts";

/** The message, tracker, time, place, zones, value and rule of an event. */
export function EventFacts({ event }: { event: HistoryEvent }) {
  const { event: words, eventNames } = useTexts();
  const format = useFormat();
  const { extra, message, location, address, tracker_id, rule_id } = event;
  return (
    <>
      {extra.emergency && (
        <Text size="sm" fw={600} className={styles.emergency} mb={6}>
          {words.emergency}
        </Text>
      )}
      <Facts
        entries={[
          [words.message, message !== eventNames[event.event] && (extra.full_message ?? message)],
          [words.tracker, <TrackerLink key="tracker" id={tracker_id} label={extra.tracker_label ?? `${tracker_id}`} />],
          [words.time, format.dateTime(event.time)],
          [words.place, address || (location && writeCoordinates(location))],
          [words.zones, extra.zone_labels?.join(", ")],
          [words.value, extra.sensor_calculated_value],
          [
            words.rule,
            rule_id !== undefined && (
              <Anchor key="rule" component={Link} to={`/rules/${rule_id}`} inherit>
                {words.openRule}
              </Anchor>
            ),
          ],
          [words.note, extra.last_known_location && words.lastKnown],
          [words.corrected, extra.corrected && words.correctedText],
        ]}
      />
    </>
  );
}
