/** WCAG 2.2 relative luminance of an opaque #RRGGBB colour, 0 to 1. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG 2.2 contrast ratio of two opaque #RRGGBB colours, 1 to 21. */
export function contrast(first: string, second: string): number {
  const [high = 0, low = 0] = [luminance(first), luminance(second)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/** Returns the colour that `front` has over `back` at an opacity of 0 to 1. */
export function mix(front: string, back: string, opacity: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [above, below] = [front, back].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16));
    return Math.round(above! * opacity + below! * (1 - opacity));
  });
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
