/** Id of the redemption that examples make and roll back. */
export const exampleRedemptionId = "7f0c1d2e-3b4a-4c5d-8e6f-9a0b1c2d3e4f";

/** Makes the call of curl that redeems a code at a machine. */
export const redeemCurl = (
  origin: string,
  {
    code,
    serialNumber,
    redemptionId,
  }: { code: string; serialNumber: string; redemptionId: string },
) => curlOf(origin, "/api/redemptions", { code, serialNumber, originalPrice: 250, redemptionId });

/** Makes a call of curl that posts JSON. */
export function curlOf(origin: string, path: string, body: object | undefined): string {
  const lines = [
    `curl -i ${origin}${path}`,
    `-H "Authorization: Bearer $API_KEY"`,
    ...(body
      ? [
          `-H "Content-Type: application/json"`,
          `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
        ]
      : ["-X POST"]),
  ];
  return lines.join(" \\\n  ");
}
