// Without script: the same links.
import { Link } from "@remix-run/react";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";

type StoppedNoteProps = {
  /** Time of the oldest row that the search reached. */
  stoppedAt: string;
  /** The address of the rows before that. */
  older: string;
};

/** Says above rows that older ones were not searched. */
export function StoppedNote({ stoppedAt, older }: StoppedNoteProps) {
  return (
    <MessageBlock kind="info">
      {`Searched back to ${stoppedAt}. `}
      <Link to={older} preventScrollReset>
        Load older
      </Link>
    </MessageBlock>
  );
}

/** Says why no row is shown: nothing matches, or the part of the table that was searched holds no match. */
export function describeNoMatch(
  { stoppedAt, page }: { stoppedAt: string | null; page: number },
  older: string,
) {
  if (stoppedAt === null) return { title: page > 1 ? "Nothing older matches" : "Nothing matches" };
  return {
    title: `Nothing matches since ${stoppedAt}`,
    reason:
      "Older transactions are not searched yet. Load them, or filter by serial number, code or date.",
    action: (
      <ButtonLink to={older} preventScrollReset variant="primary">
        Load older
      </ButtonLink>
    ),
  };
}
