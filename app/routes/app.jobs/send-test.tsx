import { idempotencyField } from "../../forms/validator";
import { paths } from "../../paths";
import { ActionForm } from "../../ui/form/action-form";
import { SubmitButton } from "../../ui/form/button";

export function SendTest({ idempotencyKey }: { idempotencyKey: string }) {
  return (
    <ActionForm action={paths.testMail}>
      {(isPending) => (
        <>
          <input type="hidden" name={idempotencyField} value={idempotencyKey} />
          <SubmitButton variant="default" isPending={isPending} pendingLabel="Sending...">
            Send test mail
          </SubmitButton>
        </>
      )}
    </ActionForm>
  );
}
