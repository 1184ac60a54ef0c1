import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import { UsageError } from './exit-codes.ts'

/** Extensions of the files that are read from a folder. */
const EXTENSIONS = {
  image:
    'jpg jpeg png apng webp avif heic heif gif tif tiff bmp dib ico psd psb jp2 jpx j2k j2c jxl svg dng cr2 cr3 nef arw raf rw2 orf pef',
  video: 'mp4 mov m4v mkv webm avi mpg mpeg ts mts m2ts 3gp wmv flv ogv',
}

/** Input named on the command line. */
export interface CommandInput {
  /** Display name: a path, a URL, or "-". */
  name: string
  kind: 'file' | 'url' | 'stdin'
  /** Name without folder and extension, for the output. */
  stem: string
  /** Folder of the file, relative to the folder in which it was found. */
  subfolder: string
  /** Folder that contains the file. */
  folder: string
}

/** Expands files, folders, patterns and URLs. @throws UsageError for an input that does not exist */
export async function expandInputs(
  names: readonly string[],
  service: 'video' | 'image',
): Promise<CommandInput[]> {
  const inputs: CommandInput[] = []
  for (const name of names) inputs.push(...(await expandInput(name, service)))
  const stdins = inputs.filter(({ kind }) => kind === 'stdin').length
  if (stdins > 1) throw new UsageError('Standard input can be read only once.')
  return inputs
}

async function expandInput(name: string, service: 'video' | 'image'): Promise<CommandInput[]> {
  if (name === '-') return [{ name, kind: 'stdin', stem: 'stdin', subfolder: '', folder: '.' }]
  if (/^https?:\/\//i.test(name)) return [urlInput(name)]
  const found = await stat(name).catch(() => null)
  if (found?.isDirectory()) return readFolder(name, service)
  if (found?.isFile()) return [fileInput(name, '')]
  const matching = /[*?[]/.test(name) ? await matchPattern(name) : []
  if (matching.length === 0) throw new UsageError(`File not found: ${name}. Check the path.`)
  return matching.map((path) => fileInput(path, ''))
}

function urlInput(name: string): CommandInput {
  const last = URL.canParse(name) ? new URL(name).pathname.split('/').pop() : undefined
  return { name, kind: 'url', stem: stemOf(last || 'file'), subfolder: '', folder: '.' }
}

function fileInput(path: string, subfolder: string): CommandInput {
  return { name: path, kind: 'file', stem: stemOf(path), subfolder, folder: dirname(path) }
}

function stemOf(path: string): string {
  return basename(path, extname(path))
}

async function readFolder(folder: string, service: 'video' | 'image'): Promise<CommandInput[]> {
  const extensions = EXTENSIONS[service].split(' ')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && extensions.includes(extname(entry.name).slice(1).toLowerCase()))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
  if (files.length === 0) throw new UsageError(`${folder} contains no ${service} files.`)
  return files.map((path) => fileInput(path, relative(folder, dirname(path))))
}

/** Lists the files that match a pattern with `*`, `?` and `**`, for shells that do not expand patterns. */
async function matchPattern(pattern: string): Promise<string[]> {
  const fixed = pattern.split(/[\\/]/).findIndex((part) => /[*?[]/.test(part))
  const base = pattern.split(/[\\/]/).slice(0, fixed).join('/') || (pattern.startsWith('/') ? '/' : '.')
  const isMatch = patternExpression(resolve(pattern).split(sep).join('/'))
  const entries = await readdir(base, { recursive: pattern.includes('**'), withFileTypes: true }).catch(
    () => [],
  )
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  return paths.filter((path) => isMatch.test(resolve(path).split(sep).join('/'))).sort()
}

export function patternExpression(pattern: string): RegExp {
  const source = pattern.replace(/\*\*\/|\*\*|[*?]|[.+^${}()|\\]/g, (part) => {
    if (part === '**/') return '(?:.*/)?'
    if (part === '**') return '.*'
    return part === '*' ? '[^/]*' : part === '?' ? '[^/]' : `\\${part}`
  })
  return new RegExp(`^${source}$`)
}
