import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const MODULE = fileURLToPath(new URL('./hide-memory.ts', import.meta.url))

test.runIf(process.platform === 'linux')(
  'closes the environment of the process to its own user',
  async () => {
    const program = `import { hideMemory } from '${MODULE}'; hideMemory(); console.log('hidden'); setInterval(() => {}, 1000)`
    const uid = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    const args = ['--input-type=module', '-e', program]
    const child = spawn(process.execPath, args, {
      ...uid,
      env: { SECRET: 'secret' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill())
    await once(child.stdout, 'data')
    // The files of such a process belong to root. Root itself may still read them.
    expect(statSync(`/proc/${child.pid}/environ`).uid).toBe(0)
    if (process.getuid?.() !== 0) expect(() => readFileSync(`/proc/${child.pid}/environ`)).toThrow('EACCES')
  },
)
