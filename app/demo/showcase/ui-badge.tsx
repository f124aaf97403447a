import { Badge, type Tone } from "../../ui/feedback/badge";
import { Icon, type IconName } from "../../ui/icon/icon";
import { Button } from "../../ui/form/button";
import { cardSection } from "../../ui/layout/layout.css";
import { Card, LinkTabs } from "../../ui/layout/page";
import * as css from "../demo.css";

const tones: [Tone, string][] = [
  ["info", "Info"],
  ["ok", "Success"],
  ["warn", "Warning"],
  ["bad", "Danger"],
  ["off", "Neutral"],
];

function Count({ icon, count, label }: { icon: IconName; count: number; label: string }) {
  return (
    <span className={css.corner}>
      <Icon name={icon} />
      <span aria-label={label} role="img">
        {count}
      </span>
    </span>
  );
}

export function BadgePage({ query }: { query: URLSearchParams }) {
  const tab = query.get("tab") ?? "inbox";
  return (
    <div className={css.columns.medium}>
      <Card className={cardSection}>
        <h2>Text badges</h2>
        <p className={css.row}>
          {tones.map(([tone, label]) => (
            <Badge key={tone} tone={tone}>
              {label}
            </Badge>
          ))}
        </p>
      </Card>
      <Card className={cardSection}>
        <h2>
          Badge on a heading <Badge tone="info">New</Badge>
        </h2>
        <h3>
          Smaller heading <Badge tone="ok">Live</Badge>
        </h3>
        <p>
          Text with a badge <Badge tone="warn">Beta</Badge>
        </p>
      </Card>
      <Card className={cardSection}>
        <h2>Icon badges</h2>
        <p className={css.row}>
          <Count icon="receipt" count={4} label="4 receipts" />
          <Count icon="user" count={12} label="12 people" />
          <Count icon="alert" count={1} label="1 warning" />
        </p>
      </Card>
      <Card className={cardSection}>
        <h2>Badges on tabs and buttons</h2>
        <LinkTabs
          label="Folders"
          tabs={["inbox", "sent", "archive"].map((name, index) => ({
            to: `?tab=${name}`,
            label: `${name.charAt(0).toUpperCase()}${name.slice(1)} (${[4, 0, 27][index]})`,
            isCurrent: tab === name,
          }))}
        />
        <p className={css.row}>
          <Button type="button">
            Messages <Badge tone="bad">4</Badge>
          </Button>
        </p>
      </Card>
      <Card className={cardSection}>
        <h2>Chips</h2>
        <p className={css.row}>
          <span className={css.chip}>Basic chip</span>{" "}
          <span className={css.chip}>
            <Icon name="user" size="small" /> Chip with an icon
          </span>{" "}
          <a href="/app/ui/cards" className={css.chip}>
            Chip that is a link
          </a>{" "}
          <span className={css.chip}>
            Chip to remove <Icon name="close" size="small" />
          </span>
        </p>
      </Card>
    </div>
  );
}
