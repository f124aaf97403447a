// Without script: the same.
import type { PromotionCopy } from "../../features/promotions/copy-promotion.server";
import { MessageBlock } from "../../ui/feedback/message-block";

/** Says what the form was filled from. */
export function CopyNote({ source, omitted }: Pick<PromotionCopy, "source" | "omitted">) {
  if (!source)
    return (
      <MessageBlock kind="warning">
        The promotion to copy was not found. This form is empty.
      </MessageBlock>
    );
  return (
    <MessageBlock kind="info">
      A copy of {source.name} ({source.code}): everything is filled in but the name.
      {omitted.length > 0 && ` Not copied: ${omitted.join(", ")}.`}
    </MessageBlock>
  );
}
