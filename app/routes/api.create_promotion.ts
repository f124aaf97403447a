import { siteTimeZone } from "../db/site.server";
import { createPromotion } from "../features/promotions/form/create-promotion.server";
import {
  createPromotionBody,
  toApiPromotion,
  toNewPromotionOfApi,
} from "../features/promotions/promotion-api";
import { siteToday } from "../features/promotions/site-day.server";
import { apiRoute, operation } from "../http/api.server";

const route = apiRoute(
  operation({
    method: "POST",
    path: "/api/create_promotion",
    scope: "promotions",
    body: createPromotionBody,
    answers: { 201: "The promotion. With an Idempotency-Key, a repeated call creates it once." },
    async run({ actor, body, request }) {
      const { promotion } = await createPromotion(toNewPromotionOfApi(body, await siteToday()), {
        actor,
        idempotencyKey: request.headers.get("Idempotency-Key"),
      });
      return toApiPromotion(promotion, siteTimeZone());
    },
  }),
);

export const loader = route.loader;
export const action = route.action;
