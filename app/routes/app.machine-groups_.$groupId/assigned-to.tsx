// Without script: the same.
import type { ReactNode } from "react";
import type { GroupUse } from "../../features/machines/machine-group";
import type { GroupAssignments } from "../../features/assignments/group-assignments.server";
import { formatNumber } from "../../format/number";
import { formatCode, formatCodes } from "../../format/promotion";
import { paths } from "../../paths";
import { Card, Section } from "../../ui/layout/page";
import { muted } from "#styles/global.css";
import * as css from "./group-page.css";

type AssignedToProps = {
  group: { assigned: GroupUse };
  assignments: GroupAssignments;
};

/** The newest of what the group is assigned to. */
export function AssignedTo({ group: { assigned }, assignments }: AssignedToProps) {
  const { promotions, generations } = assignments;
  return (
    <Section title="Assigned to">
      {assigned.promotions + assigned.generations === 0 ? (
        <p className={muted}>
          Nothing yet. Promotions and mass generations are assigned to groups where they are made,
          and by ‘Machines’ on their own pages.
        </p>
      ) : (
        <Card className={css.parts}>
          <Newest title="Mass generations" total={assigned.generations}>
            {generations.map(({ id, name, numCodes }) => (
              <li key={id}>
                <a href={paths.generation(id)}>{name}</a>{" "}
                <span className={muted}>{formatCodes(numCodes)}</span>
              </li>
            ))}
          </Newest>
          <Newest title="Promotions" total={assigned.promotions}>
            {promotions.map(({ id, name, code }) => (
              <li key={id}>
                <a href={paths.promotion(id)}>{name}</a> <code>{formatCode(code)}</code>
              </li>
            ))}
          </Newest>
        </Card>
      )}
    </Section>
  );
}

function Newest({
  title,
  total,
  children,
}: {
  title: string;
  total: number;
  children: ReactNode[];
}) {
  if (total === 0) return null;
  const more = total - children.length;
  return (
    <div>
      <h3>
        {title} ({formatNumber(total)})
      </h3>
      <ul className={css.list}>
        {children}
        {more > 0 && <li className={muted}>and {formatNumber(more)} more</li>}
      </ul>
    </div>
  );
}
