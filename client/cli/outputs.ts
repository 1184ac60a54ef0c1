import { mkdir, readdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { UsageError } from './exit-codes.ts'
import type { CommandInput } from './inputs.ts'

/** Destination of the result of an input. */
export type OutputPlan =
  | { kind: 'stdout' }
  | { kind: 'file'; path: string }
  /** The result determines the extension. */
  | { kind: 'folder'; folder: string; stem: string; prints_text: boolean }

interface OutputRequest {
  /** Value of --output. */
  output: string | undefined
  /** True if text is printed instead of saved. */
  printsText: boolean
  force: boolean
  /** Name of the command, which distinguishes the result from the input in the same folder. */
  command: string
  /** Extension of the result, if the parameters determine it. */
  extension: string | undefined
}

/**
 * Chooses the destination of each result, and creates its folder, before anything is uploaded or charged.
 * @throws UsageError if a file already exists, two results would have the same path, or a folder cannot be created
 */
export async function planOutputs(
  inputs: readonly CommandInput[],
  request: OutputRequest,
): Promise<OutputPlan[]> {
  const { output } = request
  if (output === '-') {
    if (inputs.length > 1) throw new UsageError('Standard output takes the result of one input only.')
    return [{ kind: 'stdout' }]
  }
  const isFolder = output !== undefined && (await namesFolder(output, inputs.length))
  const plans = inputs.map((input): OutputPlan => {
    if (output !== undefined && !isFolder) return { kind: 'file', path: output }
    const folder = output === undefined ? input.folder : join(output, input.subfolder)
    const prints_text = request.printsText
    const isBeside = input.kind === 'file' && resolve(folder) === resolve(input.folder)
    return {
      kind: 'folder',
      folder,
      stem: isBeside ? `${input.stem}-${request.command}` : input.stem,
      prints_text,
    }
  })
  refuseDuplicates(inputs, plans)
  if (!request.force) for (const plan of plans) await refuseExisting(plan, request.extension)
  for (const folder of new Set(plans.flatMap(folderOf))) await makeFolder(folder)
  return plans
}

function folderOf(plan: OutputPlan): string[] {
  if (plan.kind === 'stdout' || (plan.kind === 'folder' && plan.prints_text)) return []
  return [plan.kind === 'file' ? dirname(plan.path) : plan.folder]
}

/** Creates a folder and its parents, one by one: Node's recursive mkdir never ends below /proc. */
async function makeFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null)
  if (found?.isDirectory()) return
  if (dirname(folder) !== folder) await makeFolder(dirname(folder))
  await mkdir(folder).catch((error: Error) => {
    throw new UsageError(`The folder ${folder} cannot be created: ${error.message}.`)
  })
}

async function namesFolder(output: string, count: number): Promise<boolean> {
  const found = await stat(output).catch(() => null)
  if (found?.isDirectory()) return true
  if (found !== null && count > 1)
    throw new UsageError(`${output} is a file. Name a folder for ${count} results.`)
  return count > 1 || /[\\/]$/.test(output)
}

function refuseDuplicates(inputs: readonly CommandInput[], plans: readonly OutputPlan[]): void {
  const seen = new Map<string, string>()
  plans.forEach((plan, index) => {
    if (plan.kind !== 'folder' || plan.prints_text) return
    const path = resolve(plan.folder, plan.stem)
    const name = inputs[index]?.name ?? ''
    const other = seen.get(path)
    if (other !== undefined) {
      throw new UsageError(`${other} and ${name} would be saved under the same name. Run them one at a time.`)
    }
    seen.set(path, name)
  })
}

async function refuseExisting(plan: OutputPlan, extension: string | undefined): Promise<void> {
  const path = await findExisting(plan, extension)
  if (path !== null) throw new UsageError(`${path} exists. Use --force to overwrite it, or another --output.`)
}

async function findExisting(plan: OutputPlan, extension: string | undefined): Promise<string | null> {
  if (plan.kind === 'stdout' || (plan.kind === 'folder' && plan.prints_text)) return null
  if (plan.kind === 'file')
    return stat(plan.path).then(
      () => plan.path,
      () => null,
    )
  const names = await readdir(plan.folder).catch(() => [])
  const found = names.find((name) =>
    extension === undefined
      ? basename(name, extname(name)) === plan.stem && extname(name) !== ''
      : name === `${plan.stem}.${extension}`,
  )
  return found === undefined ? null : join(plan.folder, found)
}

/** Returns the extension of the result if the parameters determine it. */
export function requestedExtension(params: Record<string, unknown>): string | undefined {
  const names = ['format', 'audio_format', 'thumbnail_format', 'transcript_format']
  const format = names.map((name) => params[name]).find((value) => typeof value === 'string')
  return format === 'jpeg' ? 'jpg' : (format as string | undefined)
}

/**
 * Returns the path for a result file.
 * @param index position of the file in the result
 */
export function outputPath(
  plan: Exclude<OutputPlan, { kind: 'stdout' }>,
  filename: string,
  index: number,
): string {
  const path = plan.kind === 'file' ? plan.path : join(plan.folder, `${plan.stem}${extname(filename)}`)
  if (index === 0) return path
  const extension = extname(filename)
  return join(dirname(path), `${basename(path, extname(path))}-${index + 1}${extension}`)
}
