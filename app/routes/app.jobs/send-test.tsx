import { paths } from "../../paths";
import { ActionForm } from "../../ui/form/action-form";
import { SubmitButton } from "../../ui/form/button";

export function SendTest() {
  return (
    <ActionForm action={paths.testMail}>
      {(isPending) => (
        <>
          <SubmitButton variant="default" isPending={isPending} pendingLabel="Sending...">
            Send test mail
          </SubmitButton>
        </>
      )}
    </ActionForm>
  );
}
