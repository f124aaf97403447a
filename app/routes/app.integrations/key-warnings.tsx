import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";

type KeyMessage = { integrationId: string; message: string };
type KeyWarningsProps = {
  page: {
    throttles: readonly (KeyMessage & { id: string })[];
    refusedKeys: readonly string[];
    endings: readonly KeyMessage[];
  };
};

/** Warns of keys that are throttled, were refused or end soon. */
export function KeyWarnings({ page: { throttles, refusedKeys, endings } }: KeyWarningsProps) {
  return (
    <>
      {throttles.map(({ id, integrationId, message }) => (
        <MessageBlock key={id} kind="warning">
          {message} <a href={paths.integration(integrationId)}>Show keys</a>
        </MessageBlock>
      ))}
      {refusedKeys.map((message) => (
        <MessageBlock key={message} kind="warning">
          {message}
        </MessageBlock>
      ))}
      {endings.map(({ integrationId, message }) => (
        <MessageBlock key={integrationId} kind="warning">
          {message} <a href={paths.integration(integrationId)}>Show keys</a>
        </MessageBlock>
      ))}
    </>
  );
}
