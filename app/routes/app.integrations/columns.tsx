import type { IntegrationView } from "../../features/integrations/integration";
import { formatNumber } from "../../format/number";
import { paths } from "../../paths";
import type { Column } from "../../ui/table/table";

export const integrationColumns: Column<IntegrationView>[] = [
  {
    heading: "Name",
    isRowHeader: true,
    cell: ({ id, name }) => <a href={paths.integration(id)}>{name}</a>,
  },
  { heading: "Active keys", isNumber: true, cell: ({ activeKeys }) => formatNumber(activeKeys) },
  { heading: "Last used", cell: ({ lastUsed }) => lastUsed },
  { heading: "Created", cell: ({ created }) => created },
];
