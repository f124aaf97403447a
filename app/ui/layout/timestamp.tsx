import type { TimestampView } from "../../format/date";

/** A time; null is one that has not come. */
export function Timestamp({ time }: { time: TimestampView | null }) {
  return time ? <time dateTime={time.iso}>{time.text}</time> : <>Never</>;
}
