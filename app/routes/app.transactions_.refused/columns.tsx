import { code as codeStyle } from "#styles/global.css";
import type { RefusalView } from "../../features/redemptions/refusal-list.server";
import { LinkedCode, machineColumn, timeColumn, type Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";

export const refusalColumns: Column<RefusalView>[] = [
  timeColumn,
  {
    heading: "Code",
    isBare: true,
    className: table.twoLines,
    cell: ({ promotion, code }) =>
      promotion ? (
        <LinkedCode {...promotion} code={code} />
      ) : (
        <code className={codeStyle}>{code}</code>
      ),
  },
  machineColumn,
  { heading: "Reason", className: table.twoLines, cell: ({ reason }) => reason },
  { heading: "Price", isNumber: true, cell: ({ price }) => price },
];
