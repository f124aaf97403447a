import { labelsRoute } from "../../http/downloads.server";

export const loader = labelsRoute("pdf");
