// How far a command is: a bar where it tells a share, and its own words.
import type { Run } from '../server/workbench';

export function Progress({ run, label }: { run: Run | null; label: string }) {
  const text = run?.progress ?? '';
  const share = /\((\d+) %\)/.exec(text)?.[1];
  return (
    <div class="column" style={{ gap: '4px' }}>
      <progress aria-label={label} max={100} {...(share ? { value: Number(share) } : {})} style={{ width: '100%' }} />
      <span class="soft" role="status">
        {text || `${label}…`}
      </span>
    </div>
  );
}
