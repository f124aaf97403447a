// Without script: a box or the selector, each a form of its own; a link changes between the two.
import type { SerializeFrom } from "@remix-run/node";
import { useNavigation, useSearchParams } from "@remix-run/react";
import { useRef, type ReactNode } from "react";
import { TargetPickers } from "../../features/assignments/target-picker";
import type { Picker } from "../../features/assignments/targets";
import type { Pasted } from "../../features/machines/group-members.server";
import {
  chooseValidator,
  groupIntents,
  maxConcurrent,
  pasteValidator,
} from "../../features/machines/machine-groups-forms";
import { flashParam, pageSearch } from "../../forms/list";
import { formatNumber } from "../../format/number";
import { ButtonLink } from "../../ui/form/button";
import { Form, TextArea, FormButton } from "../../ui/form/form";
import * as form from "../../ui/form/form.css";
import { Card, FactList, Section } from "../../ui/layout/page";
import type { PageAnswer } from "./page.server";

type Answer = SerializeFrom<PageAnswer> | undefined;

/** @param pickers null where serial numbers are pasted */
export function AddMachines({ pickers, answer }: { pickers: Picker[] | null; answer: Answer }) {
  const [params] = useSearchParams();
  const other = new URLSearchParams(pageSearch(params, ["add"]));
  if (!pickers) other.set("add", "list");
  const otherWay = (
    <ButtonLink to={`?${other}#add-machines`} preventScrollReset variant="quiet">
      {pickers ? "Paste serial numbers instead" : "Choose from the list instead"}
    </ButtonLink>
  );
  return (
    <div id="add-machines">
      <Section title="Add machines">
        <Card>
          {pickers ? (
            <Form id="choose-machines" validator={chooseValidator}>
              <TargetPickers
                pickers={answer?.pickers ?? pickers}
                hint="Machines of this group are not in the list."
                noneSelected="No machine selected."
              />
              <div className={form.formActions}>
                <AddButton intent={groupIntents.choose}>Add selected machines</AddButton>
                {otherWay}
              </div>
            </Form>
          ) : (
            <PasteForm answer={answer}>{otherWay}</PasteForm>
          )}
        </Card>
      </Section>
    </div>
  );
}

function PasteForm({ answer, children }: { answer: Answer; children: ReactNode }) {
  const attempt = useAttempt();
  return (
    <Form id="paste-machines" validator={pasteValidator}>
      {answer?.pasted && <PasteReport pasted={answer.pasted} />}
      <TextArea
        key={`${attempt} ${answer?.serials ?? ""}`}
        name="serials"
        label="Serial numbers"
        hint={`One in a line, or apart by commas, semicolons, tabs or spaces; at most ${formatNumber(maxConcurrent)}.`}
        defaultValue={answer?.serials}
      />
      <div className={form.formActions}>
        <AddButton intent={groupIntents.paste}>Add machines</AddButton>
        {children}
      </div>
    </Form>
  );
}

/** Another one each time that the page says something was done: then the box is empty again. */
function useAttempt(): string {
  const message = useSearchParams()[0].get(flashParam);
  const last = useRef(message);
  if (message !== null) last.current = message;
  return last.current ?? "";
}

function AddButton({ intent, children }: { intent: string; children: string }) {
  const isPending = useNavigation().formData?.get("intent") === intent;
  return (
    <FormButton name="intent" value={intent} isPending={isPending} pendingLabel="Adding...">
      {children}
    </FormButton>
  );
}

/** More serial numbers than this are folded away. */
const maxOpen = 20;

/** Reports the result for every pasted serial number. */
function PasteReport({ pasted }: { pasted: Pasted }) {
  const lists = {
    Added: pasted.added,
    "Already in the group": pasted.alreadyIn,
    "Not known": pasted.unknown,
    "Could mean several": pasted.ambiguous,
    "Deleted from SmartVend": pasted.deleted,
  };
  return (
    <FactList
      aria-label="What became of the serial numbers"
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
      <summary>
        {serials.slice(0, 5).join(", ")} and {formatNumber(serials.length - 5)} more
      </summary>
      {all}
    </details>
  );
}
