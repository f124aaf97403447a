// Without script: the same; pages are links.
import { useLocation } from "@remix-run/react";
import { pageSearch } from "../../forms/list";
import { paths } from "../../paths";
import { Pagination } from "../../ui/table/pagination";
import { Table } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import * as css from "./dialog.css";
import { pageParameter, type DialogView } from "./dialog-view";

export function PromotionTable({ dialog }: { dialog: DialogView }) {
  const { pathname, search } = useLocation();
  const { machine, rows, total, page, perPage } = dialog;
  const urlOf = ({ page: target = "1" }: Record<string, string>) => {
    const params = new URLSearchParams(pageSearch(new URLSearchParams(search)));
    params.set(pageParameter, target);
    return `${pathname}?${params}`;
  };
  return (
    <Table
      id="promotions"
      caption={`Promotions of ${machine.serialNumber}`}
      fits
      head={
        <>
          <th scope="col">Promotion</th>
          <th scope="col">Discount</th>
          <th scope="col">Single use</th>
          <th scope="col" className={table.number}>
            Codes
          </th>
        </>
      }
      footer={
        total > perPage && (
          <Pagination
            page={{ page, perPage, total }}
            rowCount={rows.length}
            urlOf={urlOf}
            label="Pages of promotions"
          />
        )
      }
    >
      {rows.map(({ key, kind, id, name, discount, singleUse, codes }) => (
        <tr key={key}>
          <th scope="row" className={table.name}>
            <a href={kind === "generation" ? paths.generation(id) : paths.promotion(id)}>{name}</a>
            {kind === "generation" && <span className={css.kind}>Mass Gen</span>}
          </th>
          <td data-label="Discount">{discount}</td>
          <td data-label="Single use">{singleUse}</td>
          <td data-label="Codes" className={table.number}>
            {codes}
          </td>
        </tr>
      ))}
    </Table>
  );
}
