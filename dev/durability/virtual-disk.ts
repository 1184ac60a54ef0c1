import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { mkdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { waitUntil } from '../system/wait.ts'

const execute = promisify(execFile)
const SIZE_BYTES = 1024 ** 3
const READY_MS_MAX = 20_000

/** A disk with ext4, whose write cache loses its content when the power is cut. */
export interface VirtualDisk {
  /** Folder of the file system. */
  readonly folder: string
  isOn(): boolean
  flush(): Promise<void>
  /** Drops everything that was written and not flushed. Every later access fails. */
  cutPower(): void
  /** Mounts the file system again, which recovers from its journal. */
  restart(): Promise<void>
  remove(): Promise<void>
}

/**
 * Opens a disk in a folder: nbdkit keeps writes in its cache until a flush, nbdfuse shows the disk as a file, and the
 * kernel mounts that file. Requires Linux and root.
 */
export async function openVirtualDisk(parent: string): Promise<VirtualDisk> {
  const [image, socket, file] = [join(parent, 'image'), join(parent, 'socket'), join(parent, 'file')]
  const folder = join(parent, 'mounted')
  await mkdir(folder)
  await writeFile(file, '')
  await writeFile(image, '')
  await truncate(image, SIZE_BYTES)
  await execute('mkfs.ext4', ['-q', image])
  let cache: ChildProcess | null = null
  let view: ChildProcess | null = null
  let device = ''

  const attach = async () => {
    await rm(socket, { force: true })
    const nbdkit = ['--foreground', '--unix', socket, '--filter=cache', 'file', image, 'cache=writeback']
    cache = spawn('nbdkit', nbdkit, { stdio: ['ignore', 'ignore', 'inherit'] })
    await waitUntil('nbdkit', () => existsSync(socket), READY_MS_MAX)
    // When nbdkit is killed, nbdfuse fails an assertion.
    view = spawn('nbdfuse', [file, '--unix', socket], { stdio: 'ignore' })
    await waitUntil('nbdfuse', () => statSync(file).size === SIZE_BYTES, READY_MS_MAX)
    device = (await execute('losetup', ['--find', '--show', file])).stdout.trim()
    await execute('mount', [device, folder])
  }
  const detach = async () => {
    await execute('umount', [folder])
    await execute('losetup', ['--detach', device])
    await execute('umount', [file])
    for (const child of [view, cache]) await end(child)
  }
  await attach()
  return {
    folder,
    isOn: () => cache !== null,
    async flush() {
      await execute('sync', ['--file-system', folder])
    },
    cutPower() {
      cache?.kill('SIGKILL')
      cache = null
    },
    async restart() {
      await detach()
      await attach()
    },
    async remove() {
      await detach()
      await rm(parent, { recursive: true })
    },
  }
}

async function end(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}
