import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Time limit of a script, so that a snippet that never ends fails its test. */
const SCRIPT_MS_MAX = 60_000

/**
 * Runs a program and returns its output.
 * @throws an error with the output if the program fails
 */
export async function runScript(
  command: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<string> {
  const [program = '', ...args] = command
  const { PATH = '' } = process.env
  const { stdout } = await run(program, args, {
    cwd,
    env: { ...process.env, PATH, ...env },
    timeout: SCRIPT_MS_MAX,
  })
  return stdout
}
