// Without script: the same; these pages load none.
import type { IconName } from "../icon/icon";
import { EmptyState } from "../table/empty-state";
import { Card, Page } from "./page";

/** Placeholder of a section that is not built yet. */
export function UnderDevelopment({ title, icon }: { title: string; icon: IconName }) {
  return (
    <Page title={title}>
      <Card>
        <EmptyState
          icon={icon}
          title="Under Development"
          reason="This section is under development"
        />
      </Card>
    </Page>
  );
}
