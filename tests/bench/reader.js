/**
 * Posts and reads the answer to its end, in a process of its own: reading takes time that another
 * measurement would be charged with. Arguments: address, headers and body as JSON.
 */
import { request } from "node:http";

const [address = "", headers = "", body = ""] = process.argv.slice(2);
request(address, { method: "POST", headers: JSON.parse(headers) }, (answer) => {
  answer.resume().once("end", () => process.exit(answer.statusCode === 200 ? 0 : 1));
}).end(body);
