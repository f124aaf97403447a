// Without script: the same.
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";

/** `integrationId` is null where the message is about none. */
export type KeyWarning = { message: string; integrationId: string | null };

/** Warns of keys that are throttled or unknown. */
export function KeyWarnings({ warnings }: { warnings: readonly KeyWarning[] }) {
  return warnings.map(({ message, integrationId }) => (
    <MessageBlock key={message} kind="warning">
      {message}
      {integrationId && (
        <>
          {" "}
          <a href={paths.integration(integrationId)}>Show keys</a>
        </>
      )}
    </MessageBlock>
  ));
}
