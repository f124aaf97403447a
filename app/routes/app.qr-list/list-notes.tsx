import { MessageBlock } from "../../ui/feedback/message-block";
import { notes as notesStyle } from "../../ui/layout/layout.css";
import type { PromotionListData } from "./list-cache";

/** What the list has to say about itself: rows that are not fresh, values that meant nothing. */
export function ListNotes({ list }: { list: PromotionListData }) {
  const notes = [...list.problems];
  if (list.isFallback) notes.push("That page has no rows: this is the nearest one.");
  if (!list.staleReason && notes.length === 0 && !list.isShortText) return null;
  return (
    <div className={notesStyle}>
      {list.staleReason && <MessageBlock kind="error">{list.staleReason}</MessageBlock>}
      {notes.length > 0 && <MessageBlock kind="warning">{notes.join(". ")}</MessageBlock>}
      {list.isShortText && (
        <MessageBlock kind="info">
          One or two characters are looked for at the beginning of codes only.
        </MessageBlock>
      )}
    </div>
  );
}
