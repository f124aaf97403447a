/** Id of the redemption that examples make and roll back. */
export const exampleRedemptionId = "7f0c1d2e-3b4a-4c5d-8e6f-9a0b1c2d3e4f";

/** Makes the call of curl that redeems a code at a machine. */
export const redeemCurl = (
  origin: string,
  {
    code,
    serialNumber,
    redemptionId = `first-${code}`,
  }: { code: string; serialNumber: string; redemptionId?: string },
) => `curl -i ${origin}/api/redemptions \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ code, serialNumber, originalPrice: 250, redemptionId }, null, 2).replaceAll("'", "'\\''")}'`;
