// Commands one after the other: the server runs few at once, and somebody who types asks often. What is no longer wanted
// when its turn comes is not run.
import { CommandError, type CommandOptions, type Run, runCommand } from '../server/workbench';

let last: Promise<unknown> = Promise.resolve();

export function queued(args: string[], options: CommandOptions = {}): Promise<Run> {
  const mine = last.then(() => runCommand(args, options));
  last = mine.catch(() => {});
  return mine;
}

/** JSON that a command prints; 1 is an answer, too, if it printed some. */
export async function queuedJson<T>(args: string[], options: CommandOptions = {}): Promise<T> {
  const run = await queued(args, { accepts: [0, 1], ...options });
  if (run.output.trim() === '') throw new CommandError(run);
  try {
    return JSON.parse(run.output) as T;
  } catch {
    throw new CommandError({ ...run, errors: run.errors || run.output });
  }
}
