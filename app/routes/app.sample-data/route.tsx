import type { SerializeFrom } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { passwordOnlyValidator } from "../../features/people/profile-forms";
import {
  findSampleData,
  removeSampleData,
  type StayingSample,
} from "../../features/sample-data/sample-data.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { countOf } from "../../format/number";
import { formatCodes } from "../../format/promotion";
import { confirmed, formAction, formLoader } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { FirstRows, FormCard } from "../../ui/layout/detail";
import { columns } from "../../ui/layout/layout.css";
import { FactList, Page } from "../../ui/layout/page";
import { Form, FormSubmit, PasswordAgain } from "../../ui/validated-form/form";

export const meta = pageMeta();

export const loader = formLoader(requireAdmin, async () => {
  const samples = await findSampleData();
  return {
    samples: samples && {
      codes: samples.promotionIds.length,
      machines: samples.machineIds.length,
      redemptions: samples.redemptions,
      staying: samples.staying,
    },
  };
});

export const action = formAction({
  guard: requireAdmin,
  validator: passwordOnlyValidator,
  run: confirmed(async (_input: object, { options }) => {
    const { codes, staying } = await removeSampleData(options);
    const stays = staying > 0 ? ` ${countOf(staying, "item")} in use stayed.` : "";
    return { to: paths.dashboard, text: `Sample data removed: ${formatCodes(codes)}.${stays}` };
  }),
});

export const clientAction = rerenderForm("Error removing sample data");

export default function SampleDataPage() {
  const { samples } = useLoaderData<typeof loader>();
  return (
    <Page title="Sample data">
      {samples ? (
        <Removal samples={samples} />
      ) : (
        <FormCard title="No sample data">
          <p>This site has no invented codes, machines or redemptions.</p>
          <p>
            <ButtonLink to={paths.dashboard}>Back to the dashboard</ButtonLink>
          </p>
        </FormCard>
      )}
    </Page>
  );
}

type Samples = NonNullable<SerializeFrom<typeof loader>["samples"]>;

function Removal({ samples: { codes, machines, redemptions, staying } }: { samples: Samples }) {
  return (
    <FormCard title="Remove sample data">
      <p>
        This site began with invented codes, machines and redemptions, so that you can try it.
        Remove them before you start with your own. This can&apos;t be undone.
      </p>
      <FactList
        facts={[
          [
            "Will be removed",
            [
              formatCodes(codes),
              countOf(machines, "machine"),
              countOf(redemptions, "redemption"),
            ].join(", "),
          ],
          ["Their codes", "Never issued again, and refused by every machine"],
          ["Will stay", staying.length === 0 ? "Nothing" : <Staying samples={staying} />],
        ]}
      />
      <Form id="sample-data" validator={passwordOnlyValidator} replace>
        <IdempotencyKey />
        <PasswordAgain />
        <FormSubmit variant="danger" pendingLabel="Removing..." label="Remove sample data">
          <ButtonLink to={paths.dashboard}>Cancel</ButtonLink>
        </FormSubmit>
      </Form>
    </FormCard>
  );
}

const reasons = {
  redeemed: "tried at a machine",
  changed: "changed by somebody",
  used: "used, or needed by an item that stays",
};

function Staying({ samples }: { samples: StayingSample[] }) {
  return (
    <FirstRows rows={samples} count={10}>
      {(rows) => (
        <ul className={columns}>
          {rows.map((sample) => (
            <li key={`${sample.kind} ${sample.id}`}>
              <Link to={pathOf(sample)}>{sample.name}</Link> ({reasons[sample.reason]})
            </li>
          ))}
        </ul>
      )}
    </FirstRows>
  );
}

function pathOf({ kind, id }: StayingSample): string {
  if (kind === "machine") return paths.machine(id);
  return kind === "code" ? paths.promotion(id) : paths.generation(id);
}
