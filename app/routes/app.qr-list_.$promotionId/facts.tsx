// Without script: the same.
import { Link } from "@remix-run/react";
import { AssignedMachines } from "../../features/assignments/assigned-machines";
import { statusLabels } from "../../features/promotions/promotion-view";
import { formatCodes } from "../../format/promotion";
import { paths } from "../../paths";
import { facts } from "../../ui/layout/layout.css";
import { Card, Fact } from "../../ui/layout/page";
import type { PageView } from "./page-view";
import * as css from "./promotion-page.css";

/** Everything that is known about the promotion; what is printed can't be changed. */
export function Facts({ page }: { page: PageView }) {
  const { words, reason, created, renews, assigned } = page;
  return (
    <Card className={css.facts}>
      <img
        className={css.image}
        src={paths.qrImage(words.id)}
        alt={`QR code for ${words.name}`}
        width="232"
        height="232"
      />
      <dl className={facts}>
        <Fact name="Status">
          {statusLabels[words.status]}. {reason}
        </Fact>
        <Fact name="Code">
          <code>{words.code}</code>
        </Fact>
        <Fact name="Type">
          {words.massGenerationId === null ? (
            words.type
          ) : (
            <>
              {words.type}, one of{" "}
              <Link to={paths.generation(words.massGenerationId)}>
                {formatCodes(words.numberOfCodes!)}
              </Link>
            </>
          )}
        </Fact>
        <Fact name="Discount">
          {words.discountType}, {words.discount}
        </Fact>
        <Fact name="One-time">{words.oneTime}</Fact>
        <Fact name="Used">{words.used}</Fact>
        <Fact name="Uses left">{words.usesLeft}</Fact>
        <Fact name="Expiration">{words.validity}</Fact>
        <Fact name="Renewable">{renews}</Fact>
        <Fact name="Created">{created}</Fact>
        <Fact name="Machines">
          <AssignedMachines {...assigned} />
        </Fact>
      </dl>
    </Card>
  );
}
