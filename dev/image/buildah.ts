import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { z } from 'zod'
import { ROOT } from '../system/root.ts'

/** Folder of the images, so that they leave those of the machine alone. */
export const IMAGE_FOLDER = join(ROOT, '.data/image')

const STORAGE = ['--root', join(IMAGE_FOLDER, 'storage'), '--runroot', join(IMAGE_FOLDER, 'run')]
/** Programs run in a chroot: neither cgroups nor a network of its own, which not every machine allows. */
const CHROOT = ['--isolation', 'chroot']

/** Builds an image with buildah. Its output is shown. */
export function buildImage(name: string, dockerfile: string, context: string, options: string[] = []): void {
  const build = ['build', ...CHROOT, '--layers', '--format', 'docker']
  runBuildah([...build, ...options, '--tag', name, '--file', dockerfile, context])
}

/** A container of an image, in which commands run one after another. */
export interface Container {
  /** Runs a command as the image's user with the repository at /checkout. @throws Error if it fails */
  run(command: string[], folder: string): void
  /** Runs a command and returns what it prints. */
  read(command: string[]): string
  remove(): void
}

export function openContainer(image: string): Container {
  const name = readBuildah(['from', image]).trim()
  const checkout = ['--volume', `${ROOT}:/checkout:ro`]
  return {
    run: (command, folder) =>
      runBuildah(['run', ...CHROOT, ...checkout, '--workingdir', folder, name, '--', ...command]),
    read: (command) => readBuildah(['run', ...CHROOT, name, '--', ...command]),
    remove: () => void readBuildah(['rm', name]),
  }
}

const Inspected = z.object({ OCIv1: z.object({ config: z.object({ Cmd: z.array(z.string()) }) }) })

/** Returns the command that an image starts. */
export function readCommand(image: string): string[] {
  return Inspected.parse(JSON.parse(readBuildah(['inspect', '--type', 'image', image]))).OCIv1.config.Cmd
}

function runBuildah(args: string[]): void {
  const { status, error } = spawnSync('buildah', [...STORAGE, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0)
    throw new Error(`buildah ${args[0]} failed${error === undefined ? '' : `: ${error.message}`}`)
}

function readBuildah(args: string[]): string {
  return execFileSync('buildah', [...STORAGE, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
