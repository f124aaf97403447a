import { json } from "@remix-run/node";
import { siteTimeZone } from "../db/site.server";
import { createPromotion } from "../features/promotions/form/create-promotion.server";
import { parseCreatePromotion, toApiPromotion } from "../features/promotions/promotion-api";
import { siteToday } from "../features/promotions/site-day.server";
import { apiRoute, methodNotAllowed, readJson } from "../http/answers.server";
import { requireApiUser } from "../http/guards.server";

/** core §7; with an `Idempotency-Key` a repeated call creates once (rulings 3.7). */
export const action = apiRoute(async (args) => {
  const { actor } = await requireApiUser(args);
  if (args.request.method !== "POST") return methodNotAllowed("POST")();
  const input = parseCreatePromotion(await readJson(args.request), await siteToday());
  const { promotion } = await createPromotion(input, {
    actor,
    idempotencyKey: args.request.headers.get("Idempotency-Key"),
  });
  return json(toApiPromotion(promotion, siteTimeZone()), { status: 201 });
});

export const loader = apiRoute(async (args) => {
  await requireApiUser(args);
  return methodNotAllowed("POST")();
});
