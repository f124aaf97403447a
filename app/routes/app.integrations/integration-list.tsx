import type { IntegrationView } from "../../features/integrations/integration";
import { formatNumber } from "../../format/number";
import { paths } from "../../paths";
import type { ShortList } from "../../ui/table/table-or-note";

export const integrationList: ShortList<IntegrationView> = {
  caption: "Integrations",
  fits: true,
  columns: [
    {
      heading: "Name",
      isRowHeader: true,
      cell: ({ id, name }) => <a href={paths.integration(id)}>{name}</a>,
    },
    { heading: "Active keys", isNumber: true, cell: ({ activeKeys }) => formatNumber(activeKeys) },
    { heading: "Last used", cell: ({ lastUsed }) => lastUsed },
    { heading: "Created", cell: ({ created }) => created },
  ],
  empty: {
    title: "No integrations yet",
    reason: "An integration is a system that redeems codes. Each has its own keys.",
  },
};
