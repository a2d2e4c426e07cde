// Numbers as people read them.
const whole = new Intl.NumberFormat('en');
export const count = (value: number): string => whole.format(value);
export const counted = (value: number, one: string, many: string): string => `${count(value)} ${value === 1 ? one : many}`;

export function byteText(value: number): string {
  if (value < 1000) return `${value} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let at = -1;
  let left = value;
  do {
    left /= 1024;
    at++;
  } while (left >= 1000 && at < units.length - 1);
  return `${left < 10 ? left.toFixed(1) : Math.round(left)} ${units[at]}`;
}

/** Of capacity: 0.5 units, 1 unit. */
export const unitsText = (value: number): string => `${decimal(value)} ${value === 1 ? 'unit' : 'units'}`;

export const decimal = (value: number): string =>
  value === 0 ? '0' : Math.abs(value) >= 100 ? whole.format(Math.round(value)) : String(Number(value.toPrecision(3)));
