import type { TimestampView } from "../../format/date";

/** Shows a time; null is "Never". */
export function Timestamp({ time }: { time: TimestampView | null }) {
  return time ? <time dateTime={time.iso}>{time.text}</time> : <>Never</>;
}
