/** Returns the greeting for an hour of the site's clock. */
export function greetingAt(moment: Date, timeZone: string): string {
  const hour = Number(
    new Intl.DateTimeFormat("en-GB", { hour: "2-digit", hourCycle: "h23", timeZone }).format(
      moment,
    ),
  );
  if (hour >= 4 && hour <= 12) return "Good Morning";
  if (hour >= 13 && hour <= 16) return "Good Day";
  if (hour >= 17) return "Good Evening";
  return "Good Night";
}
