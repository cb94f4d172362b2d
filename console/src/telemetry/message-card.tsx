import { ScrollArea, Text } from "@mantine/core";
import { Panel } from "../component/facts.tsx";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import type { AttributeValue, LastValues } from "./last-values.ts";
import styles from "./telemetry.module.css";

/** The last messages of the device, live: a column for each message, a row for each attribute. */
export function MessageCard({ values }: { values: LastValues | undefined }) {
  const { telemetry: words } = useTexts();
  const format = useFormat();
  const fields = Object.entries(values?.all_fields ?? {}).toSorted(([one], [other]) => one.localeCompare(other));
  const [longest = []] = fields.map(([, column]) => column).toSorted((one, other) => other.length - one.length);
  return (
    <div className={styles.wide}>
      <Panel title={words.messages}>
        {fields.length === 0 ? (
          <Text size="sm">{words.noMessages}</Text>
        ) : (
          <ScrollArea.Autosize
            mah={350}
            type="auto"
            offsetScrollbars
            viewportProps={{ tabIndex: 0, role: "group", "aria-label": words.messages }}
          >
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col">{words.attribute}</th>
                  {longest.map(({ msg_time }, index) => (
                    <th key={index} scope="col" title={format.dateTime(toMoment(msg_time))}>
                      {format.time(toMoment(msg_time))}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {fields.map(([name, column]) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    {column.map(({ value }, index) => (
                      <td key={index}>{showValue(value)}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollArea.Autosize>
        )}
      </Panel>
    </div>
  );
}

function showValue(value: AttributeValue["value"]) {
  return value === null ? "–" : `${value}`;
}

function toMoment(utc: string): number {
  return Date.parse(`${utc.replace(" ", "T")}Z`);
}
