import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, vi } from 'vitest'
import { buildClient } from '../../dev/build-client.ts'

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  cwd: string
  env: Record<string, string>
  input?: string | Uint8Array
  /** Receives all of standard error so far. */
  onStderr?: (text: string) => void
  /** Condition that is polled until it is true. The program is then interrupted as if by Ctrl-C. */
  interruptWhen?: () => Promise<boolean>
}

/** Builds the client into a folder of its own before the first test. @returns the path of a built file */
export function useBuiltClient(): (name: 'media.js' | 'node.js') => string {
  const folder = mkdtempSync(join(tmpdir(), 'media-client-'))
  beforeAll(() => buildClient(folder))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return (name) => join(folder, name)
}

/** Runs a program to its end. */
export function runCommand(command: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  const { cwd, env, input, onStderr, interruptWhen } = options
  const child = spawn(command, args, { cwd, env: { PATH: process.env.PATH ?? '', ...env } })
  const chunks: Buffer[] = []
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk
    onStderr?.(stderr)
  })
  child.stdin.end(input)
  if (interruptWhen) {
    const interrupt = () => child.kill('SIGINT')
    // A program that ends by itself needs no interruption.
    vi.waitUntil(interruptWhen, { timeout: 60_000, interval: 100 }).then(interrupt, () => undefined)
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout: Buffer.concat(chunks).toString('latin1'), stderr }))
  })
}
