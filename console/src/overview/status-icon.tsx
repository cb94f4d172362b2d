import {
  IconAlertTriangleFilled,
  IconBan,
  IconCircleDashed,
  IconCircleXFilled,
  IconNavigationFilled,
  IconParkingCircleFilled,
  IconPlayerPauseFilled,
  type TablerIcon,
} from "@tabler/icons-react";
import type { Status } from "../live/status.ts";
import styles from "./overview.module.css";

const ICONS: Record<Status, TablerIcon> = {
  moving: IconNavigationFilled,
  stopped: IconPlayerPauseFilled,
  parked: IconParkingCircleFilled,
  noSatellites: IconAlertTriangleFilled,
  offline: IconCircleXFilled,
  waiting: IconCircleDashed,
  blocked: IconBan,
};

/** The mark of a status, in the colour that it has on the map. Its word stands beside it. */
export function StatusIcon({ status, heading = 0 }: { status: Status; heading?: number }) {
  const Icon = ICONS[status];
  const transform = status === "moving" ? `rotate(${heading}deg)` : undefined;
  return (
    <Icon size={16} className={styles.status} style={{ color: `var(--status-${status})`, transform }} aria-hidden />
  );
}
