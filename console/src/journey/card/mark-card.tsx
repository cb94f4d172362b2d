import { useQuery } from "@tanstack/react-query";
import { Facts } from "../../component/facts.tsx";
import { EventFacts } from "../../event/facts.tsx";
import { writeCoordinates } from "../../format/coordinates.ts";
import { MapCard } from "../../map/card/map-card.tsx";
import type { StyledMap } from "../../map/styled-map.ts";
import { useFormat } from "../../session/user.tsx";
import { useTexts } from "../../text/use-texts.tsx";
import { TrackerLink } from "../../tracker/link.tsx";
import { employeeQuery } from "../queries.ts";
import type { TimelineCheckin, TimelineStay } from "../timeline.ts";
import type { Vehicle } from "../vehicle.ts";
import { Photos } from "./photos.tsx";
import type { OpenedMark } from "./use-opened-mark.ts";

type MarkCardProps = {
  map: StyledMap;
  opened: OpenedMark;
  vehicles: readonly Vehicle[];
  onClose(): void;
};

/** The card of a stay, an event or a check-in at its place on the map. */
export function MarkCard({ map, opened: { entry, place }, vehicles, onClose }: MarkCardProps) {
  const { journey: words, eventNames } = useTexts();
  const vehicle = vehicles.find(({ id }) => id === entry.trackerId);
  const title = entry.kind === "event" ? eventNames[entry.event.event] : words[entry.kind];
  return (
    <MapCard {...{ map, title, onClose }} location={place}>
      {entry.kind === "event" && <EventFacts event={entry.event} />}
      {entry.kind === "stay" && <StayFacts {...{ entry, place, vehicle }} />}
      {entry.kind === "checkin" && <CheckinFacts {...{ entry, place, vehicle }} />}
    </MapCard>
  );
}

type FactsProps<Entry> = { entry: Entry; place: OpenedMark["place"]; vehicle: Vehicle | undefined };

function StayFacts({ entry: { from, to, address }, place, vehicle }: FactsProps<TimelineStay>) {
  const { journey: words, event } = useTexts();
  const format = useFormat();
  return (
    <Facts
      entries={[
        [words.card.duration, format.duration((to - from) / 1000)],
        [words.card.from, format.dateTime(from)],
        [words.card.to, format.dateTime(to)],
        [event.tracker, vehicle && <TrackerLink {...vehicle} />],
        [event.place, address || writeCoordinates(place)],
      ]}
    />
  );
}

function CheckinFacts({ entry: { from, checkin }, place, vehicle }: FactsProps<TimelineCheckin>) {
  const { journey: words, event } = useTexts();
  const format = useFormat();
  const { employee_id, comment, location, form_label, files } = checkin;
  return (
    <>
      <Facts
        entries={[
          [words.card.comment, comment],
          [event.time, format.dateTime(from)],
          [event.tracker, vehicle && <TrackerLink {...vehicle} />],
          [words.card.driver, employee_id !== undefined && <Driver id={employee_id} />],
          [event.place, location.address || writeCoordinates(place)],
          [words.card.form, form_label],
        ]}
      />
      {files.length > 0 && <Photos files={files} />}
    </>
  );
}

/** The name of an employee, who may have been deleted since. */
function Driver({ id }: { id: number }) {
  const { data, error } = useQuery(employeeQuery(id));
  if (!data) return error ? "–" : "…";
  return <bdi>{[data.first_name, data.middle_name, data.last_name].filter(Boolean).join(" ")}</bdi>;
}
