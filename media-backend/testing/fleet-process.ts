import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { NODE_FLAGS } from '../runtime/node-flags.ts'
import { freePort, waitFor } from './wait.ts'

const INDEX = fileURLToPath(new URL('../index.ts', import.meta.url))

/** A fleet in a child process that a test can kill. */
export interface FleetProcess {
  port: number
  pid: number
  /** The exit code, or null after a kill. */
  exit: Promise<number | null>
  /** Sends the signal and waits for the process to exit. Returns the exit code, or null after a kill. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
}

/** @param core the only core that the fleet and its programs may use. */
export async function spawnFleet(variables: Record<string, string>, core?: number): Promise<FleetProcess> {
  const port = await freePort()
  const held = core === undefined ? [] : ['taskset', '--cpu-list', String(core)]
  const [program = process.execPath, ...rest] = [...held, process.execPath, ...NODE_FLAGS, INDEX]
  const child = spawn(program, rest, {
    env: { ...process.env, ENVIRONMENT: 'local', ...variables, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await waitFor('the fleet to answer', () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      (response) => response.ok,
      () => false,
    ),
  )
  if (child.pid === undefined) throw new Error('the fleet has no process')
  return {
    port,
    pid: child.pid,
    exit,
    end(signal) {
      child.kill(signal)
      return exit
    },
  }
}
