// Without script: the same links.
import { Link } from "@remix-run/react";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";

type StoppedNoteProps = {
  /** Time of the last row that the search reached. */
  stoppedAt: string;
  /** Whether the search went to newer rows. */
  isBackward?: boolean;
  /** The address of the rows after that. */
  more: string;
};

/** Says above rows that older ones, or newer ones, were not searched. */
export function StoppedNote({ stoppedAt, isBackward, more }: StoppedNoteProps) {
  return (
    <MessageBlock kind="info">
      {`Searched ${isBackward ? "up" : "back"} to ${stoppedAt}. `}
      <Link to={more} preventScrollReset>
        {isBackward ? "Load newer" : "Load older"}
      </Link>
    </MessageBlock>
  );
}

/** Says why no row is shown: nothing matches, or the part of the table that was searched holds no match. */
export function describeNoMatch(
  { stoppedAt, isBackward, page }: { stoppedAt: string | null; isBackward?: boolean; page: number },
  more: string,
) {
  if (stoppedAt === null) return { title: page > 1 ? "Nothing older matches" : "Nothing matches" };
  return {
    title: `Nothing matches ${isBackward ? "until" : "since"} ${stoppedAt}`,
    reason: `${isBackward ? "Newer" : "Older"} transactions are not searched yet. Load them, or filter by serial number, code or date.`,
    action: (
      <ButtonLink to={more} preventScrollReset variant="primary">
        {isBackward ? "Load newer" : "Load older"}
      </ButtonLink>
    ),
  };
}
