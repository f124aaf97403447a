// Without script: a box or the selector adds machines, each a form of its own, and a link changes between the two.
import { useActionData, useNavigation, useSearchParams } from "@remix-run/react";
import { useRef, type MouseEvent, type ReactNode } from "react";
import { TargetFields } from "../../features/assignments/target-fields";
import type { Picker } from "../../features/assignments/targets";
import type { Pasted } from "../../features/machines/machine-group";
import {
  chooseValidator,
  groupIntents,
  maxConcurrent,
  pasteValidator,
} from "../../features/machines/machine-groups-forms";
import { pageSearch } from "../../lists/list-params";
import { formatNumber } from "../../format/number";
import { ButtonLink } from "../../ui/form/button";
import { Form, TextArea, FormButton } from "../../ui/validated-form/form";
import * as form from "../../ui/form/form.css";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { useLastMessage } from "../../ui/form/last-message";
import { summary } from "../../ui/layout/layout.css";
import { Icon } from "../../ui/icon/icon";
import { useAreScriptsRunning } from "../../ui/overlay/focus";
import { CardSection } from "../../ui/layout/detail";
import { FactList } from "../../ui/layout/page";
import type { PageAnswer } from "./page.server";

const addParam = "add";

const formIds = { paste: "paste-machines", list: "choose-machines" };

/** Opens the form, with what else the address says; without scripts its fragment leads to the form. */
function useAddAddress(way: keyof typeof formIds): string {
  const [params] = useSearchParams();
  const areScriptsRunning = useAreScriptsRunning();
  const other = new URLSearchParams(pageSearch(params, [addParam]));
  other.set(addParam, way);
  return `?${other}${areScriptsRunning ? "" : `#${formIds[way]}`}`;
}

/** Tells whether the page shows the form: its button was pressed, or what was entered is not accepted. */
export function useIsAdding(): boolean {
  const [params] = useSearchParams();
  return useActionData<PageAnswer>()?.serials !== undefined || params.has(addParam);
}

/** Opens the form in the place of its button, and puts the focus into it. */
export function AddMachinesLink() {
  return (
    <ButtonLink
      id="add-machines"
      to={useAddAddress("paste")}
      state={{ focus: "serials" }}
      preventScrollReset
      variant="primary"
      icon="plus"
    >
      Add machines
    </ButtonLink>
  );
}

/** The forms of the page that add nothing. */
const otherIntents: unknown[] = [groupIntents.remove, groupIntents.save];

/** Returns what changes once something was added, but not after the other forms of the page: what was entered stays. */
function useAttempt(): string {
  const message = useLastMessage();
  const intent = useNavigation().formData?.get("intent");
  const last = useRef({ message, attempt: message, intent });
  if (intent) last.current.intent = intent;
  if (message !== last.current.message) {
    const isOther = otherIntents.includes(last.current.intent);
    const attempt = isOther ? last.current.attempt : message;
    last.current = { message, attempt, intent: undefined };
  }
  return last.current.attempt;
}

/** @param pickers null where serial numbers are pasted */
export function AddMachines({ pickers }: { pickers: Picker[] | null }) {
  const answer = useActionData<PageAnswer>();
  const [params] = useSearchParams();
  const attempt = useAttempt();
  const otherAddress = useAddAddress(pickers ? "paste" : "list");
  // A press would first leave the field, whose new message could move the link from under it.
  const link = {
    preventScrollReset: true,
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
  };
  const otherWay = (
    <>
      <ButtonLink
        to={pageSearch(params, [addParam]) || "."}
        state={{ focus: "add-machines" }}
        {...link}
      >
        Close
      </ButtonLink>
      <ButtonLink
        to={otherAddress}
        state={{ focus: pickers ? "serials" : "machines" }}
        {...link}
        variant="quiet"
      >
        {pickers ? "Paste serial numbers instead" : "Choose from the list instead"}
      </ButtonLink>
    </>
  );
  return (
    <CardSection title="Add machines">
      {pickers ? (
        <Form key={attempt} id={formIds.list} validator={chooseValidator}>
          <IdempotencyKey suffix={formIds.list} />
          <TargetFields
            pickers={answer?.pickers ?? pickers}
            hint="Machines already in this group are not listed."
            noneSelected="No machines selected."
          />
          <div className={form.formActions}>
            <AddButton intent={groupIntents.choose}>Add selected machines</AddButton>
            {otherWay}
          </div>
        </Form>
      ) : (
        <PasteForm attempt={attempt}>{otherWay}</PasteForm>
      )}
    </CardSection>
  );
}

function PasteForm({ attempt, children }: { attempt: string; children: ReactNode }) {
  const answer = useActionData<PageAnswer>();
  // The rest of the last answer stays, with what was corrected in it, after a search or an attempt without an answer.
  const rest = useRef({ attempt, serials: answer?.serials });
  if (rest.current.attempt !== attempt || answer?.serials !== undefined)
    rest.current = { attempt, serials: answer?.serials };
  const { serials } = rest.current;
  return (
    <Form id={formIds.paste} validator={pasteValidator}>
      <IdempotencyKey key={attempt} suffix={formIds.paste} />
      {answer?.pasted && <PasteReport pasted={answer.pasted} />}
      <TextArea
        key={`${attempt} ${serials ?? ""}`}
        name="serials"
        label="Serial numbers"
        hint={`One per line, or separated by commas, semicolons, tabs or spaces. At most ${formatNumber(maxConcurrent)}.`}
        defaultValue={serials}
      />
      <div className={form.formActions}>
        <AddButton intent={groupIntents.paste}>Add machines</AddButton>
        {children}
      </div>
    </Form>
  );
}

function AddButton({ intent, children }: { intent: string; children: string }) {
  return (
    <FormButton name="intent" value={intent} pendingLabel="Adding...">
      {children}
    </FormButton>
  );
}

/** More serial numbers than this are folded away. */
const maxOpen = 20;

function PasteReport({ pasted }: { pasted: Pasted }) {
  const lists = {
    Added: pasted.added,
    "Already in the group": pasted.alreadyIn,
    Unknown: pasted.unknown,
    "Could mean several machines": pasted.ambiguous,
    "Marked as deleted": pasted.deleted,
  };
  return (
    <FactList
      aria-label="Result for the serial numbers"
      facts={Object.entries(lists).map(
        ([name, serials]) =>
          serials.length > 0 && [
            `${name} (${formatNumber(serials.length)})`,
            <Serials key={name} serials={serials} />,
          ],
      )}
    />
  );
}

function Serials({ serials }: { serials: string[] }) {
  const all = serials.join(", ");
  if (serials.length <= maxOpen) return <>{all}</>;
  return (
    <details>
      <summary className={summary}>
        <Icon name="chevron-down" size="small" /> {serials.slice(0, 5).join(", ")} and{" "}
        {formatNumber(serials.length - 5)} more
      </summary>
      {all}
    </details>
  );
}
