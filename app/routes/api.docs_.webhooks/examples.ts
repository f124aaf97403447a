/** Receivers of webhooks, which `tests/http/api-docs.test.ts` runs as they stand on the page. */

export const javascriptReceiver = `// receiver.mjs, for Node.js 18 and later
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { env } from "node:process";

const key = Buffer.from(env.WEBHOOK_SECRET.replace("whsec_", ""), "base64");

export function isGenuine(headers, body) {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(ageSeconds < 300)) return false;
  const digest = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  // Two signatures while a secret is being rotated.
  return String(headers["webhook-signature"]).split(" ").some((signature) => {
    const sent = Buffer.from(signature.replace("v1,", ""), "base64");
    return sent.length === digest.length && timingSafeEqual(sent, digest);
  });
}

const seen = new Set(); // In a table of your database, so that it outlives the process.

createServer(async (request, response) => {
  const chunks = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return; // The sender left in the middle.
  }
  const body = Buffer.concat(chunks).toString(); // As it was sent: parse it afterwards.
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  const event = JSON.parse(body);
  if (!seen.has(event.id)) console.log(event.type, JSON.stringify(event.data));
  seen.add(event.id);
  response.writeHead(204).end();
}).listen(Number(env.PORT ?? 8080), () => console.log("ready"));`;

export const pythonReceiver = `# receiver.py, for Python 3.8 and later
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].replace("whsec_", ""))
seen = set()  # In a table of your database, so that it outlives the process.

def is_genuine(headers, body):
    timestamp = headers.get("webhook-timestamp", "0")
    if abs(time.time() - int(timestamp)) > 300:
        return False
    signed = ("%s.%s." % (headers["webhook-id"], timestamp)).encode() + body
    digest = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    # Two signatures while a secret is being rotated.
    signatures = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(each, "v1," + digest) for each in signatures)

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = is_genuine(self.headers, body)
        if genuine:
            event = json.loads(body)
            if event["id"] not in seen:
                print(event["type"], json.dumps(event["data"]), flush=True)
            seen.add(event["id"])
        self.send_response(204 if genuine else 401)
        self.end_headers()

server = ThreadingHTTPServer(("", int(os.environ.get("PORT", 8080))), Receiver)
print("ready", flush=True)
server.serve_forever()`;

export const phpReceiver = `<?php // receiver.php, for PHP 7.4 and later
$key = base64_decode(str_replace('whsec_', '', getenv('WEBHOOK_SECRET')));
$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '0';
$digest = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
$genuine = false;
// Two signatures while a secret is being rotated.
foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
    $genuine = $genuine || hash_equals($digest, $signature);
}
if (!$genuine || abs(time() - (int) $timestamp) > 300) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true);
// Look $event['id'] up in your database first: an event may come more than once.
error_log($event['type'] . ' ' . json_encode($event['data']));
http_response_code(204);`;
