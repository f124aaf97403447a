// Without script: the same; each button is a form of its own.
import { jobStates, type JobState, type JobView } from "../../features/jobs/job";
import { Badge, type Tone } from "../../ui/feedback/badge";
import type { Column } from "../../ui/table/table";
import { withNote } from "../../ui/table/table.css";
import { RunJob } from "../_jobs/run-job";
import { visuallyHidden } from "#styles/global.css";

const tones: Record<JobState, Tone> = {
  waiting: "info",
  running: "info",
  failed: "bad",
  done: "ok",
};

const columns: Column<JobView>[] = [
  { heading: "Job", isRowHeader: true, cell: ({ kind }) => kind },
  { heading: "About", className: withNote, cell: ({ subject }) => subject || "–" },
  {
    heading: "Status",
    isBadge: true,
    cell: ({ state }) => <Badge tone={tones[state]}>{jobStates[state]}</Badge>,
  },
  { heading: "Result", className: withNote, cell: ({ result }) => result },
  { heading: "Created", cell: ({ created }) => created },
  {
    heading: "Actions",
    hasActions: true,
    isBare: true,
    cell: ({ canRun, ...job }) => canRun && <RunNow job={job} />,
  },
];

/** Returns the columns; that of the buttons only where a row has one. */
export function jobColumns(rows: readonly JobView[]): Column<JobView>[] {
  return columns.filter(({ hasActions }) => !hasActions || rows.some(({ canRun }) => canRun));
}

function RunNow({ job: { id, kind, subject } }: { job: Pick<JobView, "id" | "kind" | "subject"> }) {
  return (
    <RunJob jobId={id} pendingLabel="Starting...">
      Run now
      <span className={visuallyHidden}>: {[kind, subject].filter(Boolean).join(", ")}</span>
    </RunJob>
  );
}
