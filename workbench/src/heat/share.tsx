// A share of the whole, as a number and as a bar.
export const percent = (share: number): string => (share > 0 && share < 0.001 ? '< 0.1 %' : `${share >= 0.1 ? Math.round(share * 100) : Math.round(share * 1000) / 10} %`);

/** `isHigh`: it is more than is good. */
export function ShareBar({ share, isHigh = false }: { share: number; isHigh?: boolean }) {
  return (
    <span class={isHigh ? 'share high' : 'share'}>
      <i aria-hidden="true">
        <b style={{ width: `${Math.min(100, share * 100)}%` }} />
      </i>
      <span>{percent(share)}</span>
    </span>
  );
}
