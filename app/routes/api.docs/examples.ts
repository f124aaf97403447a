/** Examples of the guide, which `tests/http/api-docs.test.ts` runs as they stand on its page. */
import { exampleRedemptionId } from "../_api-docs/redeem-curl";
import { exampleSerialNumber } from "../_api-docs/schema-fields";

export const rollbackCurl = (
  origin: string,
) => `curl -i -X POST ${origin}/api/redemptions/${exampleRedemptionId}/rollback \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Idempotency-Key: rollback-${exampleRedemptionId}"`;

export const javascriptClient = (origin: string) => `// redemptions.mjs, for Node.js 18 and later
import { env } from "node:process";

const origin = "${origin}";
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Repeats the same request until it is decided, for at most 30 seconds.
async function send(path, body, headers = {}) {
  const deadline = Date.now() + 30_000;
  for (let wait = 500; ; wait = Math.min(wait * 2, 8_000)) {
    let seconds = 0;
    try {
      const response = await fetch(origin + path, {
        method: "POST",
        headers: {
          Authorization: \`Bearer \${env.API_KEY}\`,
          "Content-Type": "application/json",
          ...headers,
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(5_000),
      });
      const { status } = response;
      // A proxy may write a date instead.
      seconds = Number(response.headers.get("Retry-After")) || 0;
      const answer = await response.json();
      if (status !== 429 && status < 500) return { http: status, ...answer };
    } catch {
      // No answer, or a part of one: it may have been done, so the same is sent again.
    }
    const ms = Math.max(wait, seconds * 1_000);
    if (Date.now() + ms > deadline) return null;
    await pause(ms);
  }
}

/** Returns the answer with its status as \`http\`, which is 201 if the machine may vend; null if there was none. */
export const redeem = (request) => send("/api/redemptions", request);

/** Gives the use back, if there is one: for a failed vend, or after no answer. */
export const rollBack = (redemptionId) =>
  send(\`/api/redemptions/\${encodeURIComponent(redemptionId)}/rollback\`, {}, {
    "Idempotency-Key": \`rollback-\${redemptionId}\`,
  });`;

export const javascriptUse = `// vend.mjs
import { randomUUID } from "node:crypto";
import { redeem, rollBack } from "./redemptions.mjs";

export async function sell(code, originalPrice, vend) {
  const redemptionId = randomUUID();
  const answer = await redeem({
    code,
    serialNumber: "${exampleSerialNumber}",
    originalPrice,
    redemptionId,
  });
  if (answer?.http === 201 && (await vend(answer.discountedPrice))) return "Thank you!";
  if (answer === null || answer.http === 201) await rollBack(redemptionId);
  return answer?.error ?? "Please try again.";
}`;

export const pythonClient = (origin: string) => `# redemptions.py, for Python 3.8 and later
import http.client, json, os, time, urllib.error, urllib.parse, urllib.request

ORIGIN = "${origin}"

def send(path, body, headers={}):
    """Repeats the same request until it is decided, for at most 30 seconds; then None."""
    deadline, wait = time.monotonic() + 30, 0.5
    while True:
        seconds = 0
        request = urllib.request.Request(
            ORIGIN + path,
            data=json.dumps(body).encode(),
            headers={
                "Authorization": "Bearer " + os.environ["API_KEY"],
                "Content-Type": "application/json",
                **headers,
            },
        )
        try:
            try:
                response = urllib.request.urlopen(request, timeout=5)
            except urllib.error.HTTPError as error:
                response = error
            with response:
                after = response.headers.get("Retry-After", "")
                seconds = int(after) if after.isdigit() else 0  # A proxy may write a date.
                answer = json.load(response)
            if response.code != 429 and response.code < 500:
                return {"http": response.code, **answer}
        except (OSError, http.client.HTTPException, ValueError):
            pass  # No answer, or a part of one: it may have been done, so the same is sent again.
        seconds = max(wait, seconds)
        if time.monotonic() + seconds > deadline:
            return None
        time.sleep(seconds)
        wait = min(wait * 2, 8)

def redeem(request):
    return send("/api/redemptions", request)

def roll_back(redemption_id):
    path = "/api/redemptions/%s/rollback" % urllib.parse.quote(redemption_id, safe="")
    return send(path, {}, {"Idempotency-Key": "rollback-" + redemption_id})`;
