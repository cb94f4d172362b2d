import {
  IconAlertTriangle,
  IconCloudOff,
  IconHourglass,
  IconLock,
  IconMoodEmpty,
  type TablerIcon,
} from "@tabler/icons-react";
import { ApiError } from "../../../clients/typescript/src/index.ts";
import { isEnded } from "../session/ended-session.ts";
import type { Texts } from "../text/texts.ts";

type Explanation = { title: string; text: string; Icon: TablerIcon; mayRetry?: boolean };

const RIGHT = [11, 13, 208, 276];
const MISSING = [201, 204, 217];
const QUOTA = [221, 267, 268];

/** Why a call failed, in the words of a user. */
export function explain(thrown: unknown, { refusal }: Texts): Explanation {
  if (!(thrown instanceof ApiError)) return { ...refusal.unreachable, Icon: IconCloudOff, mayRetry: true };
  const { code, status } = thrown;
  if (isEnded(thrown)) return { ...refusal.ended, Icon: IconHourglass };
  if (RIGHT.includes(code)) return { ...refusal.right, Icon: IconLock };
  if (code === 236) return { ...refusal.feature, Icon: IconLock };
  if (code === 101) return { ...refusal.demo, Icon: IconLock };
  if (MISSING.includes(code)) return { ...refusal.missing, Icon: IconMoodEmpty };
  if (QUOTA.includes(code)) return { ...refusal.quota, Icon: IconAlertTriangle };
  if (code === 7) return { ...refusal.invalid, Icon: IconAlertTriangle };
  if (code === 15) return { ...refusal.rate, Icon: IconHourglass, mayRetry: true };
  if (status >= 500) return { ...refusal.unreachable, Icon: IconCloudOff, mayRetry: true };
  return { title: refusal.title, text: refusal.other(code), Icon: IconAlertTriangle, mayRetry: true };
}
